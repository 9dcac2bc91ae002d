//! What values a schema takes: one, hundreds, a string or an array; and how large it is.

use serde_json::Value;

use super::{
    Code, Finding,
    surface::{Node, Role, Surface, is_null, list, options, types},
};
use crate::text;

/// The most values of an `enum` that a model chooses from with ease.
const MANY: usize = 100;

/// The largest schema, in bytes of JSON, that goes unremarked.
const LARGE: usize = 16 * 1024;

/// What is found in the values that a tool takes.
pub(super) fn of(surface: &Surface<'_>, found: &mut Vec<Finding>) {
    for node in &surface.nodes {
        chosen(node, found);
        string_or_array(surface, node, found);
    }
    let size = surface.tool.input_schema().to_string().len();
    if size > LARGE {
        found.push(Finding::new(
            Code::LargeSchema,
            surface.name(),
            format!("has a schema of {} KiB", size.div_ceil(1024)),
            "it is sent with every request; split the tool, or take fewer arguments",
        ));
    }
}

fn chosen(node: &Node<'_>, found: &mut Vec<Finding>) {
    let Some(options) = options(node.schema) else { return };
    match (options.as_slice(), node.role) {
        ([only], Role::Property { tagged: false, .. } | Role::Element) => found.push(Finding::new(
            Code::EnumOfOne,
            &*node.place,
            format!("takes {} and nothing else", text::excerpt(&only.to_string(), 64)),
            "leave it out, since there is nothing to choose",
        )),
        (many, _) if many.len() > MANY => found.push(Finding::new(
            Code::LargeEnum,
            &*node.place,
            format!("is one of {} values", many.len()),
            "take a string, and refuse what is not among them with a sentence that names the nearest",
        )),
        _ => {}
    }
}

fn string_or_array(surface: &Surface<'_>, node: &Node<'_>, found: &mut Vec<Finding>) {
    let mut taken = types(node.schema);
    if let Some(keywords) = node.keywords() {
        let branches = ["anyOf", "oneOf"].into_iter().flat_map(|keyword| list(keywords, keyword));
        taken.extend(branches.filter(|branch| !is_null(branch)).flat_map(|branch| of_branch(surface.behind(branch))));
    }
    if taken.contains(&"string") && taken.contains(&"array") {
        found.push(Finding::new(
            Code::StringOrArray,
            &*node.place,
            "takes a string or an array",
            "take the array alone; models write it into the string",
        ));
    }
}

/// The types of a branch; a string that is one of a few is a choice, and nothing to write an array into.
fn of_branch(branch: &Value) -> Vec<&str> {
    if options(branch).is_some() { Vec::new() } else { types(branch) }
}
