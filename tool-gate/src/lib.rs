// In the documentation, the README's links lead to the modules below: the first definition of a link counts.
#![doc = "[COMPARE.md]: crate::compare\n[TYPES.md]: crate::types\n[PROVIDERS.md]: crate::providers\n"]
#![doc = include_str!("../README.md")]

mod answer;
mod argument;
mod assembler;
mod blocking;
mod compiled;
mod content;
mod counters;
mod describe;
mod dynamic;
mod ease;
mod error;
mod gate;
mod ids;
mod json;
mod leniency;
mod limits;
pub mod lint;
pub mod lower;
mod names;
mod offer;
mod offered;
mod policy;
mod problem;
mod registry;
mod rejection;
mod result;
mod returned;
mod run;
mod running;
mod schema;
mod sentences;
mod settled;
mod state;
#[cfg(feature = "testing")]
pub mod testing;
mod text;
mod tool;
mod toolbox;
mod turn;
pub mod wire;

#[doc = include_str!("docs/provides.md")]
pub use tool_gate_macros::Provides;
#[doc = include_str!("docs/tool.md")]
pub use tool_gate_macros::tool;
#[doc = include_str!("docs/tools.md")]
pub use tool_gate_macros::tools;

pub use answer::Answer;
pub use argument::{Argument, Items, Lent, Number, Text};
pub use assembler::{Assembler, Named};
pub use content::Content;
pub use counters::{Counters, Counts, Snapshot, Streaks};
pub use dynamic::DynamicTool;
pub use error::{Tell, ToolError};
pub use json::{Fault, FaultKind};
pub use leniency::{Eased, EasedKind, Leniency};
pub use limits::Limits;
pub use lower::Mode;
pub use offer::{Offer, OfferError, Select, Tools};
pub use policy::{Admitted, Decision, Policy};
pub use problem::{BuildError, Problem};
pub use registry::{Builder, Registry};
pub use rejection::{EnvelopeFault, Exceeded, Gate, NotRunnable, Rejection, RejectionKind};
pub use result::{Failure, FailureKind, Outcome, OutcomeKind, ResultBlock};
pub use run::{Run, Stop, StopReason};
pub use schema::{Contract, JsonType, Path, Received, Segment, Violation};
pub use sentences::{English, Sentences};
pub use settled::{Settled, TurnOutcome};
pub use state::Provides;
pub use tool::{CallInfo, Definition, Effects, Methods, Tool};
pub use toolbox::Toolbox;
pub use turn::Turn;

#[cfg(doc)]
#[doc = include_str!("../COMPARE.md")]
pub mod compare {}

#[cfg(doc)]
#[doc = include_str!("../PROVIDERS.md")]
pub mod providers {}

#[cfg(doc)]
#[doc = include_str!("../TYPES.md")]
pub mod types {}

/// The bounds on the types in a tool's signature, under the names that the compiler uses where a type does not fit.
///
/// There is nothing to implement: deriving serde's traits is what meets them.
pub mod signature {
    pub use crate::{
        argument::{Bounds, DefaultText, OwnDefault, Primitive, Published, Reason, Shown},
        blocking::Cloneable,
        returned::{Answers, Fails},
        state::Told,
    };
}

/// What `#[tool]`, `#[derive(Provides)]` and `toolbox!` expand to. Not part of the public API: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::__blocking as blocking;
    pub use crate::argument::{
        Binding, Given, Parameter, Parameters, Unbound, arg, checked, lend, lent, own_default, text_default, together,
    };
    #[cfg(feature = "tokio")]
    pub use crate::blocking::blocking;
    pub use crate::blocking::cloned;
    pub use crate::returned::{Blocks, Nothing, Probe, Something};
    // Under a name that no user imports: the compiler would call the path in front of it unnecessary, on their tokens.
    pub use crate::state::Provides as ProvidesState;
    pub use crate::state::told;
    pub use crate::tool::{Bound, CallInfo, Declaration, Declare, Entry, Methods, Taken, Tool};
    pub use crate::toolbox::{Lists, linked};
    pub use inventory;
    pub use serde_json::Value;
    pub use tool_gate_macros::beside;

    /// The methods that a type has where it has none of its own. Their traits have no names that could meet others.
    pub mod probing {
        pub use crate::{
            argument::AnyGiven as _,
            returned::{AnyAnswer as _, AnyOutput as _, AnySchema as _},
            toolbox::AnyList as _,
        };
    }
}
