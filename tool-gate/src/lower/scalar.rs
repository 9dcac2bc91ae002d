//! Schemas of single values: their bounds, and lists of them.

use std::collections::HashSet;

use serde_json::{Map, Number, Value, json};

use super::{
    Lowering,
    change::{Became, Unfit},
    dialect::{Types, Values},
    finish::Form,
    merge::REMARKS,
    node::{Made, is_about, types, unsound},
    raise::{KEEP, Step},
};

impl Lowering<'_> {
    /// Strings, numbers and booleans, of one or several types.
    pub(super) fn scalar(&mut self, keywords: &Map<String, Value>, types: &[&str], at: &str) -> Made {
        let mut body = Map::new();
        let listed = match types {
            [only] => (*only).into(),
            several => json!(several),
        };
        body.insert("type".into(), listed);
        let mut handled = vec!["type"];
        let is_integer = types.iter().all(|name| matches!(*name, "integer" | "null"));
        for (keyword, clause) in keywords {
            let name = keyword.as_str();
            let is_of = types.iter().any(|of| is_about(name, of));
            let is_clause = name != "default" && name != "title" && name != "description" && name != "type";
            if !is_of {
                handled.push(name);
            } else if is_clause && self.dialect.takes(name) && self.takes_clause(name, clause, types) {
                body.insert(keyword.clone(), clause.clone());
                handled.push(name);
            } else if let Some((inclusive, limit)) = inclusive(name, clause).filter(|_| is_integer)
                && self.dialect.takes(inclusive)
                && !keywords.contains_key(inclusive)
            {
                body.insert(inclusive.into(), limit.into());
                handled.push(name);
                self.changed(at, name, Became::Inclusive);
            }
        }
        self.remarked(keywords, Form { body, step: KEEP, handled: &handled, about: &[], of_type: "" }, at)
    }

    fn takes_clause(&self, keyword: &str, clause: &Value, types: &[&str]) -> bool {
        match (keyword, clause) {
            ("format", Value::String(format)) => {
                types.contains(&"string") && self.dialect.formats.is_none_or(|taken| taken.contains(&format.as_str()))
            }
            ("pattern", Value::String(pattern)) => (self.dialect.takes_pattern)(pattern),
            _ => true,
        }
    }

    /// Values that are listed.
    pub(super) fn values(&mut self, keywords: &Map<String, Value>, at: &str) -> Result<Made, Unfit> {
        let options: Vec<&Value> = match (keywords.get("const"), keywords.get("enum")) {
            (Some(only), _) => vec![only],
            (None, Some(Value::Array(options))) => options.iter().collect(),
            _ => return Err(unsound(at, "enum")),
        };
        let named = keywords.get("type").and_then(|_| types(keywords));
        let fits = |option: &&Value| named.as_ref().is_none_or(|names| names.iter().any(|name| is_a(option, name)));
        let options: Vec<&Value> = options.into_iter().filter(fits).collect();
        let takes_null = options.iter().any(|option| option.is_null());
        let others: Vec<&Value> = options.iter().copied().filter(|option| !option.is_null()).collect();
        let keyword = if keywords.contains_key("const") { "const" } else { "enum" };
        if others.is_empty() {
            let null = Map::from_iter([("type".to_owned(), "null".into())]);
            return if takes_null { self.node(&null.into(), at) } else { Err(Unfit::Nothing { path: at.to_owned() }) };
        }
        // What an option rules out by itself needs no words.
        let handled: Vec<&str> = keywords.keys().map(String::as_str).filter(|key| !REMARKS.contains(key)).collect();
        let mut body = Map::new();
        let mut kinds: Vec<&str> = Vec::new();
        for option in &others {
            let kind = kind(option, keywords);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let is_flat = !kinds.iter().any(|kind| matches!(*kind, "object" | "array"));
        let is_sent = match self.dialect.values {
            Values::Scalars => is_flat && (kinds.len() == 1 || self.dialect.types == Types::Listed),
            Values::Numbers => {
                let is_taken = kinds.iter().all(|kind| matches!(*kind, "string" | "integer" | "number"));
                is_taken && (kinds.len() == 1 || self.dialect.types == Types::Listed)
            }
            Values::Strings => kinds == ["string"],
        };
        let step = if is_sent {
            body.insert("type".into(), if let [only] = kinds.as_slice() { (*only).into() } else { json!(kinds) });
            if let ([only], "const", true) = (others.as_slice(), keyword, self.dialect.takes("const")) {
                body.insert("const".into(), (*only).clone());
            } else {
                if keyword == "const" {
                    self.changed(at, "const", Became::OneValue);
                }
                body.insert("enum".into(), others.iter().copied().cloned().collect());
            }
            self.capitals(&others)
        } else {
            let labels = labels(&others);
            self.changed(at, keyword, Became::Strings);
            body.insert("type".into(), "string".into());
            body.insert("enum".into(), labels.iter().cloned().collect());
            self.push(Step::Options(labels.into_iter().zip(others.into_iter().cloned()).collect()))
        };
        let made = self.remarked(keywords, Form { body, step, handled: &handled, about: &[], of_type: "" }, at);
        Ok(if takes_null { self.nullable(made) } else { made })
    }

    /// What undoes other capitals than were asked for, where no two options differ by them alone.
    fn capitals(&mut self, options: &[&Value]) -> usize {
        if !self.dialect.capitals_drift {
            return KEEP;
        }
        let texts: Vec<&str> = options.iter().filter_map(|option| option.as_str()).collect();
        let mut folded: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
        folded.sort_unstable();
        let count = folded.len();
        folded.dedup();
        let may_drift = texts.iter().any(|text| text.chars().any(char::is_alphabetic));
        if folded.len() < count || !may_drift {
            return KEEP;
        }
        self.push(Step::Capitals(texts.into_iter().map(str::to_owned).collect()))
    }
}

/// A bound of integers that is no longer exclusive.
fn inclusive(keyword: &str, clause: &Value) -> Option<(&'static str, Number)> {
    match keyword {
        "exclusiveMinimum" => clause.as_i64()?.checked_add(1).map(|limit| ("minimum", limit.into())),
        "exclusiveMaximum" => clause.as_i64()?.checked_sub(1).map(|limit| ("maximum", limit.into())),
        _ => None,
    }
}

/// The type to publish for an option: the one that is named, where it is a number's.
fn kind(option: &Value, keywords: &Map<String, Value>) -> &'static str {
    match option {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) => {
            let is_integer = number.is_i64() || number.is_u64();
            if is_integer && keywords.get("type").is_none_or(|name| name != "number") { "integer" } else { "number" }
        }
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn is_a(option: &Value, name: &str) -> bool {
    match (option, name) {
        (Value::Number(_), "number") => true,
        (Value::Number(number), "integer") => number.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => kind(option, &Map::new()) == name,
    }
}

/// A text for each option, no two the same.
fn labels(options: &[&Value]) -> Vec<String> {
    let plain = |option: &&Value| option.as_str().map_or_else(|| option.to_string(), str::to_owned);
    let labels: Vec<String> = options.iter().map(plain).collect();
    let is_clear = labels.iter().collect::<HashSet<_>>().len() == labels.len();
    if is_clear { labels } else { options.iter().map(ToString::to_string).collect() }
}
