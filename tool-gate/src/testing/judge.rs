//! One tool, held against its own schema.

use serde_json::Value;

use super::{
    drift::{DriftKind, Finding},
    instances::{instances, instances_between},
    shrink,
    written::written,
};
use crate::{
    argument::{Binding, Unbound},
    compiled::Compiled,
    gate,
    json::{FaultKind, Tape},
    limits::Limits,
    rejection::Rejection,
    running,
    schema::{self, Oracle, Path, Segment},
    sentences::{English, Sentences},
    text,
    wire::{Arguments, Call},
};

/// The most findings that are told of one tool.
const MOST: usize = 16;

/// Reads the arguments as the function does, and stops there.
pub(super) type Reads<'b> = dyn Fn(&mut Binding<'_>) -> Result<(), Unbound> + 'b;

/// All that is found in one tool, in the order of its arguments.
pub(super) fn drift_of(tool: &Compiled, limits: &Limits, reads: &Reads<'_>) -> Vec<Finding> {
    let schema = tool.definition.input_schema();
    // A schema that a registry took can be compiled.
    let Ok(oracle) = Oracle::new(schema, tool.formats) else { return Vec::new() };
    let judge = Judge { tool, limits, reads, oracle };
    let mut found = judge.drifting();
    found.extend(judge.narrowed());
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

/// Makes integers of what is one by its value, as the gate does.
fn exact(tape: &mut Tape<'_>, schema: &Value) {
    if tape.has_integral_decimal() {
        let integers = schema::integers(schema, tape.root());
        tape.integers_exact(&integers);
    }
}

/// What the schema was before it was narrowed.
struct Open {
    schema: Value,
    oracle: Oracle,
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
    /// What the schema takes and the gate or a type does not, or the other way about.
    fn drifting(&self) -> Vec<Finding> {
        let schema = self.tool.definition.input_schema();
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
                let Some(seen) = self.seen(value) else {
                    well.push(place);
                    continue;
                };
                let is_new = found.len() < MOST && !found.iter().any(|known| seen.is_like(known.kind, &known.path));
                if is_new && let Some(finding) = self.smallest(&seen, value.clone()) {
                    found.push(finding);
                }
            }
            // The types are read one after another: behind one that refuses, others are not seen.
            let cures = found[known..].iter().filter(|found| found.kind == DriftKind::TypeRefuses);
            let cures: Vec<Cure> = cures
                .filter_map(|finding| {
                    let Some(Segment::Key(argument)) = finding.path.segments().first() else { return None };
                    let cured = well.iter().map(|place| &values[*place]).find(|value| self.oracle.takes(value))?;
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
        found
    }

    /// What narrowing made the schema forbid, though the type reads it.
    fn narrowed(&self) -> Vec<Finding> {
        let schema = self.tool.definition.input_schema();
        // Of most types nothing is left open.
        let Some(open) = self.tool.open_schema().filter(|open| open != schema) else { return Vec::new() };
        let Ok(oracle) = Oracle::new(&open, self.tool.formats) else { return Vec::new() };
        let open = Open { schema: open, oracle };
        let mut found: Vec<Finding> = Vec::new();
        for value in instances_between(schema, &open.schema) {
            let Some(seen) = self.lost(&open, &value) else { continue };
            if found.len() < MOST && !found.iter().any(|known| seen.is_like(known.kind, &known.path)) {
                let shows = |smaller: &Value| {
                    self.lost(&open, smaller).is_some_and(|other| other.is_like(seen.kind, &seen.path))
                };
                let smallest = shrink::smallest(value, shows);
                found.extend(self.lost(&open, &smallest).map(|seen| self.finding(seen, smallest, &open.schema)));
            }
        }
        found
    }

    /// Whether the value is one that the type reads and that the published schema forbids by what was found out alone.
    fn lost(&self, open: &Open, value: &Value) -> Option<Seen> {
        if self.oracle.takes(value) || !open.oracle.takes(value) {
            return None;
        }
        let call = Call::new(None, self.tool.definition.name(), value.clone().into());
        let mut tape = gate::parse(&call, "", Vec::new, self.limits).ok()?;
        let Err(Rejection::Schema { violation, .. }) = self.through_the_gate(&call) else { return None };
        exact(&mut tape, &open.schema);
        let is_lost = !schema::is_left_out(&violation, value) && matches!(self.read(&tape), Read::Well);
        is_lost.then_some(Seen { kind: DriftKind::SchemaTooNarrow, path: violation.path, text: None })
    }

    /// How the value drifts, if it does: as a value that the host has parsed, or as the text of a reply.
    fn seen(&self, value: &Value) -> Option<Seen> {
        // In the place of all arguments it stands for none, whatever a schema says that refers to itself from within.
        if value.is_null() {
            return None;
        }
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
        self.seen(&smallest).map(|seen| self.finding(seen, smallest, self.tool.definition.input_schema()))
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

    /// The three views of the smallest value; `schema` says where there are integers in it.
    fn finding(&self, seen: Seen, arguments: Value, schema: &Value) -> Finding {
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
            exact(&mut tape, schema);
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
    use crate::{DynamicTool, registry::Registry};

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
