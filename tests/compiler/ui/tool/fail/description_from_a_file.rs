// mistakes: 1
use tool_gate::tool;

#[tool]
#[doc = include_str!("description_from_a_file.stderr")]
fn time() -> &'static str {
    "12:00"
}

fn main() {}
