#[path = "../../support.rs"]
mod support;

use serde_json::json;
use support::call;
use tool_gate::tool;

pub struct Prefix(&'static str);

macro_rules! getter {
    ($name:ident, $state:ty, $($argument:ident: $ty:ty = $default:expr),*; $output:ty) => {
        /// Get it.
        #[tool]
        fn $name(#[state] prefix: $state, $(#[arg(default = $default)] $argument: $ty,)* limit: Option<u8>) -> $output {
            Ok(format!("{} {:?} {limit:?}", prefix.0, ($($argument,)*)))
        }
    };
}

getter!(get, &Prefix, text: &str = "a", count: u8 = 1 + 1, list: &[u8] = vec![1]; Result<String, std::io::Error>);

fn main() {
    assert_eq!(call::<get, Prefix>(&Prefix("p"), json!({"count": 3})), r#"p ("a", 3, [1]) None"#);
}
