//! Whether what is sent may be of two branches of a union that raise it to two different values.

use std::collections::{BTreeSet, HashSet};

use serde_json::{Map, Value};

use super::{
    Lowering,
    dialect::Types,
    finish::children,
    node::Made,
    raise::{KEEP, PAIR, Pairs, Step, StepId, place_key},
    union::is_null,
};

/// A schema as it is published, and the step that undoes it.
#[derive(Clone, Copy)]
struct Form<'s> {
    schema: &'s Map<String, Value>,
    step: StepId,
}

/// How many pairs of schemas are compared, all unions of a schema together. A union of which that is not enough is taken for
/// ambiguous.
pub(super) const MOST_COMPARED: usize = 200_000;

/// What was compared.
struct Seen {
    pairs: HashSet<[*const Map<String, Value>; 2]>,
    /// How many pairs more may be.
    left: usize,
}

impl Lowering<'_> {
    pub(super) fn is_ambiguous(&mut self, made: &[(Value, Made)]) -> bool {
        let mut steps = HashSet::new();
        if !made.iter().any(|(_, made)| self.disguises(made.step, &mut steps)) {
            return false;
        }
        let forms = made.iter().map(|(_, Made { schema, step })| self.simple(Form { schema, step: *step }));
        let forms: Vec<Vec<Form<'_>>> = forms.collect();
        let mut seen = Seen { pairs: HashSet::new(), left: self.left_to_compare };
        let is_ambiguous = forms.iter().enumerate().any(|(place, ones)| {
            let others = || forms.iter().skip(place + 1).flatten();
            ones.iter().any(|one| others().any(|other| self.simple_meet(*one, *other, &mut seen)))
        });
        self.left_to_compare = seen.left;
        is_ambiguous
    }

    /// Whether a step makes a value of another type than was sent.
    fn disguises(&self, step: StepId, seen: &mut HashSet<StepId>) -> bool {
        match self.steps.get(step).filter(|_| seen.insert(step)) {
            Some(
                Step::Text | Step::Options(_) | Step::Pairs(_) | Step::Tuple(_) | Step::Object { spread: Some(_), .. },
            ) => true,
            Some(step) => children(step).into_iter().any(|inner| self.disguises(inner, seen)),
            None => false,
        }
    }

    /// The schemas that it is one of, without references and unions. What is still being rewritten has none.
    fn simple<'s>(&'s self, form: Form<'s>) -> Vec<Form<'s>> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut waiting = vec![form];
        while let Some(Form { schema, step }) = waiting.pop() {
            let step = match self.steps.get(step) {
                Some(Step::Same(inner)) => *inner,
                _ => step,
            };
            if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
                let name = reference.rsplit('/').next().unwrap_or_default();
                let definition = self.definitions.get(name).and_then(Value::as_object);
                waiting.extend(definition.filter(|_| seen.insert(name)).map(|schema| Form { schema, step }));
                continue;
            }
            let steps: Vec<StepId> = match self.steps.get(step) {
                Some(Step::Union(branches)) => {
                    let is_sent = |canonical: &Value| self.dialect.types != Types::Nullable || !is_null(canonical);
                    branches.iter().filter(|branch| is_sent(&branch.canonical)).map(|branch| branch.step).collect()
                }
                _ => Vec::new(),
            };
            match schema.get("anyOf").and_then(Value::as_array) {
                Some(branches) => {
                    let own = |place: usize| if steps.is_empty() { Some(step) } else { steps.get(place).copied() };
                    let each = branches
                        .iter()
                        .enumerate()
                        .filter_map(|(place, branch)| Some((branch.as_object()?, own(place)?)));
                    waiting.extend(each.map(|(schema, step)| Form { schema, step }));
                }
                None => found.push(Form { schema, step: steps.first().copied().unwrap_or(step) }),
            }
        }
        found
    }

    fn meet<'s>(&'s self, one: Form<'s>, other: Form<'s>, seen: &mut Seen) -> bool {
        if one.step == other.step || !seen.pairs.insert([one.schema, other.schema].map(std::ptr::from_ref)) {
            return false;
        }
        let others = self.simple(other);
        self.simple(one).into_iter().any(|one| others.iter().any(|other| self.simple_meet(one, *other, seen)))
    }

    fn simple_meet<'s>(&'s self, one: Form<'s>, other: Form<'s>, seen: &mut Seen) -> bool {
        if one.step == other.step {
            return false;
        }
        let Some(left) = seen.left.checked_sub(1) else { return true };
        seen.left = left;
        let both = |name: &str| may_be(one.schema, name) && may_be(other.schema, name);
        (both("string") && self.strings_meet(one, other))
            || (both("array") && self.arrays_meet(one, other, seen))
            || (both("object") && self.objects_meet(one, other, seen))
    }

    fn strings_meet(&self, one: Form<'_>, other: Form<'_>) -> bool {
        let stands_for_more = |form: Form<'_>| matches!(self.steps.get(form.step), Some(Step::Text | Step::Options(_)));
        match (self.steps.get(one.step), self.steps.get(other.step)) {
            (Some(Step::Text), Some(Step::Text)) => false,
            _ => (stands_for_more(one) || stands_for_more(other)) && !are_disjoint(one.schema, other.schema),
        }
    }

    fn arrays_meet<'s>(&'s self, one: Form<'s>, other: Form<'s>, seen: &mut Seen) -> bool {
        match (self.steps.get(one.step), self.steps.get(other.step)) {
            (Some(Step::Pairs(pairs)), Some(Step::Pairs(other_pairs))) => {
                self.pairs_meet((one.schema, *pairs), (other.schema, *other_pairs), seen)
            }
            (Some(Step::Pairs(_)), _) | (_, Some(Step::Pairs(_))) => true,
            _ => {
                let leading =
                    [one, other].iter().map(|form| listed(form.schema, "prefixItems").len()).max().unwrap_or(0);
                (0..=leading).any(|place| match (self.item(one, place), self.item(other, place)) {
                    (Some(one), Some(other)) => self.meet(one, other, seen),
                    _ => false,
                })
            }
        }
    }

    fn item<'s>(&'s self, Form { schema, step }: Form<'s>, place: usize) -> Option<Form<'s>> {
        let items = listed(schema, "prefixItems").get(place).or_else(|| schema.get("items"))?.as_object()?;
        let step = match self.steps.get(step) {
            Some(Step::Array { leading, rest }) => leading.get(place).copied().unwrap_or(*rest),
            _ => KEEP,
        };
        Some(Form { schema: items, step })
    }

    fn pairs_meet<'s>(
        &'s self,
        (one, pairs): (&'s Map<String, Value>, Pairs),
        (other, other_pairs): (&'s Map<String, Value>, Pairs),
        seen: &mut Seen,
    ) -> bool {
        let held = |list: &'s Map<String, Value>, step| {
            let schema = list.get("items")?.get("properties")?.get(PAIR[1])?.as_object()?;
            Some(Form { schema, step })
        };
        match (held(one, pairs.value), held(other, other_pairs.value)) {
            (Some(one), Some(other)) => self.meet(one, other, seen),
            _ => false,
        }
    }

    fn objects_meet<'s>(&'s self, one: Form<'s>, other: Form<'s>, seen: &mut Seen) -> bool {
        let takes = |form: Form<'s>, key: &str| {
            property(form.schema, key).is_some()
                || form.schema.get("additionalProperties").is_some_and(Value::is_object)
        };
        let required = |form: Form<'s>| listed(form.schema, "required").iter().filter_map(Value::as_str);
        if !required(one).all(|key| takes(other, key)) || !required(other).all(|key| takes(one, key)) {
            return false;
        }
        let tells_apart = |key: &str| {
            let schemas = property(one.schema, key).zip(property(other.schema, key));
            schemas.is_some_and(|(one, other)| are_disjoint(one, other))
        };
        if required(one).chain(required(other)).any(tells_apart) {
            return false;
        }
        let is_tuple = |form: Form<'s>| matches!(self.steps.get(form.step), Some(Step::Tuple(_)));
        if is_tuple(one) != is_tuple(other) {
            return true;
        }
        if let (Some((key, pairs)), Some((_, other_pairs))) = (self.others_of(one), self.others_of(other))
            && let (Some(list), Some(other_list)) = (property(one.schema, key), property(other.schema, key))
            && self.pairs_meet((list, *pairs), (other_list, *other_pairs), seen)
        {
            return true;
        }
        let keys: BTreeSet<&str> = [one, other]
            .iter()
            .filter_map(|form| form.schema.get("properties")?.as_object())
            .flat_map(|properties| properties.keys().map(String::as_str))
            .chain([""])
            .collect();
        keys.into_iter().any(|key| match (self.held(one, key), self.held(other, key)) {
            (Some(one), Some(other)) => self.meet(one, other, seen),
            _ => false,
        })
    }

    fn others_of(&self, form: Form<'_>) -> Option<&(String, Pairs)> {
        match self.steps.get(form.step) {
            Some(Step::Object { spread, .. }) => spread.as_ref(),
            _ => None,
        }
    }

    /// What is held under a key.
    fn held<'s>(&'s self, Form { schema, step }: Form<'s>, key: &str) -> Option<Form<'s>> {
        let held = property(schema, key).or_else(|| schema.get("additionalProperties")?.as_object())?;
        let step = match self.steps.get(step) {
            Some(Step::Object { members, rest, .. }) => {
                members.iter().find(|member| member.sent == key).map_or(*rest, |member| member.step)
            }
            Some(Step::Tuple(elements)) => {
                let place = elements.iter().enumerate().find(|(place, _)| place_key(*place) == key);
                place.map_or(KEEP, |(_, element)| element.step)
            }
            _ => KEEP,
        };
        Some(Form { schema: held, step })
    }
}

fn property<'s>(schema: &'s Map<String, Value>, key: &str) -> Option<&'s Map<String, Value>> {
    schema.get("properties")?.get(key)?.as_object()
}

fn listed<'s>(schema: &'s Map<String, Value>, keyword: &str) -> &'s [Value] {
    schema.get(keyword).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn may_be(schema: &Map<String, Value>, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::Array(names)) => names.iter().any(|named| named == name),
        Some(named) => named == name,
        None => true,
    }
}

/// Whether both list values, and none is in both lists.
fn are_disjoint(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    let options = |schema: &'_ Map<String, Value>| -> Option<HashSet<Value>> {
        match (schema.get("const"), schema.get("enum")) {
            (Some(only), _) => Some(HashSet::from([only.clone()])),
            (None, Some(Value::Array(options))) => Some(options.iter().cloned().collect()),
            _ => None,
        }
    };
    options(one).zip(options(other)).is_some_and(|(one, other)| one.is_disjoint(&other))
}
