//! An offered name with what a chat template puts around it.

use std::sync::Arc;

use crate::{
    gate,
    limits::Limits,
    offered::{Offered, OfferedTool},
};

/// What providers' templates call the place of their functions.
const PREFIXES: [&str; 3] = ["functions.", "default_api.", "default_api:"];

/// The tool whose name is inside this one. There is one way to take off what is around a name, so it is at most one.
pub(super) fn inside<'o>(name: &str, offered: &'o Offered, limits: &Limits) -> Option<&'o Arc<OfferedTool>> {
    if name.len() > limits.name_bytes {
        return None;
    }
    let name = name.trim_matches(|c: char| c.is_ascii_whitespace());
    let name = name.split_once('<').map_or(name, |(before, _)| before);
    let name = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    gate::offered_as(name, offered, limits).filter(|tool| tool.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offered::named;

    #[test]
    fn only_an_offered_name_to_the_letter_is_taken_out_of_what_is_around_it() {
        let offered = named(&["read", "read_file"]);
        let inside = |name: &str| inside(name, &offered, &Limits::default()).map(|tool| tool.name.as_str());
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
