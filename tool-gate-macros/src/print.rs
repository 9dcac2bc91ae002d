//! The expansion, shown to whoever asks for it.

use std::{env, fmt::Write as _};

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// The environment variable that asks: names with commas between them, or `all`.
const ASKS: &str = "TOOL_GATE_PRINT";

/// Prints what the declaration of a tool expands to, where the environment asks for that tool.
#[allow(clippy::print_stderr, reason = "someone asked for it")]
pub(crate) fn if_asked_for(tool: &str, expansion: &TokenStream) {
    let Ok(asked) = env::var(ASKS) else { return };
    if asked.split(',').map(str::trim).any(|name| name == "all" || name == tool) {
        eprintln!("// `{tool}` expands to:\n{}", lines(expansion));
    }
}

/// Tokens on lines that end where statements and blocks do.
fn lines(tokens: &TokenStream) -> String {
    let mut text = String::new();
    write(tokens.clone(), 0, &mut text);
    text
}

fn write(tokens: TokenStream, depth: usize, text: &mut String) {
    // What stands between the last token and the next one.
    let mut gap = "";
    for token in tokens {
        let hugs = matches!(&token, TokenTree::Punct(punct) if ",;.?:".contains(punct.as_char()));
        if !hugs {
            text.push_str(gap);
        }
        if text.ends_with('\n') {
            text.push_str(&"    ".repeat(depth));
        }
        gap = match token {
            TokenTree::Group(group) => {
                let is_block = group.delimiter() == Delimiter::Brace && !group.stream().is_empty();
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace if is_block => ("{\n", "}"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                write(group.stream(), if is_block { depth + 1 } else { depth }, text);
                if is_block {
                    if !text.ends_with('\n') {
                        text.push('\n');
                    }
                    text.push_str(&"    ".repeat(depth));
                }
                text.push_str(close);
                if is_block || close == "]" { "\n" } else { " " }
            }
            TokenTree::Punct(punct) => {
                text.push(punct.as_char());
                match punct.as_char() {
                    ';' => "\n",
                    '.' | '&' | ':' | '<' | '?' | '\'' | '!' | '#' => "",
                    _ if punct.spacing() == Spacing::Joint => "",
                    _ => " ",
                }
            }
            token => {
                // Writing to a `String` cannot fail.
                let _ = write!(text, "{token}");
                " "
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn statements_have_lines_and_no_token_changes() {
        let tokens = quote! {
            #[allow(dead_code)]
            impl<'a, T: ?Sized> Tool<T> for search<'a> {
                fn bind(a: &'a mut u8) -> Result<u8, E> {
                    let b = a.range(1..=100).default(|| -0.5)?;
                    move |state| { { 1 } }
                }
            }
        };
        let lines = lines(&tokens);
        let tight = |tokens: &TokenStream| tokens.to_string().replace(char::is_whitespace, "");
        assert_eq!(tight(&lines.parse().unwrap()), tight(&tokens));
        assert!(lines.contains("\n        let b = a.range (1..= 100).default (|| - 0.5)?;\n"), "{lines}");
    }
}
