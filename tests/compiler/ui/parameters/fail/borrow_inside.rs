// mistakes: 9
use std::borrow::Cow;
use tool_gate::tool;

struct Filter<'a>(&'a str);

/// Find orders.
#[tool]
fn search(
    a: Option<&str>,
    b: Vec<&str>,
    c: Cow<'_, str>,
    d: &&str,
    e: Vec<(u8, Option<&[u8]>)>,
    f: Filter<'_>,
    g: &Option<&str>,
    h: &mut String,
    i: &[&str],
) {
    let _ = (a, b, c, d, e, f.0, g, h, i);
}

fn main() {}
