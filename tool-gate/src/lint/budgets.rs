//! What providers count: over the tools of a request, and in one schema.

use std::collections::HashMap;

use serde_json::Value;

use super::{
    Finding,
    providers::{
        Budget, CHARACTERS, ENUM_CHARACTERS, ENUM_VALUES, GEMINI_TOOLS, LEVELS, LONG_ENUM, OPENAI_TOOLS, PROPERTIES,
        STRICT_OPTIONALS, STRICT_TOOLS, STRICT_UNIONS,
    },
    surface::{MAX_DEPTH, Node, Surface, list, options, properties, types},
};

/// What is counted over all tools.
pub(super) fn of_a_request(surfaces: &[Surface<'_>], found: &mut Vec<Finding>) {
    let over_all = |count: fn(&Node<'_>) -> usize| -> usize {
        surfaces.iter().flat_map(|surface| &surface.nodes).map(count).sum()
    };
    let tools = surfaces.len();
    for (budget, count, mend) in [
        (&OPENAI_TOOLS, tools, "offer fewer at once"),
        (&GEMINI_TOOLS, tools, "offer fewer at once"),
        (&STRICT_TOOLS, tools, "choose which are strict, or offer fewer at once"),
        (&STRICT_OPTIONALS, over_all(optionals), "choose which tools are strict, or make arguments required"),
        (&STRICT_UNIONS, over_all(unions), "choose which tools are strict, or leave `null` to absence"),
    ] {
        spend(budget, budget.place, count, mend, found);
    }
}

/// What is counted in one schema.
pub(super) fn of_a_schema(surface: &Surface<'_>, found: &mut Vec<Finding>) {
    let mut total = Totals::default();
    for node in &surface.nodes {
        for (key, _) in node.keywords().into_iter().flat_map(properties) {
            total.properties += 1;
            total.characters += key.chars().count();
        }
        let values = options(node.schema).unwrap_or_default();
        let texts: usize = values.iter().filter_map(|value| value.as_str()).map(|text| text.chars().count()).sum();
        total.characters += texts;
        total.values += if node.schema.get("enum").is_some() { values.len() } else { 0 };
        if values.len() > LONG_ENUM {
            spend(&ENUM_CHARACTERS, &node.place, texts, "take a string, and refuse what is not among them", found);
        }
    }
    for keyword in ["$defs", "definitions"] {
        let names = surface.tool.input_schema().get(keyword).and_then(Value::as_object);
        total.characters +=
            names.into_iter().flat_map(|names| names.keys()).map(|name| name.chars().count()).sum::<usize>();
    }
    let levels = Levels { surface, known: HashMap::new() }.of(surface.tool.input_schema(), MAX_DEPTH);
    for (budget, count) in [
        (&PROPERTIES, total.properties),
        (&LEVELS, levels),
        (&ENUM_VALUES, total.values),
        (&CHARACTERS, total.characters),
    ] {
        spend(budget, surface.name(), count, "split the tool, or take fewer arguments", found);
    }
}

#[derive(Default)]
struct Totals {
    properties: usize,
    values: usize,
    characters: usize,
}

/// Says so where four fifths are spent.
fn spend(budget: &Budget, place: &str, count: usize, mend: &str, found: &mut Vec<Finding>) {
    let Budget { by, of, most, code, .. } = budget;
    if count * 5 >= most * 4 {
        let spent = format!("asks for {count} of the {most} {of} that {} takes", by.name());
        found.push(Finding::new(*code, place, spent, mend));
    }
}

fn optionals(node: &Node<'_>) -> usize {
    let Some(keywords) = node.keywords() else { return 0 };
    let required = list(keywords, "required");
    properties(keywords).filter(|(key, _)| !required.iter().any(|required| required == key)).count()
}

fn unions(node: &Node<'_>) -> usize {
    let is_union = types(node.schema).len() > 1
        || node.keywords().is_some_and(|keywords| ["anyOf", "oneOf"].iter().any(|union| keywords.contains_key(*union)));
    usize::from(is_union)
}

/// How deep objects nest, references followed: one that leads back adds no level.
struct Levels<'s, 't> {
    surface: &'s Surface<'t>,
    known: HashMap<*const Value, usize>,
}

impl Levels<'_, '_> {
    fn of(&mut self, schema: &Value, most: usize) -> usize {
        if let Some(known) = self.known.get(&std::ptr::from_ref(schema)) {
            return *known;
        }
        let Some(keywords) = schema.as_object().filter(|_| most > 0) else { return 0 };
        // Until it is measured: where it is met inside itself.
        self.known.insert(schema, 0);
        let lists = ["anyOf", "oneOf", "allOf", "prefixItems"].into_iter().flat_map(|keyword| list(keywords, keyword));
        let inside = ["items", "additionalProperties"].into_iter().filter_map(|keyword| keywords.get(keyword));
        let parts = lists.chain(inside).chain(properties(keywords).map(|(_, schema)| schema));
        let parts: Vec<&Value> = parts.chain(self.surface.referred(keywords)).collect();
        let deepest = parts.into_iter().map(|part| self.of(part, most - 1)).max().unwrap_or(0);
        let levels = deepest + usize::from(keywords.contains_key("properties"));
        self.known.insert(schema, levels);
        levels
    }
}
