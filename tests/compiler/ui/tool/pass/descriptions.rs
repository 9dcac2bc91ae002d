#[path = "../../support.rs"]
mod support;

use support::{argument, declared};
use tool_gate::tool;

/// Find orders,
/// newest first.
///
/// - open: not sent yet
/// - shipped
///
/// # Errors
///
/// Where the store is busy.
#[tool]
fn commented(
    /// Only orders
    /// in this state.
    status: &str,
    /** How many
     * at most.
     */
    #[arg(default = 3)]
    limit: u8,
) {
    let _ = (status, limit);
}

/// For Rust readers.
#[tool(description = "For the model.")]
fn described() {}

fn main() {
    assert_eq!(
        declared::<commented, ()>()["description"],
        "Find orders, newest first.\n\n- open: not sent yet\n- shipped"
    );
    assert_eq!(argument::<commented, ()>("status")["description"], "Only orders in this state.");
    assert_eq!(argument::<commented, ()>("limit")["description"], "How many at most.");
    assert_eq!(declared::<described, ()>()["description"], "For the model.");
}
