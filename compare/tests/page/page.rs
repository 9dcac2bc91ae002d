//! The page: prose from `page.md`, and what was run in the places that it names.

use std::fmt::Write as _;

use serde_json::Value;

use crate::{
    Became, by_hand,
    calls::{self, Made, WAYS},
    closed, rig, rmcp, tool_gate,
};

/// At the end: what comes first is the page's summary in the documentation.
const MARK: &str = "\n<!-- Written by a test: see CONTRIBUTING.md. The prose is in compare/tests/page/page.md. -->\n";

pub(crate) fn page() -> String {
    let made = calls::all();
    let parts = [
        ("tool-gate", tool_gate_listing()),
        ("rmcp", listing(include_str!("rmcp.rs"))),
        ("rig", listing(include_str!("rig.rs"))),
        ("by hand", listing(include_str!("by_hand.rs"))),
        ("checked", listing(include_str!("by_hand/checked.rs"))),
        ("schema of tool-gate", schema(&tool_gate::published())),
        ("schema of schemars", schema(&of_schemars())),
        ("table", table(&made)),
        ("texts", texts(&made)),
    ];
    let page = parts.iter().fold(include_str!("page.md").to_owned(), |page, (place, text)| {
        let place = format!("{{{{{place}}}}}");
        assert!(page.contains(&place), "page.md has no {place}");
        page.replace(&place, text.trim_end())
    });
    page + MARK
}

/// What stands between the marks.
fn listing(file: &str) -> String {
    let (_, rest) = file.split_once("// listing\n").expect("it is marked");
    rest.split_once("// end").expect("it is marked").0.to_owned()
}

/// With what all of them share: the one listing that readers, and the compiler, see as a whole.
fn tool_gate_listing() -> String {
    let both = listing(include_str!("tool_gate.rs")) + "\n" + &listing(include_str!("shop.rs"));
    let (imports, rest): (Vec<&str>, Vec<&str>) = both.lines().partition(|line| line.starts_with("use "));
    let mut imports: Vec<&str> = imports.into_iter().filter(|line| !line.starts_with("use crate::")).collect();
    imports.sort_unstable();
    imports.join("\n") + "\n" + &rest.join("\n").replace("\n\n\n", "\n\n")
}

/// The one schema of the three that take it from schemars.
fn of_schemars() -> Value {
    let plain = |mut schema: Value| {
        let members = schema.as_object_mut().expect("an object");
        members.remove("$schema");
        members.remove("title");
        schema
    };
    let [one, two, three] = [rmcp::published(), rig::published(), by_hand::published()].map(plain);
    assert!(one == two && two == three, "the page says that they are the same");
    let mut closed = plain(described_by_nothing(closed::published()));
    assert_eq!(
        closed.as_object_mut().and_then(|members| members.remove("additionalProperties")),
        Some(Value::Bool(false))
    );
    assert_eq!(closed, described_by_nothing(one.clone()), "the page says that this closes it, and no more");
    one
}

/// A schema without descriptions, one line a property.
fn schema(schema: &Value) -> String {
    let mut lines = vec!["{".to_owned()];
    for key in ["type", "properties", "required", "additionalProperties", "$defs"] {
        match (&schema[key], key) {
            (Value::Null, _) => {}
            (Value::Object(members), _) => {
                lines.push(format!("  \"{key}\": {{"));
                lines.extend(members.iter().map(|(name, member)| format!("    \"{name}\": {},", inline(member))));
                end(&mut lines);
                lines.push("  },".to_owned());
            }
            (value, _) => lines.push(format!("  \"{key}\": {},", inline(value))),
        }
    }
    end(&mut lines);
    lines.push("}".to_owned());
    let text = lines.join("\n");
    let shown: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(shown, described_by_nothing(schema.clone()), "nothing else is left out");
    text
}

fn end(lines: &mut [String]) {
    lines.last_mut().map(String::pop);
}

fn inline(value: &Value) -> String {
    const ORDER: [&str; 7] = ["type", "format", "minimum", "maximum", "default", "enum", "anyOf"];
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().filter(|(key, _)| *key != "description").collect();
            members.sort_by_key(|(key, _)| ORDER.iter().position(|other| other == key));
            let members: Vec<String> =
                members.iter().map(|(key, value)| format!("\"{key}\": {}", inline(value))).collect();
            format!("{{{}}}", members.join(", "))
        }
        Value::Array(elements) => format!("[{}]", elements.iter().map(inline).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn described_by_nothing(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(members) => {
            members.remove("description");
            for member in members.values_mut() {
                *member = described_by_nothing(member.take());
            }
        }
        Value::Array(elements) => {
            for element in elements {
                *element = described_by_nothing(element.take());
            }
        }
        _ => {}
    }
    schema
}

fn table(made: &[Made]) -> String {
    let mut table = format!("| | {} |\n|{}\n", WAYS.map(|(name, _)| name).join(" | "), " --- |".repeat(WAYS.len() + 1));
    for Made { what, became, .. } in made {
        let cells: Vec<String> = became.iter().map(cell).collect();
        writeln!(table, "| {what} | {} |", cells.join(" | ")).expect("a String takes it");
    }
    table
}

fn cell(became: &Became) -> String {
    match became {
        Became::Ran(answer) => {
            let (_, limit) = answer.rsplit_once(", ").expect("an answer of the tool");
            format!("ran with {limit}")
        }
        Became::Refused(_) => "refused".to_owned(),
        Became::Host(_) => "host's error".to_owned(),
        Became::Failed(_) => "failed".to_owned(),
        Became::Unsent(_) => "not sent".to_owned(),
        Became::Lost(_) => "no answer".to_owned(),
    }
}

fn texts(made: &[Made]) -> String {
    let mut texts = String::new();
    for Made { what, name, arguments, became } in made {
        if became.iter().all(|became| matches!(became, Became::Ran(_))) {
            continue;
        }
        writeln!(texts, "{}: `{name}` with `{arguments}`\n\n```text", capital(what)).expect("a String takes it");
        for ((way, _), became) in WAYS.iter().zip(became) {
            let line = match became {
                Became::Ran(_) => continue,
                Became::Refused(text) | Became::Failed(text) => text.clone(),
                Became::Host(text) | Became::Unsent(text) | Became::Lost(text) => format!("({text})"),
            };
            writeln!(texts, "{way:<19}{line}").expect("a String takes it");
        }
        texts.push_str("```\n\n");
    }
    texts
}

fn capital(text: &str) -> String {
    text[..1].to_uppercase() + &text[1..]
}
