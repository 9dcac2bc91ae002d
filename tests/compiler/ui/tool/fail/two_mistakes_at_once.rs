// mistakes: 4
use tool_gate::{tool, toolbox};

toolbox! { static SUPPORT: (); }

#[tool(in = SUPPORT, readonly)]
fn search((text, limit): (String, u32), #[arg(range = 9..=1)] page: u32) {
    let _ = (text, limit, page);
}

fn main() {
    let _ = tool_gate::Registry::<()>::builder().list(&SUPPORT).tool::<search>();
}
