// mistakes: 1
use std::{future::ready, rc::Rc};
use tool_gate::tool;

/// Tell the time in UTC.
#[tool]
async fn time() -> String {
    let text = Rc::new("12:00");
    ready(()).await;
    text.to_string()
}

fn main() {}
