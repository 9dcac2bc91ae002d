//! A registry as people read it: a table of its tools, and their schemas where someone asks for them.

use std::{env, fmt::Write as _};

use serde_json::Value;

use crate::{compiled::Compiled, schema::resolve, text::excerpt};

/// The environment variable that asks for schemas: names with commas between them, or `all`.
const ASKS: &str = "TOOL_GATE_PRINT";

/// The most characters of a name or a default: a schema may come from anyone, and a terminal shows what it is given.
const WIDEST: usize = 64;

/// The most alternatives that are shown of a tool's arguments.
const ALTERNATIVES: usize = 8;

/// One line a tool, the columns as wide as what they hold.
pub(crate) fn table(tools: &[Compiled]) -> String {
    let header = ["tool", "arguments", "effects", "requires", "declared as"].map(str::to_owned);
    let rows: Vec<[String; 5]> = [header].into_iter().chain(tools.iter().map(row)).collect();
    let widths: Vec<usize> =
        (0..5).map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)).collect();
    let mut table = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            // Writing to a `String` cannot fail.
            let _ = write!(line, "{cell:width$}  ");
        }
        table.push_str(line.trim_end());
        table.push('\n');
    }
    table
}

fn row(tool: &Compiled) -> [String; 5] {
    let definition = &tool.definition;
    let effects: Vec<&str> = definition.effects().names().collect();
    [
        definition.name().to_owned(),
        arguments(definition.input_schema()),
        effects.join(", "),
        excerpt(definition.requires().unwrap_or_default(), WIDEST),
        tool.path.unwrap_or("a dynamic tool").to_owned(),
    ]
}

/// The arguments in the order of the signature: `name`, `name?` where it may be left out, `name = default`. Where there are
/// alternatives, those of each, with a bar between them.
fn arguments(schema: &Value) -> String {
    let own = declared(schema).join(", ");
    let unions = ["anyOf", "oneOf"].into_iter().filter_map(|keyword| schema[keyword].as_array());
    let branches = unions.flatten().map(|branch| {
        let referred = branch["$ref"].as_str().and_then(|reference| resolve(schema, reference));
        declared(referred.unwrap_or(branch)).join(", ")
    });
    let alternatives: Vec<String> = branches.filter(|branch| !branch.is_empty()).take(ALTERNATIVES).collect();
    let parts = [own, alternatives.join(" | ")];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

fn declared(part: &Value) -> Vec<String> {
    let required: Vec<&Value> = part["required"].as_array().into_iter().flatten().collect();
    let properties = part["properties"].as_object().into_iter().flatten();
    properties
        .map(|(key, property)| {
            let name = excerpt(key, WIDEST);
            match property.get("default") {
                Some(default) => format!("{name} = {}", excerpt(&default.to_string(), WIDEST)),
                None if required.iter().any(|required| *required == key) => name,
                None => format!("{name}?"),
            }
        })
        .collect()
}

/// Prints the definitions that the environment asks for, for whoever wonders what is published.
pub(crate) fn print_asked_for(tools: &[Compiled]) {
    let Ok(asked) = env::var(ASKS) else { return };
    let asked: Vec<&str> = asked.split(',').map(str::trim).collect();
    for tool in tools.iter().filter(|tool| asked.contains(&"all") || asked.contains(&tool.definition.name())) {
        print(tool);
    }
}

#[allow(clippy::print_stderr, reason = "someone asked for it")]
fn print(tool: &Compiled) {
    let definition = &tool.definition;
    eprintln!("// {}: {}", definition.name(), definition.description());
    eprintln!("{:#}", definition.input_schema());
    if let Some(output) = definition.output_schema() {
        eprintln!("// {} answers:\n{output:#}", definition.name());
    }
}
