//! An offered name with what a chat template puts around it.

use crate::{gate, limits::Limits};

/// What providers' templates call the place of their functions.
const PREFIXES: [&str; 3] = ["functions.", "default_api.", "default_api:"];

/// The offered name inside this one. No offered name has a dot, a colon or an angle bracket, so there is at most one.
pub(super) fn inside<'o>(name: &str, offered: &'o [(String, usize)], limits: &Limits) -> Option<&'o str> {
    if name.len() > limits.name_bytes {
        return None;
    }
    let name = name.trim_matches(|c: char| c.is_ascii_whitespace());
    let name = name.split_once('<').map_or(name, |(before, _)| before);
    let name = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    let found = &offered[gate::place(name, offered, limits)?].0;
    (found == name).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_offered_name_to_the_letter_is_taken_out_of_what_is_around_it() {
        let offered = [("read".to_owned(), 0), ("read_file".to_owned(), 1)];
        let inside = |name: &str| inside(name, &offered, &Limits::default());
        for name in [
            "functions.read",
            "default_api.read",
            "default_api:read",
            "read<|channel|>commentary",
            "read</arg_value>",
            "functions.read<|channel|>commentary",
            " functions.read\n",
        ] {
            assert_eq!(inside(name), Some("read"), "{name:?}");
        }
        for name in [
            "functions.Read",
            "functions.red",
            "functions.read_files",
            "functions.functions.read",
            "functions:read",
            "functions. read",
            "Functions.read",
            "tools.read",
            "functionsread",
            "functions.",
            "functions.read()",
            "functions.read:0",
            "read|channel|",
            "read <|channel|>",
            "<read>",
            "<",
            "",
            "multi_tool_use.parallel",
        ] {
            assert_eq!(inside(name), None, "{name:?}");
        }
        assert_eq!(inside(&format!("read<{}", "x".repeat(200))), None, "longer than a name may be");
    }
}
