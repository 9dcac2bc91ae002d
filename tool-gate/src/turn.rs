//! One reply being settled: its calls judged, then run, then written back.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    offer::Offer,
    policy::{Admitted, Decision},
    rejection::{Exceeded, NotRunnable, Rejection, Sentences},
    result::{Failure, Outcome, ResultBlock},
    run::Run,
    schema::MAX_KEY,
    text,
    tool::{Bound, CallInfo},
    wire::{Answered, Call, Ending, Reading, Wire},
};

/// One reply being settled. Every call it holds has passed the gates or has its rejection.
pub struct Turn<S: ?Sized + 'static> {
    offer: Offer<S>,
    ending: Ending,
    assistant: Value,
    calls: Vec<Pending<S>>,
}

/// One call on its way to its answer. It has an outcome, or it is admitted and will have one.
struct Pending<S: ?Sized + 'static> {
    call: Call,
    info: CallInfo,
    /// Whether the id is ours: the model sent none that could be used.
    minted: bool,
    /// The offered tool that the call names.
    tool: Option<String>,
    admitted: Option<Admitted>,
    /// Taken when the tool is started.
    bound: Option<Bound<S>>,
    outcome: Option<Outcome>,
}

impl<S: ?Sized> Turn<S> {
    pub(crate) fn open(offer: Offer<S>, reading: Reading, run: &mut Run) -> Self {
        let Reading { mut calls, ending, assistant } = reading;
        if ending == Ending::Cut
            && let Some(last) = calls.last_mut()
        {
            last.mark_cut();
        }
        let ids = assign_ids(&calls, &*offer.core.wire, run.step());
        let calls = calls.into_iter().zip(ids).enumerate();
        let calls = calls.map(|(place, (call, id))| Pending::judge(&offer, call, id, place, ending)).collect();
        Self { offer, ending, assistant, calls }
    }

    /// The calls that passed every gate and have no answer yet, in the reply's order.
    pub fn admitted(&self) -> impl Iterator<Item = &Admitted> {
        self.calls.iter().filter(|pending| pending.outcome.is_none()).filter_map(|pending| pending.admitted.as_ref())
    }

    /// Runs the admitted calls one after another, in the reply's order, each after the policy has decided on it.
    ///
    /// Dropping the future stops the call that runs. The calls that were answered stay so, and [`finish`](Self::finish)
    /// answers the others as interrupted.
    pub async fn run(&mut self, state: &S) {
        let policy = self.offer.registry.inner.policy.as_deref();
        for pending in &mut self.calls {
            let (Some(admitted), None) = (&pending.admitted, &pending.outcome) else { continue };
            if let Some(policy) = policy
                && let Decision::Deny(reason) = policy.decide(state, admitted).await
            {
                pending.outcome = Some(Outcome::Denied { reason });
                continue;
            }
            // None where an earlier `run` started the call and was dropped: it is not started twice.
            let Some(bound) = pending.bound.take() else { continue };
            pending.outcome = Some(match bound.start(state, &pending.info).await {
                Ok(answer) => Outcome::Completed { answer },
                Err(error) => Outcome::Failed { failure: Failure::of(error, admitted.name()) },
            });
        }
    }

    /// Writes the answers. A call that has none yet is answered as interrupted.
    pub fn finish(self, _run: &mut Run) -> Settled {
        let wire = Arc::clone(&self.offer.core.wire);
        let sentences = &*self.offer.registry.inner.sentences;
        let (mut calls, mut sent, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        for pending in self.calls {
            let (call, under, block) = pending.answered(&*wire, sentences);
            calls.push(call);
            sent.push(under);
            blocks.push(block);
        }
        Settled { wire, ending: self.ending, assistant: self.assistant, calls, sent, blocks }
    }
}

impl<S: ?Sized> Pending<S> {
    /// Puts one call of a reply through the gates.
    fn judge(offer: &Offer<S>, call: Call, id: Id, place: usize, ending: Ending) -> Self {
        let most = offer.registry.inner.limits.calls;
        let judged = if id.shared {
            let id = call.id().filter(|id| text::is_plain(id, MAX_KEY)).map(str::to_owned);
            Err(Rejection::DuplicateId { id })
        } else if place >= most {
            Err(Rejection::OverLimit { limit: Exceeded::Calls { most } })
        } else if let Some(reason) = not_runnable(ending) {
            Err(Rejection::TurnNotRunnable { reason })
        } else {
            offer.prepare(&call)
        };
        let tool = offer.core.offered(call.name()).map(str::to_owned);
        let info = CallInfo { id: id.text, tool: tool.clone().unwrap_or_default(), idempotency_key: String::new() };
        let (admitted, bound, outcome) = match judged {
            Ok((admitted, bound)) => (Some(admitted), Some(bound), None),
            Err(rejection) => (None, None, Some(Outcome::Rejected { rejection })),
        };
        Self { call, info, minted: id.minted, tool, admitted, bound, outcome }
    }

    fn answered(self, wire: &dyn Wire, sentences: &dyn Sentences) -> (Call, Sent, ResultBlock) {
        let outcome = self.outcome.or_else(|| {
            let definition = self.admitted.as_ref()?.definition();
            Some(Outcome::Failed { failure: Failure::interrupted(definition, self.bound.is_none()) })
        });
        // A call without an outcome was admitted: `judge` leaves no third way.
        let outcome = outcome.unwrap_or(Outcome::Denied { reason: String::new() });
        let text = match &outcome {
            Outcome::Completed { answer } => answer.text().into_owned(),
            Outcome::Failed { failure } => failure.words().to_owned(),
            Outcome::Rejected { rejection } => sentences.rejection(rejection),
            Outcome::Denied { reason } => reason.clone(),
        };
        let text = if text.trim().is_empty() { format!("The call was {}.", outcome.kind()) } else { text };
        let name = match &self.tool {
            Some(tool) => tool.clone(),
            None if wire.takes_name(self.call.name()) => self.call.name().to_owned(),
            None => PLACEHOLDER.to_owned(),
        };
        let id = (!self.minted || wire.needs_ids() || self.call.id().is_some()).then(|| self.info.id.clone());
        let block = ResultBlock { id: self.info.id, tool: self.tool, outcome, text };
        (self.call, Sent { id, name }, block)
    }
}

/// The name under which a call is written back that had none the provider takes.
const PLACEHOLDER: &str = "unknown_tool";

fn not_runnable(ending: Ending) -> Option<NotRunnable> {
    match ending {
        // In a cut turn the calls before the last one are whole.
        Ending::ToolUse | Ending::Cut => None,
        Ending::Refused => Some(NotRunnable::Refused),
        Ending::Paused => Some(NotRunnable::Paused),
        Ending::Complete | Ending::Unknown => Some(NotRunnable::NotAskedFor),
    }
}

/// The id under which a call is answered.
struct Id {
    text: String,
    minted: bool,
    /// Whether another call of the reply has the same one.
    shared: bool,
}

/// Gives each call an id of its own within the reply: real APIs leave ids out, and send one twice.
fn assign_ids(calls: &[Call], wire: &dyn Wire, step: u64) -> Vec<Id> {
    let usable = |call: &Call| call.id().filter(|id| wire.takes_id(id)).map(str::to_owned);
    let mut times: HashMap<String, usize> = HashMap::new();
    for id in calls.iter().filter_map(usable) {
        *times.entry(id).or_default() += 1;
    }
    let mut taken = HashSet::new();
    calls
        .iter()
        .enumerate()
        .map(|(place, call)| {
            let own = usable(call);
            let shared = own.as_ref().is_some_and(|id| times[id] > 1);
            match own.filter(|id| taken.insert(id.clone())) {
                Some(text) => Id { text, minted: false, shared },
                None => Id { text: mint(step, place, &times, &mut taken), minted: true, shared },
            }
        })
        .collect()
}

/// An id that no call of the reply has. The step is in it, since providers want ids that are new in the conversation.
fn mint(step: u64, place: usize, sent: &HashMap<String, usize>, taken: &mut HashSet<String>) -> String {
    let mut number = place;
    loop {
        let id = format!("call_{step}_{number}");
        if !sent.contains_key(&id) && taken.insert(id.clone()) {
            return id;
        }
        number += sent.len() + 1;
    }
}

impl<S: ?Sized> fmt::Debug for Turn<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let admitted: Vec<_> = self.admitted().map(Admitted::name).collect();
        f.debug_struct("Turn").field("calls", &self.calls.len()).field("admitted", &admitted).finish_non_exhaustive()
    }
}

/// The id and the name under which a call is written back.
#[derive(Clone, Debug)]
struct Sent {
    id: Option<String>,
    name: String,
}

/// A reply with every call in it answered.
#[must_use = "the results must be sent back, or the provider refuses the next request"]
#[derive(Clone, Debug)]
pub struct Settled {
    wire: Arc<dyn Wire>,
    ending: Ending,
    assistant: Value,
    calls: Vec<Call>,
    sent: Vec<Sent>,
    blocks: Vec<ResultBlock>,
}

impl Settled {
    /// What to append to the conversation: the assistant's turn in a form that the provider takes back, then the results.
    ///
    /// In it, arguments that never were an object are `{}`, a name that the provider would refuse is a placeholder, and a
    /// missing or repeated id is a minted one, the same on both sides. Everything else is as it came.
    pub fn messages(&self) -> Vec<Value> {
        let arguments: Vec<Value> = self.calls.iter().map(|call| call.arguments().to_object()).collect();
        let answers: Vec<Answered<'_>> = self
            .sent
            .iter()
            .zip(&arguments)
            .zip(&self.blocks)
            .map(|((sent, arguments), block)| Answered { id: sent.id.as_deref(), name: &sent.name, arguments, block })
            .collect();
        self.wire.write(&self.assistant, &answers)
    }

    /// The calls of the reply, as the model made them.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// One result block for every call of the reply, in the calls' order.
    pub fn blocks(&self) -> &[ResultBlock] {
        &self.blocks
    }

    /// How the reply ended.
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// What the host should do now. A turn without calls does not by itself mean that the model is finished.
    pub fn next(&self) -> Next {
        match self.ending {
            Ending::Refused => Next::Refused,
            Ending::Paused => Next::Resume,
            _ if !self.blocks.is_empty() => Next::GoOn,
            Ending::Cut => Next::Cut,
            Ending::ToolUse | Ending::Complete | Ending::Unknown => Next::Final,
        }
    }
}

/// What the host should do after a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Next {
    /// Send the messages and take the next reply: the model is waiting for its results.
    GoOn,
    /// The model made no call and is done: this is its answer.
    Final,
    /// The model made no call and was cut by a limit on tokens: its answer is incomplete.
    Cut,
    /// The provider paused the turn: send the messages, and it goes on.
    Resume,
    /// The provider stopped the model for safety or policy. Sending the same again will not help.
    Refused,
}
