//! Whether the published schema, the gate and the function take the same.

use std::{error::Error, fmt};

use serde_json::Value;

use super::judge::drift_of;
use crate::{
    registry::Registry,
    schema::{Path, Segment},
};

/// Holds every tool of the registry against its own published schema, without running it: what the schema takes must pass the
/// gates and be read by the function's types, and what it forbids must not pass.
///
/// Each tool is tried with several hundred values made from its schema ([`instances`](super::instances())); a second validator,
/// which shares nothing with the gate but the crate that it is written with, says what the schema takes. That a check of yours
/// (`#[arg(check = …)]`) refuses a value is no drift: the schema does not speak of it. How long it takes grows with the schema, a
/// second or two for a hundred properties; of very large ones not every property is changed.
///
/// Where the type was asked for what its schema leaves open (the keys of a map, the syntax of an address), what was found out
/// is held against the schema without it: nothing that the type reads may have been lost.
///
/// Types that serde and schemars see in the same way do not drift: their schemas are tightened when the registry is built. What
/// may drift is a `Deserialize` or a `JsonSchema` that is written by hand, `#[schemars(with = …)]`, and a type whose schema is
/// only "a string". Where that is as it should be, name it: [`assert_no_drift_but`].
///
/// # Panics
///
/// Where there is drift: with the tool, the smallest arguments found that show it, the place, and what each of the three says.
///
/// ```
/// use tool_gate::{Registry, testing, tool};
///
/// /// Tell what a length is in feet.
/// #[tool(read_only)]
/// fn to_feet(#[arg(range = 0.0..)] metres: f64) -> f64 {
///     metres / 0.3048
/// }
///
/// let registry = Registry::<()>::builder().tool::<to_feet>().build()?;
/// testing::assert_no_drift(&registry);
/// # Ok::<_, tool_gate::BuildError>(())
/// ```
#[track_caller]
pub fn assert_no_drift<S: ?Sized>(registry: &Registry<S>) {
    if let Err(drift) = drift(registry) {
        panic!("{drift}");
    }
}

/// [`assert_no_drift`], but for arguments that are known to drift, each named as `tool.argument`: one whose schema cannot say all
/// that its type asks.
///
/// # Panics
///
/// Where another argument drifts, and where one that is named does not: it is to be taken off the list.
///
/// ```
/// use std::net::IpAddr;
/// use tool_gate::{Registry, testing, tool};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Host(#[schemars(with = "String")] IpAddr);
///
/// /// Tell whether a host answers.
/// #[tool(read_only)]
/// fn ping(host: Host) -> bool {
///     host.0.is_loopback()
/// }
///
/// let registry = Registry::<()>::builder().tool::<ping>().build()?;
/// testing::assert_no_drift_but(&registry, &["ping.host"]);
/// # Ok::<_, tool_gate::BuildError>(())
/// ```
#[track_caller]
pub fn assert_no_drift_but<S: ?Sized>(registry: &Registry<S>, known: &[&str]) {
    let findings = drift(registry).err().map(|drift| drift.findings).unwrap_or_default();
    let name = |finding: &Finding| match finding.path.segments().first() {
        Some(Segment::Key(key)) => format!("{}.{key}", finding.tool),
        _ => finding.tool.clone(),
    };
    let stale: Vec<&str> =
        known.iter().copied().filter(|known| !findings.iter().any(|found| name(found) == *known)).collect();
    let findings: Vec<Finding> = findings.into_iter().filter(|found| !known.contains(&name(found).as_str())).collect();
    assert!(findings.is_empty(), "{}", Drift { findings });
    assert!(stale.is_empty(), "known to drift, and no longer drifting: take `{}` off the list", stale.join("`, `"));
}

/// [`assert_no_drift`], as a value.
///
/// # Errors
///
/// [`Drift`], with one finding for each argument of each tool that drifts in one way.
pub fn drift<S: ?Sized>(registry: &Registry<S>) -> Result<(), Drift> {
    let inner = &*registry.inner;
    // All that depends on the state is what comes behind the binding, and that is dropped.
    let mut findings = Vec::new();
    for (tool, bind) in inner.tools.iter().zip(&inner.binds) {
        findings.extend(drift_of(tool, &inner.limits, &|binding| bind(binding).map(drop)));
    }
    if findings.is_empty() { Ok(()) } else { Err(Drift { findings }) }
}

/// The published schema, the gate and the function do not take the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Drift {
    findings: Vec<Finding>,
}

impl Drift {
    /// What was found, in the order of the tools' names: one finding for each argument that drifts, and each way in which it
    /// does.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the published schema, the gate and the function do not take the same:")?;
        self.findings.iter().try_for_each(|finding| write!(f, "\n\n{finding}"))
    }
}

impl Error for Drift {}

/// The ways to drift.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DriftKind {
    /// The published schema takes it, and a type's own `Deserialize` refuses it.
    TypeRefuses,
    /// The published schema takes it, and the arguments' own code panics over it: a `Deserialize`, or a check.
    CodePanics,
    /// The published schema takes it, and the gate refuses it. That is a mistake of tool-gate's.
    GateRefuses,
    /// The published schema forbids it, and the gate takes it. That is a mistake of tool-gate's.
    GateTakes,
    /// schemars' schema of the type takes it, and so does the type; what the type answered when it was asked about the rest made
    /// the published schema forbid it. That is a mistake of tool-gate's, or a type that does not answer the same each time.
    SchemaTooNarrow,
}

/// One argument that drifts in one way.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub(super) tool: String,
    pub(super) kind: DriftKind,
    pub(super) path: Path,
    pub(super) arguments: Value,
    /// The arguments as they were sent, where their text is what shows it.
    pub(super) text: Option<String>,
    pub(super) published: Result<(), String>,
    pub(super) gate: Result<(), String>,
    pub(super) function: Result<(), String>,
}

impl Finding {
    /// The tool.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// In which way.
    pub fn kind(&self) -> DriftKind {
        self.kind
    }

    /// Where in the arguments.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The smallest arguments that were found to show it.
    pub fn arguments(&self) -> &Value {
        &self.arguments
    }

    /// What the published schema says of them: nothing, or why it forbids them.
    ///
    /// # Errors
    ///
    /// The validator's words.
    pub fn published(&self) -> Result<(), &str> {
        self.published.as_ref().copied().map_err(String::as_str)
    }

    /// What the gate says of them.
    ///
    /// # Errors
    ///
    /// The sentence that a model would read.
    pub fn gate(&self) -> Result<(), &str> {
        self.gate.as_ref().copied().map_err(String::as_str)
    }

    /// What the function's types say of them, whatever the gate says.
    ///
    /// # Errors
    ///
    /// The type's own words.
    pub fn function(&self) -> Result<(), &str> {
        self.function.as_ref().copied().map_err(String::as_str)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tool, kind, path, arguments, text, published, gate, function } = self;
        let what = match kind {
            DriftKind::TypeRefuses => "its schema takes what its type refuses",
            DriftKind::CodePanics => "its schema takes what its code panics over",
            DriftKind::GateRefuses => "its schema takes what the gate refuses",
            DriftKind::GateTakes => "its schema forbids what the gate takes",
            DriftKind::SchemaTooNarrow => "its schema was narrowed to forbid what its type takes",
        };
        writeln!(f, "{path} of {tool}: {what}")?;
        writeln!(f, "  arguments:        {}", text.clone().unwrap_or_else(|| arguments.to_string()))?;
        for (view, says) in [("published schema", published), ("gate", gate), ("function", function)] {
            match says {
                Ok(()) => writeln!(f, "  {:<17} takes them", format!("{view}:"))?,
                Err(why) => writeln!(f, "  {:<17} {why}", format!("{view}:"))?,
            }
        }
        f.write_str(match kind {
            DriftKind::TypeRefuses => {
                "  Say it in the schema (`#[arg(range = …, pattern = …, format = …)]`, `#[schemars(…)]`), or let the type take it."
            }
            DriftKind::CodePanics => "  Return an error where the value cannot be had.",
            DriftKind::GateRefuses | DriftKind::GateTakes => {
                "  That is a mistake of tool-gate's: please report it with the schema."
            }
            DriftKind::SchemaTooNarrow => {
                "  That is a mistake of tool-gate's, unless the type answers now so and now so: please report it with the type."
            }
        })
    }
}
