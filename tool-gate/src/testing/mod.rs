//! For the tests of an application: its tools tried without a model. With the cargo feature `testing`, which belongs among the
//! dev-dependencies:
//!
//! ```toml
//! [dev-dependencies]
//! tool-gate = { version = "0.1", features = ["testing"] }
//! ```
//!
//! * [`assert_no_drift`]: what each tool's published schema takes, its types read, and what it forbids is refused.
//! * [`assert_tools_snapshot`]: what is published is what a file says, so that a review sees how it changes.
//! * [`call`]: one tool, called with JSON.
//! * [`Script`]: a whole conversation, with a model that says what is written down.
//!
//! Nothing in here reads a clock, or draws by chance: the same tools are tried with the same values each time.
//!
//! ```
//! use serde_json::json;
//! use tool_gate::{
//!     Registry, Select, Tell, ToolError,
//!     testing::{self, Script, block_on, call},
//!     tool, wire,
//! };
//!
//! /// Refund an order, in part or in full.
//! #[tool]
//! fn issue_refund(order_id: &str, #[arg(range = 1..=50_000)] amount_cents: u32) -> Result<String, ToolError> {
//!     (order_id == "A-1").then_some(()).tell("There is no such order.")?;
//!     Ok(format!("{amount_cents} cents are on their way."))
//! }
//!
//! fn registry() -> Registry<()> {
//!     Registry::builder().tool::<issue_refund>().build().expect("the tools are declared well")
//! }
//!
//! # fn schemas_and_types_agree() {
//! testing::assert_no_drift(&registry());
//! # }
//!
//! # fn a_refund_has_a_limit() {
//! let error = block_on(call::<issue_refund, _>(&(), json!({"order_id": "A-1", "amount_cents": 50_001}))).unwrap_err();
//! assert_eq!(error.rejection().and_then(|rejection| rejection.keyword()), Some("maximum"));
//! # }
//!
//! # fn a_model_mends_what_it_is_told() -> Result<(), Box<dyn std::error::Error>> {
//! let offer = registry().offer(wire::Anthropic::default(), Select::All)?;
//! let script = Script::new()
//!     .calls("issue_refund", json!({"order_id": "A-2", "amount_cents": 500}))
//!     .reads("There is no such order.")
//!     .calls("issue_refund", json!({"order_id": "A-1", "amount_cents": 500}))
//!     .reads("500 cents are on their way.")
//!     .says("You will have it on Monday.");
//! block_on(script.play(&offer, &()));
//! # Ok(())
//! # }
//! # schemas_and_types_agree();
//! # a_refund_has_a_limit();
//! # a_model_mends_what_it_is_told().unwrap();
//! ```

mod call;
mod change;
mod draw;
mod drift;
mod edges;
mod flat;
mod instances;
mod judge;
mod script;
mod shrink;
mod snapshot;
mod texts;
mod written;

pub use call::{CallError, block_on, call, call_named};
pub use drift::{Drift, DriftKind, Finding, assert_no_drift, assert_no_drift_but, drift};
pub use instances::instances;
pub use script::{Played, Script};
pub use snapshot::{Surface, assert_tools_snapshot};
