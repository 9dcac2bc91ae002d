//! Objects: their properties, which of them are optional, and maps.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::{
    Lowering,
    change::{Became, Unfit},
    dialect::{Anything, Maps, Optionals},
    finish::Form,
    merge::{REMARKS, merge},
    modern::inside,
    names::Names,
    node::{Made, count, takes_null},
    raise::{KEEP, Member, Pairs, Step},
    words::{cut, say_of_both},
};
use crate::schema::OTHER_KEYS;

/// A property as it is published.
#[derive(Clone, Debug)]
pub(super) struct Property {
    pub sent: String,
    pub made: Made,
    pub is_required: bool,
    /// Whether the canonical schema takes `null`.
    pub takes_null: bool,
}

/// A map as a list of pairs.
struct Listed {
    pairs: Pairs,
    body: Map<String, Value>,
    /// The keywords that the keys keep to.
    said: Vec<&'static str>,
}

/// The keywords that are rewritten here.
const HANDLED: &[&str] = &["type", "properties", "required", "additionalProperties", "unevaluatedProperties"];

impl Lowering<'_> {
    pub(super) fn object(&mut self, keywords: &Map<String, Value>, at: &str) -> Result<Made, Unfit> {
        let declared = declared(keywords);
        let rest = self.rest(keywords, !declared.is_empty());
        if declared.is_empty() {
            match rest {
                Some(rest) => return self.map(keywords, &rest, at),
                None if !self.dialect.empty_objects => return Ok(self.single(keywords, &json!({}), "object", at)),
                None => {}
            }
        }
        self.properties(keywords, &declared, rest.as_ref(), at)
    }

    /// What keys that are not declared may hold; none where there may be no such keys.
    pub(super) fn rest(&self, keywords: &Map<String, Value>, has_properties: bool) -> Option<Value> {
        let others = others(keywords);
        let patterns: Vec<&Value> = patterns(keywords).map(|(_, schema)| schema).collect();
        match (patterns.as_slice(), self.is_open(keywords, has_properties)) {
            ([], false) => None,
            ([], true) => Some(others.cloned().unwrap_or(Value::Bool(true))),
            ([only], false) => Some((*only).clone()),
            (several, false) => Some(json!({"anyOf": several})),
            (several, true) => match others {
                Some(Value::Object(others)) if !others.is_empty() => {
                    let others = Value::Object(others.clone());
                    Some(json!({"anyOf": several.iter().copied().chain([&others]).collect::<Vec<_>>()}))
                }
                _ => Some(Value::Bool(true)),
            },
        }
    }

    /// Whether it is published as one that takes keys which are not told of.
    fn is_open(&self, keywords: &Map<String, Value>, has_properties: bool) -> bool {
        match others(keywords) {
            Some(Value::Bool(false)) => false,
            // A habit of generators, beside a list of properties.
            Some(Value::Bool(true)) => !has_properties || self.is_derived,
            Some(_) => true,
            None => !has_properties && patterns(keywords).next().is_none(),
        }
    }

    /// The pattern that all keys which are not declared match, where there is one.
    fn only_pattern<'k>(&self, keywords: &'k Map<String, Value>) -> Option<&'k str> {
        let mut all = patterns(keywords).map(|(pattern, _)| pattern.as_str());
        let has_properties = keywords.get("properties").and_then(Value::as_object).is_some_and(|own| !own.is_empty());
        all.next().filter(|_| all.next().is_none() && !self.is_open(keywords, has_properties))
    }

    pub(super) fn properties(
        &mut self,
        keywords: &Map<String, Value>,
        declared: &[(&str, &Value)],
        rest: Option<&Value>,
        at: &str,
    ) -> Result<Made, Unfit> {
        let required: Vec<&str> = keywords
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let mut properties: Vec<Property> = Vec::new();
        let mut members: Vec<Member> = Vec::new();
        let required: HashSet<&str> = required.into_iter().collect();
        let names = Names::of_keys(declared.iter().map(|(key, _)| *key), self.dialect.takes_key);
        for (key, schema) in declared {
            let place = inside(&format!("{at}/properties"), key);
            let is_required = required.contains(key);
            if **schema == Value::Bool(false) {
                if is_required {
                    return Err(Unfit::Nothing { path: place });
                }
                continue;
            }
            let own_null = takes_null(schema, &self.root);
            let is_stripped =
                self.is_derived && !is_required && own_null && self.dialect.optionals == Optionals::AbsentNotNull;
            let stripped = if is_stripped { without_null(schema) } else { None };
            if stripped.is_some() {
                self.changed(&place, "type", Became::Absent);
            }
            let made = match self.node(stripped.as_ref().unwrap_or(schema), &place) {
                // It can only be absent.
                Err(Unfit::Nothing { .. }) if !is_required => {
                    self.changed(&place, "properties", Became::LeftOut);
                    continue;
                }
                made => made?,
            };
            let sent = names.get(*key).map_or(*key, String::as_str).to_owned();
            if sent != *key {
                self.changed(&place, "properties", Became::Renamed);
            }
            let property = Property { sent, made, is_required, takes_null: own_null };
            let (property, drops_null) = self.optional(property, &place);
            members.push(Member {
                sent: property.sent.clone(),
                key: (*key).to_owned(),
                step: property.made.step,
                drops_null,
            });
            properties.push(property);
        }
        if rest.is_none() && properties.is_empty() && !self.dialect.empty_objects && !at.is_empty() {
            return Ok(self.single(keywords, &json!({}), "object", at));
        }
        if let Some((place, drops_null)) = self.requires_one(&mut properties)
            && let Some(member) = members.get_mut(place)
        {
            member.drops_null = drops_null;
            let became = if member.drops_null { Became::Nullable } else { Became::Present };
            self.changed(&inside(&format!("{at}/properties"), &member.key), "required", became);
        }
        let mut handled = HANDLED.to_vec();
        let (spread, rest_step, rest) = match (rest, self.dialect.maps) {
            (None, _) => (None, KEEP, None),
            (Some(rest), Maps::Kept) => {
                let made = self.node(rest, &format!("{at}/additionalProperties"))?;
                (None, made.step, Some(made.schema))
            }
            (Some(rest), Maps::Pairs) => {
                let (spread, property) = self.spread(keywords, rest, &properties, &mut handled, at)?;
                properties.push(property);
                (Some(spread), KEEP, None)
            }
        };
        if rest.is_none() && spread.is_none() {
            self.closes(keywords, at);
        }
        members.sort_by(|one, other| one.sent.cmp(&other.sent));
        let mut body = self.closed(properties);
        if let Some(rest) = rest {
            body.insert("additionalProperties".into(), rest.into());
        }
        let step = self.push(Step::Object { members, rest: rest_step, spread });
        Ok(self.remarked(keywords, Form { body, step, handled: &handled, about: &[], of_type: "object" }, at))
    }

    /// An optional property in the dialect's way, and whether `null` stands for absence then.
    pub(super) fn optional(&mut self, mut property: Property, at: &str) -> (Property, bool) {
        if property.is_required || self.dialect.optionals != Optionals::Null {
            return (property, false);
        }
        property.is_required = true;
        // JSON text has a `null` of its own.
        if property.takes_null && self.publishes_null(&property.made.schema) {
            if !self.is_derived {
                self.changed(at, "required", Became::Present);
            }
            return (property, false);
        }
        self.changed(at, "required", Became::Nullable);
        property.made = self.nullable(property.made);
        (property, true)
    }

    /// Requires one property where the dialect asks for one and there is none: the place of it, and whether `null` stands for
    /// its absence then.
    pub(super) fn requires_one(&self, properties: &mut [Property]) -> Option<(usize, bool)> {
        if !self.dialect.needs_a_required || properties.iter().any(|property| property.is_required) {
            return None;
        }
        let place = properties.iter().position(|property| !property.takes_null).or(properties.len().checked_sub(1))?;
        let asked = properties.get_mut(place)?;
        asked.is_required = true;
        let drops_null = !(asked.takes_null && self.publishes_null(&asked.made.schema));
        asked.made = self.nullable(asked.made.clone());
        Some((place, drops_null))
    }

    /// Tells that keys which are not told of cannot be sent, though they are taken.
    fn closes(&mut self, keywords: &Map<String, Value>, at: &str) {
        if others(keywords) != Some(&Value::Bool(false)) {
            self.changed(at, "additionalProperties", Became::Closed);
        }
    }

    /// An object of these properties and no others.
    pub(super) fn closed(&self, properties: Vec<Property>) -> Map<String, Value> {
        let required: Vec<Value> = properties
            .iter()
            .filter(|property| property.is_required)
            .map(|property| property.sent.clone().into())
            .collect();
        let properties: Map<String, Value> =
            properties.into_iter().map(|property| (property.sent, property.made.schema.into())).collect();
        let mut body = Map::from_iter([("type".to_owned(), Value::from("object"))]);
        body.insert("properties".into(), properties.into());
        if !required.is_empty() || self.dialect.optionals == Optionals::Null {
            body.insert("required".into(), required.into());
        }
        if self.dialect.closes {
            body.insert("additionalProperties".into(), false.into());
        }
        body
    }

    /// A map: keys that are not known beforehand.
    fn map(&mut self, keywords: &Map<String, Value>, rest: &Value, at: &str) -> Result<Made, Unfit> {
        if !self.is_open(keywords, false) {
            self.closes(keywords, at);
        }
        let takes_anything = *rest == Value::Bool(true) || rest.as_object().is_some_and(Map::is_empty);
        if self.dialect.maps == Maps::Kept || (takes_anything && self.dialect.anything == Anything::Kept) {
            let mut body = Map::from_iter([("type".to_owned(), Value::from("object"))]);
            if takes_anything {
                return Ok(self.remarked(
                    keywords,
                    Form { body, step: KEEP, handled: HANDLED, about: &[], of_type: "object" },
                    at,
                ));
            }
            let made = self.node(rest, &format!("{at}/additionalProperties"))?;
            body.insert("additionalProperties".into(), made.schema.into());
            let step = self.push(Step::Object { members: Vec::new(), rest: made.step, spread: None });
            let mut handled = HANDLED.to_vec();
            let words = self.only_pattern(keywords).map(|pattern| format!("Keys match {}.", cut(pattern)));
            if words.is_some() {
                self.changed(at, "patternProperties", Became::Described);
                handled.push("patternProperties");
            }
            let about: Vec<&str> = words.iter().map(String::as_str).collect();
            return Ok(self.remarked(
                keywords,
                Form { body, step, handled: &handled, about: &about, of_type: "object" },
                at,
            ));
        }
        if takes_anything {
            return Ok(self.text(keywords, "object", None, at));
        }
        let Listed { pairs, mut body, said } = self.listed(keywords, rest, at)?;
        let mut handled: Vec<&str> = HANDLED.iter().copied().chain(said).collect();
        for (keyword, of_list) in [("minProperties", "minItems"), ("maxProperties", "maxItems")] {
            let Some(count) = keywords.get(keyword).and_then(count) else { continue };
            if self.dialect.takes(of_list) && (keyword == "maxProperties" || count <= self.dialect.most_min_items) {
                body.insert(of_list.into(), count.into());
                handled.push(keyword);
            }
        }
        let step = self.push(Step::Pairs(pairs));
        Ok(self.remarked(
            keywords,
            Form {
                body,
                step,
                handled: &handled,
                about: &["A list of keys and values, each key once."],
                of_type: "object",
            },
            at,
        ))
    }

    /// The list of an object's other keys, under a key of its own.
    fn spread(
        &mut self,
        keywords: &Map<String, Value>,
        rest: &Value,
        known: &[Property],
        handled: &mut Vec<&str>,
        at: &str,
    ) -> Result<((String, Pairs), Property), Unfit> {
        let Listed { pairs, mut body, said } = self.listed(keywords, rest, at)?;
        body.insert("description".into(), "Other keys and their values, each key once.".into());
        let mut sent = OTHER_KEYS.to_owned();
        while known.iter().any(|property| property.sent == sent)
            || declared(keywords).iter().any(|(key, _)| *key == sent)
        {
            sent.push('_');
        }
        let property = Property { sent: sent.clone(), made: Made::kept(body), is_required: true, takes_null: true };
        // What is said of all names holds of the declared ones too.
        handled.extend(said.into_iter().filter(|keyword| *keyword == "patternProperties"));
        Ok(((sent, pairs), property))
    }

    /// What stands for keys that are not declared.
    fn listed(&mut self, keywords: &Map<String, Value>, rest: &Value, at: &str) -> Result<Listed, Unfit> {
        self.changed(at, "additionalProperties", Became::Pairs);
        let mut key = Map::from_iter([("type".to_owned(), Value::from("string"))]);
        let mut said = Vec::new();
        if let Some(Value::Object(names)) = keywords.get("propertyNames")
            && let Ok(merged) = merge(&key, names, &self.root)
        {
            key = merged;
            said.push("propertyNames");
        }
        if let Some(pattern) = self.only_pattern(keywords).filter(|_| !key.contains_key("pattern")) {
            key.insert("pattern".into(), pattern.into());
            said.push("patternProperties");
        }
        let key = self.node(&key.into(), &format!("{at}/propertyNames"))?;
        let value = self.node(rest, &format!("{at}/additionalProperties"))?;
        let pairs = Pairs { key: key.step, value: value.step };
        Ok(Listed { pairs, body: self.pairs(key, value), said })
    }

    /// The one value of its kind, empty as it is, as the text that stands for it.
    pub(super) fn single(&mut self, keywords: &Map<String, Value>, only: &Value, of_type: &str, at: &str) -> Made {
        self.changed(at, "type", Became::Strings);
        let step = self.push(Step::Options(vec![(only.to_string(), only.clone())]));
        let body =
            Map::from_iter([("type".to_owned(), "string".into()), ("enum".to_owned(), json!([only.to_string()]))]);
        let handled: Vec<&str> = keywords.keys().map(String::as_str).filter(|key| !REMARKS.contains(key)).collect();
        self.remarked(keywords, Form { body, step, handled: &handled, about: &[], of_type }, at)
    }
}

/// What keys that are not declared hold.
fn others(keywords: &Map<String, Value>) -> Option<&Value> {
    keywords.get("additionalProperties").or_else(|| keywords.get("unevaluatedProperties"))
}

fn patterns(keywords: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    keywords.get("patternProperties").and_then(Value::as_object).into_iter().flatten()
}

/// The properties, those that are only required included.
pub(super) fn declared(keywords: &Map<String, Value>) -> Vec<(&str, &Value)> {
    const ANY: &Value = &Value::Bool(true);
    let properties = keywords.get("properties").and_then(Value::as_object).into_iter().flatten();
    let mut all: Vec<(&str, &Value)> = properties.map(|(key, schema)| (key.as_str(), schema)).collect();
    // A pattern may be what takes it.
    let has_patterns = patterns(keywords).next().is_some();
    let rest = keywords.get("additionalProperties").filter(|_| !has_patterns).unwrap_or(ANY);
    let required = keywords.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let mut known: HashSet<&str> = all.iter().map(|(key, _)| *key).collect();
    all.extend(required.filter(|key| known.insert(key)).map(|key| (key, rest)));
    // Beside others, what only a condition declares: it could not be sent else.
    if !all.is_empty() && rest != &Value::Bool(false) {
        all.extend(conditional(keywords).filter(|(key, _)| known.insert(key)));
    }
    all
}

/// The properties of what holds under a condition.
fn conditional(keywords: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> {
    let dependent = keywords.get("dependentSchemas").and_then(Value::as_object).into_iter().flat_map(Map::values);
    let parts = ["then", "else"].into_iter().filter_map(|keyword| keywords.get(keyword)).chain(dependent);
    let properties = parts.filter_map(|part| part.get("properties")?.as_object()).flatten();
    properties.map(|(key, schema)| (key.as_str(), schema))
}

/// The same schema, `null` no longer taken; none where that is not to be said in a few words.
fn without_null(schema: &Value) -> Option<Value> {
    let mut keywords = schema.as_object()?.clone();
    match keywords.get("type") {
        Some(Value::Array(names)) => {
            let others: Vec<Value> = names.iter().filter(|name| **name != "null").cloned().collect();
            let named = if let [only] = others.as_slice() { only.clone() } else { others.clone().into() };
            if others.is_empty() {
                return None;
            }
            keywords.insert("type".into(), named);
            if let Some(Value::Array(options)) = keywords.get_mut("enum") {
                options.retain(|option| !option.is_null());
            }
        }
        Some(_) => return None,
        None => {
            let union = ["anyOf", "oneOf"].into_iter().find(|keyword| keywords.contains_key(*keyword))?;
            let is_null = |branch: &&Value| branch.get("type").is_some_and(|name| name == "null");
            let branches = keywords.get(union)?.as_array()?;
            let others: Vec<Value> = branches.iter().filter(|branch| !is_null(branch)).cloned().collect();
            if others.len() == branches.len() || others.is_empty() {
                return None;
            }
            match others.as_slice() {
                [Value::Object(only)] => {
                    keywords.shift_remove(union);
                    say_of_both(&mut keywords, only.get("description"));
                    for (key, value) in only {
                        keywords.entry(key.clone()).or_insert_with(|| value.clone());
                    }
                }
                _ => drop(keywords.insert(union.into(), others.into())),
            }
        }
    }
    Some(keywords.into())
}
