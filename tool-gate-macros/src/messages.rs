//! Every message is on the list that `MESSAGES.md` keeps: one voice is one that can be read in one go.

use std::{fs, path::Path};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{Lit, parse_str};

/// The files that tell mistakes.
const FILES: &[&str] =
    &["attr.rs", "fallback.rs", "methods.rs", "provides.rs", "signature.rs", "validate.rs", "validate/argument.rs"];

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
}

/// With everything in backticks left out: those are names, and examples.
fn blanked(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.split('`').enumerate().map(|(index, part)| if index % 2 == 0 { part } else { "`" }).collect()
}

/// The text literals of the code, and not of its attributes.
fn literals(tokens: TokenStream, found: &mut Vec<String>) {
    let mut is_attribute = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) if !(is_attribute && group.delimiter() == Delimiter::Bracket) => {
                literals(group.stream(), found);
            }
            TokenTree::Literal(literal) => {
                if let Ok(Lit::Str(text)) = parse_str(&literal.to_string()) {
                    found.push(text.value());
                }
            }
            TokenTree::Punct(punct) => {
                is_attribute = punct.as_char() == '#' || (is_attribute && punct.as_char() == '!');
                continue;
            }
            _ => {}
        }
        is_attribute = false;
    }
}

#[test]
fn every_message_is_on_the_list() {
    let list = blanked(&read("MESSAGES.md"));
    let mut checked = 0;
    for file in FILES {
        let source = read(&format!("src/{file}"));
        let source = source.split("#[cfg(test)]").next().unwrap();
        let mut found = Vec::new();
        literals(source.parse().unwrap(), &mut found);
        for message in found {
            // What stands in braces outside of backticks is another message's part, and looked for by itself.
            let blanked = blanked(&message);
            for part in blanked.split('{').map(|part| part.split_once('}').map_or(part, |(_, part)| part).trim()) {
                if part.contains(' ') {
                    assert!(list.contains(part), "{file}: {message:?} is not in MESSAGES.md");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 50, "the messages were not found");
}
