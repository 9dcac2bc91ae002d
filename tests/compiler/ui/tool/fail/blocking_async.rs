// mistakes: 1
use tool_gate::tool;

/// Find orders.
#[tool(read_only, blocking)]
async fn search() {
    std::future::ready(()).await
}

fn main() {}
