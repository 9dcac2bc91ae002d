//! Arrays: of one kind of items, and with a schema for each place.

use serde_json::{Map, Value, json};

use super::{
    Lowering,
    change::{Became, Unfit},
    dialect::{Anything, Optionals, Tuples},
    finish::Form,
    node::{Made, count, takes_null},
    object::Property,
    raise::{Element, KEEP, Step, place_key},
};

impl Lowering<'_> {
    pub(super) fn array(&mut self, keywords: &Map<String, Value>, at: &str) -> Result<Made, Unfit> {
        let leading = keywords.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let count = |keyword: &str| keywords.get(keyword).and_then(count);
        if !leading.is_empty() {
            let length = leading.len() as u64;
            let is_closed = keywords.get("items") == Some(&Value::Bool(false));
            let is_fixed = is_closed || count("maxItems").is_some_and(|most| most <= length);
            return match self.dialect.tuples {
                Tuples::Kept => self.tuple(keywords, leading, is_closed, at),
                Tuples::Objects if is_fixed && self.tells_absence(leading, count("minItems").unwrap_or(0)) => {
                    self.members(keywords, leading, at)
                }
                Tuples::Objects => {
                    let shape: Map<String, Value> = ["prefixItems", "items"]
                        .iter()
                        .filter_map(|keyword| Some(((*keyword).to_owned(), keywords.get(*keyword)?.clone())))
                        .collect();
                    Ok(self.text(keywords, "array", Some(&shape.into()), at))
                }
            };
        }
        let items = match keywords.get("items") {
            None => Value::Bool(true),
            // Only the empty array.
            Some(Value::Bool(false)) => return Ok(self.single(keywords, &json!([]), "array", at)),
            Some(items) => items.clone(),
        };
        let made = self.node(&items, &format!("{at}/items"))?;
        let mut body = Map::from_iter([("type".to_owned(), Value::from("array"))]);
        if items != Value::Bool(true) || self.dialect.anything == Anything::Text {
            body.insert("items".into(), made.schema.into());
        }
        let mut handled = vec!["type", "items"];
        self.counts(keywords, &mut body, &mut handled);
        let step = match made.step {
            KEEP => KEEP,
            rest => self.push(Step::Array { leading: Vec::new(), rest }),
        };
        Ok(self.remarked(keywords, Form { body, step, handled: &handled, about: &[], of_type: "array" }, at))
    }

    /// How many items there may be, as far as that is taken.
    fn counts<'k>(&self, keywords: &'k Map<String, Value>, body: &mut Map<String, Value>, handled: &mut Vec<&'k str>) {
        for (keyword, clause) in keywords {
            if !matches!(keyword.as_str(), "minItems" | "maxItems") || !self.dialect.takes(keyword) {
                continue;
            }
            let most = if keyword == "minItems" { self.dialect.most_min_items } else { u64::MAX };
            let Some(clause) = count(clause) else { continue };
            body.insert(keyword.clone(), clause.min(most).into());
            if clause <= most {
                handled.push(keyword);
            }
        }
    }

    /// A schema for each place, as it is.
    fn tuple(
        &mut self,
        keywords: &Map<String, Value>,
        leading: &[Value],
        is_closed: bool,
        at: &str,
    ) -> Result<Made, Unfit> {
        let mut schemas = Vec::new();
        let mut steps = Vec::new();
        for (place, schema) in leading.iter().enumerate() {
            let made = self.node(schema, &format!("{at}/prefixItems/{place}"))?;
            schemas.push(Value::Object(made.schema));
            steps.push(made.step);
        }
        let mut body =
            Map::from_iter([("type".to_owned(), Value::from("array")), ("prefixItems".to_owned(), schemas.into())]);
        let mut handled = vec!["type", "prefixItems", "items"];
        self.counts(keywords, &mut body, &mut handled);
        let mut rest = KEEP;
        if is_closed {
            body.entry("maxItems").or_insert_with(|| leading.len().into());
        } else if let Some(items) = keywords.get("items") {
            let made = self.node(items, &format!("{at}/items"))?;
            body.insert("items".into(), made.schema.into());
            rest = made.step;
        }
        let step = self.push(Step::Array { leading: steps, rest });
        Ok(self.remarked(keywords, Form { body, step, handled: &handled, about: &[], of_type: "array" }, at))
    }

    /// Whether a place that is absent can be told from one that is null, least of those that there always are.
    fn tells_absence(&self, leading: &[Value], least: u64) -> bool {
        let least = usize::try_from(least).unwrap_or(usize::MAX);
        let mut optional = leading.iter().skip(least).map(|schema| takes_null(schema, &self.root));
        match self.dialect.optionals {
            Optionals::Null => !optional.any(|takes_null| takes_null),
            _ if self.dialect.needs_a_required && least == 0 => optional.any(|takes_null| !takes_null),
            _ => true,
        }
    }

    /// A key for each place. One after the least number of items is optional.
    fn members(&mut self, keywords: &Map<String, Value>, leading: &[Value], at: &str) -> Result<Made, Unfit> {
        self.changed(at, "prefixItems", Became::Members);
        let least = keywords.get("minItems").and_then(count).unwrap_or(0);
        let most = keywords.get("maxItems").and_then(count).unwrap_or(u64::MAX);
        let mut properties = Vec::new();
        let mut elements = Vec::new();
        for (place, schema) in leading.iter().enumerate().take_while(|(place, _)| (*place as u64) < most) {
            let made = self.node(schema, &format!("{at}/prefixItems/{place}"))?;
            let is_required = (place as u64) < least;
            let takes_null = takes_null(schema, &self.root);
            let property = Property { sent: place_key(place), made, is_required, takes_null };
            let (property, drops_null) = self.optional(property, &format!("{at}/prefixItems/{place}"));
            elements.push(Element { step: property.made.step, drops_null });
            properties.push(property);
        }
        if properties.is_empty() && !self.dialect.empty_objects {
            return Ok(self.single(keywords, &json!([]), "array", at));
        }
        if let Some((place, drops_null)) = self.requires_one(&mut properties) {
            elements.get_mut(place).into_iter().for_each(|element| element.drops_null = drops_null);
        }
        let body = self.closed(properties);
        let step = self.push(Step::Tuple(elements));
        let handled = ["type", "prefixItems", "items", "minItems", "maxItems"];
        Ok(self.remarked(keywords, Form { body, step, handled: &handled, about: &[], of_type: "array" }, at))
    }

    /// A list of keys and values.
    pub(super) fn pairs(&self, key: Made, value: Made) -> Map<String, Value> {
        let [key_name, value_name] = super::raise::PAIR;
        let required = |sent: &str, made| Property { sent: sent.to_owned(), made, is_required: true, takes_null: true };
        let pair = self.closed(vec![required(key_name, key), required(value_name, value)]);
        Map::from_iter([("type".to_owned(), Value::from("array")), ("items".to_owned(), json!(pair))])
    }
}
