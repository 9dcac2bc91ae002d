//! What providers count, in the schemas that are sent.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{change::Unfit, modern::each_schema};
use crate::schema::resolve;

/// How many of something a provider takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// A word for it.
    pub key: &'static str,
    /// In words that follow a number.
    pub of: &'static str,
    pub most: usize,
    counted: Counted,
    /// Whether it is counted over all schemas of a request.
    pub is_of_request: bool,
}

#[derive(Clone, Copy, Debug)]
enum Counted {
    Tools,
    Optionals,
    Unions,
    Properties,
    Levels,
    Values,
    Characters,
    LongEnum,
}

const fn of_request(key: &'static str, of: &'static str, most: usize, counted: Counted) -> Budget {
    Budget { key, of, most, counted, is_of_request: true }
}

const fn of_schema(key: &'static str, of: &'static str, most: usize, counted: Counted) -> Budget {
    Budget { key, of, most, counted, is_of_request: false }
}

impl Budget {
    /// Source: <https://platform.claude.com/docs/en/build-with-claude/structured-outputs>, "Schema complexity limits"; recorded:
    /// "The maximum number of strict tools supported is 20", "(limit: 24)", "(limit: 16 parameters with unions)".
    pub(super) const ANTHROPIC_STRICT: &[Self] = &[
        of_request("strict_tools", "strict tools", 20, Counted::Tools),
        of_request("strict_optionals", "optional properties of strict tools", 24, Counted::Optionals),
        of_request("strict_unions", "unions of strict tools", 16, Counted::Unions),
    ];

    /// Source: <https://platform.openai.com/docs/guides/structured-outputs>, "Supported schemas".
    pub(super) const OPENAI_STRICT: &[Self] = &[
        of_schema("properties", "properties", 5_000, Counted::Properties),
        of_schema("levels", "levels of objects", 10, Counted::Levels),
        of_schema("values", "values of enums", 1_000, Counted::Values),
        of_schema("characters", "characters of names and values", 120_000, Counted::Characters),
        of_schema("enum_characters", "characters in one enum of more than 250 values", 15_000, Counted::LongEnum),
    ];

    /// Source: `cohere-ai/cohere-developer-experience`, `structured-outputs.mdx`.
    pub(super) const COHERE_STRICT: &[Self] =
        &[of_request("strict_properties", "properties of strict tools", 200, Counted::Properties)];
}

/// What is counted so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    tools: usize,
    optionals: usize,
    unions: usize,
    properties: usize,
    levels: usize,
    values: usize,
    characters: usize,
    long_enum: usize,
}

/// More values of one `enum` than this, and their characters are counted.
const LONG_ENUM: usize = 250;

impl Spent {
    /// What one schema asks for.
    pub(crate) fn by(schema: &Value) -> Self {
        let mut spent = Self { tools: 1, ..Self::default() };
        let mut walked = schema.clone();
        each_schema(&mut walked, "", &mut |keywords, _| spent.count(keywords));
        for keyword in ["$defs", "$def"] {
            let names = schema.get(keyword).and_then(Value::as_object).into_iter().flat_map(Map::keys);
            spent.characters += names.map(|name| name.chars().count()).sum::<usize>();
        }
        spent.levels = levels(schema, schema, &mut HashMap::new(), 64);
        spent
    }

    fn count(&mut self, keywords: &Map<String, Value>) {
        let properties = keywords.get("properties").and_then(Value::as_object);
        let required = keywords.get("required").and_then(Value::as_array);
        for key in properties.into_iter().flat_map(Map::keys) {
            self.properties += 1;
            self.characters += key.chars().count();
            self.optionals += usize::from(!required.is_some_and(|required| required.iter().any(|name| name == key)));
        }
        let is_union = keywords.contains_key("anyOf") || keywords.get("type").is_some_and(Value::is_array);
        self.unions += usize::from(is_union);
        let characters = |value: &Value| value.as_str().map_or(0, |text| text.chars().count());
        if let Some(Value::Array(options)) = keywords.get("enum") {
            let of_values: usize = options.iter().map(characters).sum();
            self.values += options.len();
            self.characters += of_values;
            if options.len() > LONG_ENUM {
                self.long_enum = self.long_enum.max(of_values);
            }
        }
        self.characters += keywords.get("const").map_or(0, characters);
    }

    /// Both together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            tools: self.tools + other.tools,
            optionals: self.optionals + other.optionals,
            unions: self.unions + other.unions,
            properties: self.properties + other.properties,
            levels: self.levels.max(other.levels),
            values: self.values + other.values,
            characters: self.characters + other.characters,
            long_enum: self.long_enum.max(other.long_enum),
        }
    }

    /// What is counted of what a budget is about.
    pub(crate) fn of(&self, budget: &Budget) -> usize {
        match budget.counted {
            Counted::Tools => self.tools,
            Counted::Optionals => self.optionals,
            Counted::Unions => self.unions,
            Counted::Properties => self.properties,
            Counted::Levels => self.levels,
            Counted::Values => self.values,
            Counted::Characters => self.characters,
            Counted::LongEnum => self.long_enum,
        }
    }
}

/// The first budget that is not enough for a schema beside what is spent already.
pub(super) fn exceeded(budgets: &[Budget], one: Spent, before: Spent) -> Option<Unfit> {
    budgets.iter().find_map(|budget| {
        let count = if budget.is_of_request { before.and(one) } else { one }.of(budget);
        let Budget { of, most, .. } = *budget;
        (count > most).then(|| Unfit::Budget { of: of.to_owned(), count, most })
    })
}

/// How deep objects nest, references followed: one that leads back adds no level.
fn levels(schema: &Value, root: &Value, known: &mut HashMap<*const Value, usize>, most: usize) -> usize {
    if let Some(known) = known.get(&std::ptr::from_ref(schema)) {
        return *known;
    }
    let Some(keywords) = schema.as_object().filter(|_| most > 0) else { return 0 };
    known.insert(schema, 0);
    let listed = ["anyOf", "prefixItems"].into_iter().filter_map(|keyword| keywords.get(keyword)?.as_array()).flatten();
    let single = ["items", "additionalProperties"].into_iter().filter_map(|keyword| keywords.get(keyword));
    let named = keywords.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::values);
    let referred = keywords.get("$ref").and_then(Value::as_str).and_then(|reference| resolve(root, reference));
    let inner = listed.chain(single).chain(named).chain(referred);
    let deepest = inner.map(|schema| levels(schema, root, known, most - 1)).max().unwrap_or(0);
    let levels = deepest + usize::from(keywords.contains_key("properties"));
    known.insert(schema, levels);
    levels
}
