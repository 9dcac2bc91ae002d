//! `TYPES.md`: what is published for each type, what is taken and bound, and what is refused.

use std::fmt::Write as _;

use serde_json::Value;
use tool_gate::Gate;

use crate::{
    bound, check, offer,
    rows::{Row, rows},
};

/// The page as it is now.
pub(crate) fn page() -> String {
    let mut page = include_str!("page.md").to_owned();
    let mut group = "";
    for row in rows() {
        let sound = !row.tool.starts_with("bad_");
        if row.group != group {
            group = row.group;
            let _ = write!(page, "\n## {group}\n\n");
            page.push_str(if sound {
                "| type | published | taken, and what is bound | refused | |\n| --- | --- | --- | --- | --- |\n"
            } else {
                "| type | what the registry says |\n| --- | --- |\n"
            });
        }
        page.push_str(&if sound { line(&row) } else { problem(&row) });
    }
    page
}

fn line(row: &Row) -> String {
    let Some(offer) = offer(row) else { return String::new() };
    let definition = offer.definitions().next().expect("one tool");
    let published = published(definition.input_schema());
    let taken =
        row.takes.iter().map(|value| format!("{} → {}", code(value), code(&cut(&bound(row, &offer, value), 90))));
    let refused =
        row.refuses.iter().map(|value| match check(row, &offer, value).err().map(|rejection| rejection.gate()) {
            Some(Gate::Schema) => code(value),
            Some(gate) => format!("{} ({})", code(value), format!("{gate:?}").to_lowercase()),
            None => String::new(),
        });
    let (taken, refused): (Vec<_>, Vec<_>) = (taken.collect(), refused.collect());
    let cells = [code(row.label), code(&published), taken.join("<br>"), refused.join(", "), row.remark.to_owned()];
    format!("| {} |\n", cells.join(" | "))
}

fn problem(row: &Row) -> String {
    let Err(error) = (row.build)() else { return String::new() };
    let problems: Vec<String> =
        error.problems().iter().map(|problem| problem.to_string().replace('|', "\\|")).collect();
    format!("| {} | {} |\n", code(row.label), problems.join("<br>"))
}

/// The schema of the one argument, its outermost reference followed and what is long cut.
fn published(schema: &Value) -> String {
    let argument = &schema["properties"]["value"];
    let reference = argument["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    let mut shown = reference.and_then(|pointer| schema.pointer(pointer)).unwrap_or(argument).clone();
    shorten(&mut shown);
    cut(&shown.to_string(), 220)
}

fn shorten(schema: &mut Value) {
    match schema {
        Value::String(text) => *text = cut(text, 40),
        Value::Array(elements) => elements.iter_mut().for_each(shorten),
        Value::Object(members) => members.values_mut().for_each(shorten),
        _ => {}
    }
}

fn cut(text: &str, most: usize) -> String {
    text.char_indices().nth(most).map_or_else(|| text.to_owned(), |(at, _)| format!("{}…", &text[..at]))
}

/// As code in a table.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}
