#[path = "../../support.rs"]
mod support;

use std::{borrow::Cow, path::Path};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use support::{argument, call, required};
use tool_gate::tool;

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
enum Order {
    #[default]
    Newest,
    Oldest,
}

const PAGE: u32 = 20;

fn zone() -> String {
    "UTC".to_owned()
}

/// Need nothing.
#[tool]
fn defaults(
    #[arg(default = PAGE)] a: u32,
    #[arg(default = "text")] b: &str,
    #[arg(default = "text")] c: String,
    #[arg(default = "text")] d: Cow<'static, str>,
    #[arg(default = "/tmp")] e: &Path,
    #[arg(default = zone())] f: String,
    #[arg(default = vec![1, 2])] g: &[u8],
    #[arg(default = Order::Oldest)] h: Order,
    #[arg(default)] i: Order,
    #[arg(default)] j: Vec<String>,
    #[arg(default = -1.5)] k: f64,
) -> String {
    format!("{a} {b} {c} {d} {} {f} {g:?} {h:?} {i:?} {j:?} {k}", e.display())
}

fn main() {
    assert_eq!(required::<defaults, ()>(), json!([]));
    assert_eq!(call::<defaults, ()>(&(), json!({})), "20 text text text /tmp UTC [1, 2] Oldest Newest [] -1.5");
    assert_eq!(argument::<defaults, ()>("a")["default"], 20);
    assert_eq!(argument::<defaults, ()>("h")["default"], "oldest");
    assert_eq!(argument::<defaults, ()>("k")["default"], -1.5);
}
