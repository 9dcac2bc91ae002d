//! The ids under which the calls of one reply are answered.

use std::collections::{HashMap, HashSet};

use crate::wire::{Call, Wire};

/// The id under which one call is answered.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Id {
    pub text: String,
    /// Whether it is ours: the model sent none that could be used.
    pub minted: bool,
    /// Whether another call of the reply has the same one.
    pub shared: bool,
}

/// Gives each call an id of its own within the reply: real APIs leave ids out, and send one twice.
pub(crate) fn assign(calls: &[Call], wire: &dyn Wire, step: u64) -> Vec<Id> {
    // Two calls of one id are that whether the provider would take the id back or not.
    let mut times: HashMap<&str, usize> = HashMap::new();
    for id in calls.iter().filter_map(Call::id) {
        *times.entry(id).or_default() += 1;
    }
    let mut taken = HashSet::new();
    calls
        .iter()
        .enumerate()
        .map(|(place, call)| {
            let shared = call.id().is_some_and(|id| times[id] > 1);
            let own = call.id().filter(|id| wire.takes_id(id)).map(str::to_owned);
            match own.filter(|id| taken.insert(id.clone())) {
                Some(text) => Id { text, minted: false, shared },
                None => Id { text: mint(wire, step, place, &times, &mut taken), minted: true, shared },
            }
        })
        .collect()
}

/// An id that no call of the reply has. The step is in it, since providers want ids that are new in the conversation.
fn mint(wire: &dyn Wire, step: u64, place: usize, sent: &HashMap<&str, usize>, taken: &mut HashSet<String>) -> String {
    let mut number = place;
    loop {
        let id = wire.mint_id(step, number);
        if !sent.contains_key(id.as_str()) && taken.insert(id.clone()) {
            return id;
        }
        number += sent.len() + 1;
    }
}
