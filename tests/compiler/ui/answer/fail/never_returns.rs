// mistakes: 1
use tool_gate::tool;

/// Wait for ever.
#[tool]
async fn wait() -> ! {
    std::future::pending().await
}

fn main() {}
