//! Descriptions: missing ones, copied ones, ones that are too long.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::{
    Code, Finding,
    surface::{Node, Role, Surface, options, properties},
};
use crate::text;

/// The most characters of a description that every deployment takes.
const LONGEST: usize = 1_024;

/// What is wrong with the descriptions of one tool.
pub(super) fn of_one(surface: &Surface<'_>, found: &mut Vec<Finding>) {
    missing(surface, found);
    copied(surface, found);
    let tool = (surface.name(), surface.tool.description());
    let inside = surface.nodes.iter().filter_map(|node| Some((node.place.as_str(), node.description()?)));
    for (place, words) in [tool].into_iter().chain(inside) {
        let length = words.chars().count();
        if length > LONGEST {
            found.push(Finding::new(
                Code::LongDescription,
                place,
                format!("has a description of {length} characters"),
                format!("some deployments refuse more than {LONGEST}, and what matters is lost in it"),
            ));
        }
    }
}

fn missing(surface: &Surface<'_>, found: &mut Vec<Finding>) {
    let described = surface.nodes.iter().filter(|node| is_described(surface, node));
    let described: HashSet<&str> = described.map(|node| &*node.place).collect();
    for node in &surface.nodes {
        let Role::Property { of, tagged, .. } = node.role else { continue };
        // A tag, and the only key of an enum's variant, are told by their own names; a key that is said again in a part of the
        // schema is described where it is said first.
        let is_tag = tagged && options(surface.behind(node.schema)).is_some_and(|options| options.len() <= 1);
        let is_variant = tagged && properties(of).count() == 1;
        if !is_tag && !is_variant && !described.contains(&*node.place) {
            found.push(Finding::new(
                Code::MissingDescription,
                &*node.place,
                "has no description",
                "say what the model is to put there",
            ));
        }
    }
}

/// Whether something tells what a value means: its own words, or its type's.
fn is_described<'t>(surface: &Surface<'t>, node: &Node<'t>) -> bool {
    let has_words = |words: &Value| words.as_str().is_some_and(|words| !words.trim().is_empty());
    surface.of_any_part(node.schema, |keywords| keywords.get("description").is_some_and(has_words))
}

/// One description for a tool and its argument, or for two properties of one object.
fn copied(surface: &Surface<'_>, found: &mut Vec<Finding>) {
    let of_tool = folded(surface.tool.description());
    for node in &surface.nodes {
        let Some(keywords) = node.keywords() else { continue };
        let mut groups = Groups::default();
        for (key, words) in properties(keywords).filter_map(|(key, schema)| Some((key, own_words(schema)?))) {
            if matches!(node.role, Role::Root) && words == of_tool {
                found.push(Finding::new(
                    Code::CopiedDescription,
                    place(node, key),
                    "has the description of its tool",
                    "say what the model is to put there",
                ));
            } else {
                groups.add(words, key);
            }
        }
        for (first, others) in groups.shared() {
            found.push(Finding::new(
                Code::CopiedDescription,
                place(node, first),
                format!("has the same description as {}", super::row(&others)),
                "say what sets them apart",
            ));
        }
    }
}

fn place(node: &Node<'_>, key: &str) -> String {
    format!("{}.{}", node.place, text::excerpt(key, 64))
}

/// One description for two tools.
pub(super) fn shared(surfaces: &[Surface<'_>], found: &mut Vec<Finding>) {
    let mut groups = Groups::default();
    for surface in surfaces {
        groups.add(folded(surface.tool.description()), surface.name());
    }
    for (first, others) in groups.shared() {
        found.push(Finding::new(
            Code::CopiedDescription,
            first,
            format!("has the same description as {}", super::row(&others)),
            "say when to take which, or offer one of them",
        ));
    }
}

/// Names by what they are described with, in the order in which they came.
#[derive(Default)]
struct Groups<'t> {
    places: HashMap<String, usize>,
    names: Vec<Vec<&'t str>>,
}

impl<'t> Groups<'t> {
    fn add(&mut self, words: String, name: &'t str) {
        let place = *self.places.entry(words).or_insert(self.names.len());
        if place == self.names.len() {
            self.names.push(Vec::new());
        }
        self.names[place].push(name);
    }

    /// The first name of each group of several, and the others.
    fn shared(&self) -> impl Iterator<Item = (&'t str, Vec<String>)> {
        self.names.iter().filter_map(|names| {
            let (first, others) = names.split_first().filter(|(_, others)| !others.is_empty())?;
            Some((*first, others.iter().map(|name| format!("`{}`", text::excerpt(name, 64))).collect()))
        })
    }
}

/// What a property says of itself, not what its type says.
fn own_words(schema: &Value) -> Option<String> {
    let words = schema.as_object().and_then(|keywords: &Map<String, Value>| keywords.get("description"))?.as_str()?;
    Some(folded(words)).filter(|words| !words.is_empty())
}

/// A description without what does not set it apart from another.
fn folded(words: &str) -> String {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ").trim_end_matches('.').to_owned()
}
