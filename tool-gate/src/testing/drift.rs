//! Whether the published schema, the gate and the function take the same.

use std::{error::Error, fmt};

use serde_json::Value;

use super::{instances::instances, shrink, written::written};
use crate::{
    argument::{Binding, Unbound},
    compiled::Compiled,
    gate,
    json::{FaultKind, Tape},
    limits::Limits,
    registry::Registry,
    rejection::Rejection,
    running,
    schema::{self, Oracle, Path, Segment},
    sentences::{English, Sentences},
    text,
    wire::{Arguments, Call},
};

/// Holds every tool of the registry against its own published schema, without running it: what the schema takes must pass the
/// gates and be read by the function's types, and what it forbids must not pass.
///
/// Each tool is tried with several hundred values made from its schema ([`instances`]); a second validator, which shares
/// nothing with the gate but the crate that it is written with, says what the schema takes. That a check of yours
/// (`#[arg(check = …)]`) refuses a value is no drift: the schema does not speak of it.
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
}

/// One argument that drifts in one way.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    tool: String,
    kind: DriftKind,
    path: Path,
    arguments: Value,
    /// The arguments as they were sent, where their text is what shows it.
    text: Option<String>,
    published: Result<(), String>,
    gate: Result<(), String>,
    function: Result<(), String>,
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
        })
    }
}

/// The most findings that are told of one tool.
const MOST: usize = 16;

/// Reads the arguments as the function does, and stops there.
type Reads<'b> = dyn Fn(&mut Binding<'_>) -> Result<(), Unbound> + 'b;

fn drift_of(tool: &Compiled, limits: &Limits, reads: &Reads<'_>) -> Vec<Finding> {
    let schema = tool.definition.input_schema();
    // A schema that a registry took can be compiled.
    let Ok(oracle) = Oracle::new(schema, tool.formats) else { return Vec::new() };
    let judge = Judge { tool, limits, reads, oracle };
    let mut found: Vec<Finding> = Vec::new();
    let mut values = instances(schema);
    if schema.get("$schema").and_then(Value::as_str).is_some_and(|draft| draft.contains("draft-04")) {
        // To that draft an integer is one by how it is written, which a value that was parsed does not tell.
        values.retain(|value| !has_whole_float(value));
    }
    loop {
        let known = found.len();
        let mut well: Vec<usize> = Vec::new();
        for (place, value) in values.iter().enumerate() {
            let Some(seen) = judge.seen(value) else {
                well.push(place);
                continue;
            };
            let is_new = found.len() < MOST && !found.iter().any(|known| seen.is_like(known.kind, &known.path));
            if is_new && let Some(finding) = judge.smallest(&seen, value.clone()) {
                found.push(finding);
            }
        }
        // The types are read one after another: behind one that refuses, others are not seen.
        let cures = found[known..].iter().filter(|found| found.kind == DriftKind::TypeRefuses);
        let cures: Vec<Cure> = cures
            .filter_map(|finding| {
                let Some(Segment::Key(argument)) = finding.path.segments().first() else { return None };
                let cured = well.iter().map(|place| &values[*place]).find(|value| judge.oracle.takes(value))?;
                Some(Cure { argument: argument.clone(), value: cured.get(argument).cloned() })
            })
            .collect();
        if cures.is_empty() {
            break;
        }
        for value in &mut values {
            for cure in &cures {
                cure.apply(value);
            }
        }
    }
    let declared = tool.declared();
    found.sort_by_key(|found| match found.path.segments().first() {
        Some(Segment::Key(key)) => declared.iter().position(|known| known == key),
        _ => None,
    });
    found
}

fn has_whole_float(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64() && number.as_f64().is_some_and(|float| float.fract() == 0.0),
        Value::Array(elements) => elements.iter().any(has_whole_float),
        Value::Object(members) => members.values().any(has_whole_float),
        _ => false,
    }
}

/// What may stand for an argument so that its type takes it.
struct Cure {
    argument: String,
    /// Nothing where it is best left out.
    value: Option<Value>,
}

impl Cure {
    fn apply(&self, value: &mut Value) {
        let Some(members) = value.as_object_mut() else { return };
        match &self.value {
            Some(value) => drop(members.insert(self.argument.clone(), value.clone())),
            None => drop(members.shift_remove(&self.argument)),
        }
    }
}

/// One tool, seen in three ways.
struct Judge<'j> {
    tool: &'j Compiled,
    limits: &'j Limits,
    reads: &'j Reads<'j>,
    oracle: Oracle,
}

/// One way in which a value shows drift.
struct Seen {
    kind: DriftKind,
    path: Path,
    /// The text that shows it, where the value that was parsed elsewhere does not.
    text: Option<String>,
}

impl Seen {
    /// Whether it is the same way, in the same argument.
    fn is_like(&self, kind: DriftKind, path: &Path) -> bool {
        self.kind == kind && self.path.segments().first() == path.segments().first()
    }
}

/// What the function says of arguments.
enum Read {
    /// It takes them, or a check of the user's refuses them.
    Well,
    Refused(Path, String),
    Panicked(String),
}

impl Judge<'_> {
    /// How the value drifts, if it does: as a value that the host has parsed, or as the text of a reply.
    fn seen(&self, value: &Value) -> Option<Seen> {
        let taken = self.oracle.takes(value);
        if let Some((kind, path)) = self.drift(value, taken, value.clone().into()) {
            return Some(Seen { kind, path, text: None });
        }
        let text = written(value);
        let (kind, path) = self.drift(value, taken, text.as_str().into())?;
        Some(Seen { kind, path, text: Some(text) })
    }

    /// The smallest value that shows the same.
    fn smallest(&self, seen: &Seen, value: Value) -> Option<Finding> {
        let shows = |smaller: &Value| self.seen(smaller).is_some_and(|other| other.is_like(seen.kind, &seen.path));
        let smallest = shrink::smallest(value, shows);
        self.seen(&smallest).map(|seen| self.finding(seen, smallest))
    }

    fn drift(&self, value: &Value, taken: bool, arguments: Arguments) -> Option<(DriftKind, Path)> {
        let call = Call::new(None, self.tool.definition.name(), arguments);
        // Most of what is forbidden is refused, and to find words for it takes longer than to refuse it.
        if !taken && gate::parse(&call, "", Vec::new, self.limits).is_ok_and(|tape| !self.keeps(&tape)) {
            return None;
        }
        match (taken, self.through_the_gate(&call)) {
            (_, Err(rejection)) if is_beside_the_point(&rejection) => None,
            (false, Err(_)) => None,
            (false, Ok(_)) => {
                let forbidden = self.oracle.forbids(value);
                Some((DriftKind::GateTakes, forbidden.map(|forbidden| forbidden.path).unwrap_or_default()))
            }
            (true, Err(rejection)) => Some((DriftKind::GateRefuses, rejection.path().cloned().unwrap_or_default())),
            (true, Ok(tape)) => match self.read(&tape) {
                Read::Well => None,
                Read::Refused(path, _) => Some((DriftKind::TypeRefuses, path)),
                Read::Panicked(_) => Some((DriftKind::CodePanics, Path::default())),
            },
        }
    }

    fn keeps(&self, tape: &Tape<'_>) -> bool {
        self.tool.terms(self.limits).validator.is_valid(tape.root())
    }

    fn through_the_gate<'c>(&self, call: &'c Call) -> Result<Tape<'c>, Rejection> {
        let name = self.tool.definition.name();
        let tape = gate::parse(call, name, Vec::new, self.limits)?;
        gate::conform(tape, name, self.tool.terms(self.limits))
    }

    /// What the function says of a checked object. What a check refuses, the types alone are asked about: they may refuse
    /// another argument that comes after it.
    fn read(&self, tape: &Tape<'_>) -> Read {
        let refused = |unbound: Unbound| unbound.refused.into_parts();
        match running::unwinding(|| (self.reads)(&mut Binding::of(tape.root()))) {
            Ok(Ok(())) => Read::Well,
            Err(message) => Read::Panicked(message),
            Ok(Err(_)) => {
                let parameters = self.tool.declared().len();
                let alone = || (self.reads)(&mut Binding::of_types_alone(tape.root(), parameters));
                match running::unwinding(alone).map(|bound| bound.map_err(refused)) {
                    Ok(Err((path, words))) if !path.is_root() => Read::Refused(path, words),
                    Ok(_) => Read::Well,
                    Err(message) => Read::Panicked(message),
                }
            }
        }
    }

    /// The three views of the smallest value.
    fn finding(&self, seen: Seen, arguments: Value) -> Finding {
        let Seen { kind, path, text } = seen;
        let sent: Arguments = text.as_deref().map_or_else(|| arguments.clone().into(), Arguments::from);
        let call = Call::new(None, self.tool.definition.name(), sent);
        let bounded = |words: &str| text::excerpt(words.trim_end_matches('.'), 300);
        let published = match self.oracle.forbids(&arguments) {
            Some(forbidden) => Err(format!("forbids them: {}", bounded(&forbidden.words))),
            None => Ok(()),
        };
        let gate = self.through_the_gate(&call).map(drop);
        let gate = gate.map_err(|rejection| format!("refuses them: {}", bounded(&English.rejection(&rejection))));
        let read = gate::parse(&call, "", Vec::new, self.limits).map_or(Read::Well, |mut tape| {
            if tape.has_integral_decimal() {
                let integers = schema::integers(self.tool.definition.input_schema(), tape.root());
                tape.integers_exact(&integers);
            }
            self.read(&tape)
        });
        let function = match read {
            Read::Well => Ok(()),
            Read::Refused(path, words) => Err(format!("refuses {path}: {}", bounded(&words))),
            Read::Panicked(message) => Err(format!("panics: {}", bounded(&message))),
        };
        let tool = self.tool.definition.name().to_owned();
        Finding { tool, kind, path, arguments, text, published, gate, function }
    }
}

/// Whether the call is beyond a limit, of which a schema does not speak.
fn is_beside_the_point(rejection: &Rejection) -> bool {
    match rejection {
        Rejection::OverLimit { .. } => true,
        Rejection::Unparsable { fault, .. } => fault.kind() == FaultKind::TooDeep,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::DynamicTool;

    /// What is found where the gate keeps one schema, and another is published.
    fn found(kept: Value, published: &Value) -> (DriftKind, String, Value) {
        let tool = DynamicTool::new("t", "T.", kept, |(): &(), given, _| Box::pin(async move { Ok(given) }));
        let registry = Registry::builder().dynamic(tool).build().expect("the schema compiles");
        let oracle = Oracle::new(published, schema::Formats::Asserted).expect("the schema compiles");
        let limits = Limits::default();
        let judge = Judge { tool: &registry.inner.tools[0], limits: &limits, reads: &|_| Ok(()), oracle };
        let mut seen = instances(published).into_iter().filter_map(|value| Some((judge.seen(&value)?, value)));
        let (seen, value) = seen.next().expect("it drifts");
        let found = judge.smallest(&seen, value).expect("it drifts still");
        (found.kind(), found.to_string(), found.arguments().clone())
    }

    #[test]
    fn a_gate_that_keeps_another_schema_than_the_published_one_is_found() {
        let upto = |most: u32| json!({"type": "object", "properties": {"n": {"type": "integer", "minimum": 0, "maximum": most}}, "additionalProperties": false});
        let (kind, told, arguments) = found(upto(10), &upto(100));
        assert_eq!((kind, arguments), (DriftKind::GateRefuses, json!({"n": 11})));
        assert!(told.contains("refuses them: t rejected: n must be at most 10. Received 11"), "{told}");
        let (kind, told, arguments) = found(upto(100), &upto(10));
        assert_eq!((kind, arguments), (DriftKind::GateTakes, json!({"n": 11})));
        assert!(told.starts_with("n of t: its schema forbids what the gate takes"), "{told}");
        assert!(told.contains("published schema: forbids them: 11 is greater than the maximum of 10"), "{told}");
    }
}
