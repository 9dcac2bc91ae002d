//! What a provider answers with an error, strict mode or not: the whole request fails for it.

use serde_json::Value;

use super::{
    Code, Finding,
    providers::{NOT_AT_ROOT, OLD_DRAFTS, Provider, WITHOUT_ITEMS, is_key_for_anthropic},
    surface::{Role, Surface, types},
};
use crate::text;

/// What of a tool no request may hold.
pub(super) fn of(surface: &Surface<'_>, found: &mut Vec<Finding>) {
    let mut refuse = |place: &str, what: String, by: &[Provider], mend: &str| {
        found.push(Finding::new(Code::Refused, place, format!("{what}, an error at {}", names(by)), mend));
    };
    for (keyword, by) in NOT_AT_ROOT {
        if surface.tool.input_schema().get(keyword).is_some() {
            let what = format!("has `{keyword}` at the root of its schema");
            refuse(surface.name(), what, by, "put the choice into an argument of its own");
        }
    }
    for node in &surface.nodes {
        if let Role::Property { key, .. } = node.role
            && !is_key_for_anthropic(key)
        {
            let mend = "rename it to 1 to 64 of `A-Z a-z 0-9 _ . -`";
            refuse(&node.place, "has a key that is more than a name".into(), &[Provider::Anthropic], mend);
        }
        let Some(keywords) = node.keywords() else { continue };
        let has = |keyword: &str| keywords.contains_key(keyword);
        if types(node.schema).contains(&"array") && !has("items") && !has("prefixItems") {
            let mend = "say what it is an array of";
            refuse(&node.place, "is an array without `items`".into(), WITHOUT_ITEMS, mend);
        }
        let is_old = |keyword: &&str| match *keyword {
            "items" => keywords.get("items").is_some_and(Value::is_array),
            bound => keywords.get(bound).is_some_and(Value::is_boolean),
        };
        for keyword in ["items", "exclusiveMinimum", "exclusiveMaximum"].into_iter().filter(is_old) {
            let what = format!("has `{keyword}` in the form of an old draft");
            refuse(&node.place, what, OLD_DRAFTS, "write the schema in draft 2020-12");
        }
    }
}

/// `Anthropic or OpenAI`.
pub(super) fn names(providers: &[Provider]) -> String {
    text::alternatives(&providers.iter().map(|provider| provider.name()).collect::<Vec<_>>())
}
