//! The definitions that the parameters of one tool refer to.

use serde_json::{Map, Value};

/// What stands under `$defs`, gathered from parameters that were each described by themselves.
///
/// schemars tells types apart by their names in Rust and serde, and two types may have the same: described together, the
/// second would be published as the first.
#[derive(Debug, Default)]
pub(crate) struct Definitions(Map<String, Value>);

impl Definitions {
    /// Adds the definitions of one parameter. Where a name is taken by another type, they all get names of their own, and
    /// the parameter's schema refers to those.
    pub(crate) fn adopt(&mut self, schema: &mut Value, mut theirs: Map<String, Value>) {
        if theirs.iter().all(|(name, definition)| self.0.get(name).is_none_or(|ours| ours == definition)) {
            self.0.extend(theirs);
            return;
        }
        let is_taken = |number: u32| theirs.keys().any(|name| self.0.contains_key(&format!("{name}_{number}")));
        let suffix =
            (2..=u32::MAX).find(|number| !is_taken(*number)).map(|number| format!("_{number}")).unwrap_or_default();
        rename(schema, &suffix);
        theirs.values_mut().for_each(|definition| rename(definition, &suffix));
        self.0.extend(theirs.into_iter().map(|(name, definition)| (name + &suffix, definition)));
    }

    pub(crate) fn into_map(self) -> Map<String, Value> {
        self.0
    }
}

/// Adds the suffix to every reference.
fn rename(schema: &mut Value, suffix: &str) {
    match schema {
        Value::Object(members) => {
            for (keyword, member) in members {
                match member {
                    Value::String(reference) if keyword == "$ref" => reference.push_str(suffix),
                    member => rename(member, suffix),
                }
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(|element| rename(element, suffix)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn adopt(definitions: &mut Definitions, mut schema: Value, theirs: &Value) -> Value {
        definitions.adopt(&mut schema, theirs.as_object().cloned().unwrap_or_default());
        schema
    }

    #[test]
    fn one_type_is_defined_once_and_two_of_one_name_are_told_apart() {
        let mut definitions = Definitions::default();
        let refers = || json!({"items": {"$ref": "#/$defs/Item"}});
        let (number, text) = (json!({"Item": {"type": "number"}}), json!({"Item": {"type": "string"}}));
        assert_eq!(adopt(&mut definitions, refers(), &number), refers());
        assert_eq!(adopt(&mut definitions, refers(), &number), refers());
        assert_eq!(adopt(&mut definitions, refers(), &text), json!({"items": {"$ref": "#/$defs/Item_2"}}));
        assert_eq!(
            Value::Object(definitions.into_map()),
            json!({"Item": {"type": "number"}, "Item_2": {"type": "string"}})
        );
    }
}
