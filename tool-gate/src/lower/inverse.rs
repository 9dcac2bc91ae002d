//! What a model that keeps to a lowered schema sends: the other way round, for tests.

use serde_json::{Map, Value, json};

use super::raise::{PAIR, Pairs, Raise, Step, StepId, WRAPPED, place_key};

impl Raise {
    /// What stands for these arguments in the lowered schema; none where nothing does. Keys that may be absent are.
    #[doc(hidden)]
    pub fn sent(&self, arguments: &Value) -> Option<Value> {
        self.inverse(arguments, self.root)
    }

    fn inverse(&self, value: &Value, id: StepId) -> Option<Value> {
        match (self.steps.get(id)?, value) {
            (Step::Same(id), _) => self.inverse(value, *id),
            (Step::Object { members, rest, spread }, Value::Object(held)) => {
                let mut sent = Map::new();
                let mut others = Map::new();
                for (key, value) in held {
                    match members.iter().find(|member| member.key == *key) {
                        Some(member) => drop(sent.insert(member.sent.clone(), self.inverse(value, member.step)?)),
                        None if spread.is_some() => drop(others.insert(key.clone(), value.clone())),
                        // It would be taken for the property that is sent under that key.
                        None if members.iter().any(|member| member.sent == *key) => return None,
                        None => drop(sent.insert(key.clone(), self.inverse(value, *rest)?)),
                    }
                }
                if let Some((key, pairs)) = spread {
                    sent.insert(key.clone(), self.listed(&others, *pairs)?);
                }
                Some(sent.into())
            }
            (Step::Array { leading, rest }, Value::Array(held)) => held
                .iter()
                .enumerate()
                .map(|(place, value)| self.inverse(value, leading.get(place).copied().unwrap_or(*rest)))
                .collect(),
            (Step::Pairs(pairs), Value::Object(held)) => self.listed(held, *pairs),
            (Step::Tuple(elements), Value::Array(held)) => {
                let member = |(place, value): (usize, &Value)| {
                    let step = elements.get(place)?.step;
                    Some((place_key(place), self.inverse(value, step)?))
                };
                held.iter().enumerate().map(member).collect::<Option<Map<_, _>>>().map(Value::Object)
            }
            (Step::Text, _) => Some(value.to_string().into()),
            (Step::Options(options), _) => {
                let same = |held: &Value| held == value || (held.is_number() && held.as_f64() == value.as_f64());
                let label = options.iter().find(|(_, held)| same(held)).map(|(label, _)| label.as_str().into());
                // It is taken beside the options.
                label.or_else(|| value.is_null().then_some(Value::Null))
            }
            (Step::Union(branches), _) => {
                let branch = branches.iter().find(|branch| branch.takes(value))?;
                self.inverse(value, branch.step)
            }
            (Step::Wrapped(step), _) => Some(json!({WRAPPED: self.inverse(value, *step)?})),
            _ => Some(value.clone()),
        }
    }

    fn listed(&self, held: &Map<String, Value>, pairs: Pairs) -> Option<Value> {
        held.iter()
            .map(|(key, value)| {
                let key = self.inverse(&key.as_str().into(), pairs.key)?;
                Some(json!({PAIR[0]: key, PAIR[1]: self.inverse(value, pairs.value)?}))
            })
            .collect()
    }
}
