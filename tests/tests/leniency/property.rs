//! With everything forgiven, what is admitted conforms, and what conforms is admitted as it stands.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use proptest::{
    bool::weighted,
    collection::vec,
    prelude::*,
    sample::Index,
    test_runner::{Config, TestCaseResult, TestRunner},
};
use serde_json::{Map, Value, json};
use tool_gate::{
    EasedKind, Leniency, Offer, Select, testing,
    wire::{self, Call},
};

use crate::registry;

/// Values to start from: some conform to the tool's schema, and some break one clause of it.
static INSTANCES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let registry = registry();
    let search = registry.definitions().find(|tool| tool.name() == "search").unwrap();
    testing::instances(search.input_schema())
});

static OFFERS: LazyLock<(Offer<()>, Offer<()>)> = LazyLock::new(|| {
    let strict = registry().offer(wire::Plain::default(), Select::All).unwrap();
    let lenient = strict.clone().lenient(Leniency::all());
    (strict, lenient)
});

/// What a model does to its arguments.
#[derive(Clone, Debug)]
enum Habit {
    /// Writes one value inside them as a string.
    Quote(Index),
    /// Writes one key in camel case.
    Camel(Index),
    /// Puts a null, an empty string or a number in the place of one value.
    Replace(Index, u8),
    /// Adds a key.
    Add(Index, u8),
    Wrap,
    Encode,
}

fn habit() -> impl Strategy<Value = Habit> {
    prop_oneof![
        4 => any::<Index>().prop_map(Habit::Quote),
        3 => any::<Index>().prop_map(Habit::Camel),
        2 => (any::<Index>(), any::<u8>()).prop_map(|(at, what)| Habit::Replace(at, what)),
        1 => (any::<Index>(), any::<u8>()).prop_map(|(at, what)| Habit::Add(at, what)),
        1 => Just(Habit::Wrap),
        1 => Just(Habit::Encode),
    ]
}

/// The values inside a value, itself included, depth first: does something to the one at a place.
fn at_place(value: &mut Value, place: &mut usize, act: &mut dyn FnMut(&mut Value)) {
    if *place == 0 {
        act(value);
        *place = usize::MAX;
        return;
    }
    *place = place.saturating_sub(usize::from(*place != usize::MAX));
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(|element| at_place(element, place, act)),
        Value::Object(members) => members.values_mut().for_each(|member| at_place(member, place, act)),
        _ => {}
    }
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(elements) => elements.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum::<usize>(),
        _ => 0,
    }
}

fn small(what: u8) -> Value {
    [json!(null), json!(""), json!(5), json!("5"), json!("[]"), json!(true), json!({})][usize::from(what) % 7].clone()
}

fn camel(key: &str) -> String {
    let mut words = key.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut camel, word| {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        camel + letters.as_str()
    })
}

fn apply(habit: &Habit, mut value: Value) -> Value {
    let places = count(&value);
    let mut act = |place: &Index, act: &mut dyn FnMut(&mut Value)| at_place(&mut value, &mut place.index(places), act);
    match habit {
        Habit::Quote(place) => act(place, &mut |value| *value = value.to_string().into()),
        Habit::Replace(place, what) => act(place, &mut |value| *value = small(*what)),
        Habit::Camel(place) => act(place, &mut |value| {
            if let Value::Object(members) = value {
                *members = std::mem::take(members).into_iter().map(|(key, member)| (camel(&key), member)).collect();
            }
        }),
        Habit::Add(place, what) => act(place, &mut |value| {
            if let Value::Object(members) = value {
                let keys = ["orderId", "minCents", "limit", "status", "extra", "kind"];
                members.insert(keys[usize::from(*what) % keys.len()].to_owned(), small(what / 6));
            }
        }),
        Habit::Wrap => value = Value::Object(Map::from_iter([("arguments".to_owned(), value)])),
        Habit::Encode => value = value.to_string().into(),
    }
    value
}

/// One call, judged with and without: the same, or forgiven and then conforming. Counts what was forgiven.
fn judged(name: &str, text: &str, forgiven: &mut BTreeMap<EasedKind, u32>) -> TestCaseResult {
    let (strict, lenient) = &*OFFERS;
    let call = Call::new(None, name, text.into());
    match (strict.check(&call), lenient.check(&call)) {
        (Ok(strictly), Ok(leniently)) => {
            prop_assert_eq!(strictly.arguments(), leniently.arguments());
            prop_assert!(leniently.eased().is_empty());
        }
        (Err(_), Ok(leniently)) => {
            prop_assert!(!leniently.eased().is_empty());
            let kinds: BTreeSet<_> = leniently.eased().iter().map(|eased| eased.kind).collect();
            for kind in kinds {
                *forgiven.entry(kind).or_default() += 1;
            }
            let read = Call::new(None, leniently.name(), leniently.arguments().clone().into());
            prop_assert!(strict.check(&read).is_ok(), "{} was read as {}", text, leniently.arguments());
        }
        (Err(strictly), Err(leniently)) => prop_assert_eq!(strictly, leniently),
        (Ok(_), Err(rejection)) => prop_assert!(false, "{} was refused: {:?}", text, rejection),
    }
    Ok(())
}

#[test]
fn what_is_admitted_conforms_and_what_conforms_is_admitted_as_it_stands() {
    let forgiven = RefCell::new(BTreeMap::new());
    let config = Config { cases: 6_000, failure_persistence: None, ..Config::default() };
    let strategy = (any::<Index>(), vec(habit(), 0..5), weighted(0.1), weighted(0.1));
    let outcome = TestRunner::new(config).run(&strategy, |(start, habits, fenced, affixed)| {
        let value = habits.iter().fold(start.get(&INSTANCES).clone(), |value, habit| apply(habit, value));
        let text = if fenced { format!("```json\n{value}\n```") } else { value.to_string() };
        judged(if affixed { "functions.search" } else { "search" }, &text, &mut forgiven.borrow_mut())
    });
    outcome.unwrap_or_else(|failed| panic!("{failed}"));
    let forgiven = forgiven.into_inner();
    assert!(forgiven.len() == 5 && forgiven.values().all(|times| *times >= 20), "{forgiven:?}");
}
