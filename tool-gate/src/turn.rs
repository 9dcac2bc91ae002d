//! One reply being settled: its calls judged, then run, then written back.

use std::{fmt, sync::Arc};

use futures_util::{StreamExt, stream};
use serde_json::Value;

use crate::{
    ids::{self, Id},
    leniency::Eased,
    offer::Offer,
    offered::OfferedTool,
    policy::{Admitted, Decision},
    registry::Inner,
    rejection::{Exceeded, NotRunnable, Rejection},
    result::{Failure, FailureKind, Outcome, ResultBlock},
    run::{Run, Step},
    running,
    schema::MAX_KEY,
    sentences::Sentences,
    settled::{Sent, Settled},
    text,
    tool::{Bound, CallInfo},
    wire::{Call, Ending, Reading, Wire},
};

/// One reply being settled. Every call it holds has passed the gates or has its rejection.
pub struct Turn<S: ?Sized + 'static> {
    offer: Offer<S>,
    ending: Ending,
    assistant: Value,
    passed_over: Vec<Value>,
    calls: Vec<Pending<S>>,
    /// Whether what becomes of it counts: a repeated turn, or one after a stop, does not.
    counts: bool,
}

/// One call on its way to its answer. It has an outcome, or it is admitted and will have one.
struct Pending<S: ?Sized + 'static> {
    call: Call,
    info: CallInfo,
    /// Whether the id is ours: the model sent none that could be used.
    minted: bool,
    /// The offered tool that the call names.
    tool: Option<Arc<OfferedTool>>,
    admitted: Option<Admitted>,
    /// Taken when the tool is started.
    bound: Option<Bound<S>>,
    outcome: Option<Outcome>,
}

impl<S: ?Sized> Turn<S> {
    /// `reply` is a digest of the whole reply, where its calls have ids: those make a reply that is seen twice one and the
    /// same, and not a model that repeats itself.
    pub(crate) fn open(offer: Offer<S>, reading: Reading, reply: Option<u64>, run: &mut Run) -> Self {
        let Reading { mut calls, ending, assistant, passed_over, marks_cuts, .. } = reading;
        if ending == Ending::Cut
            && !marks_cuts
            && let Some(last) = calls.last_mut()
        {
            last.mark_cut();
        }
        let (step, repeated) = run.open(reply);
        let refused = match (run.stop(), repeated) {
            (Some(_), _) => Some(NotRunnable::Stopped),
            (None, true) => Some(NotRunnable::Repeated),
            (None, false) => not_runnable(ending),
        };
        let counts = run.stop().is_none() && !repeated;
        let ids = ids::assign(&calls, &*offer.core.wire, step);
        let place = |place| format!("{}/{step}/{place}/", escaped(run.name()));
        let calls = calls.into_iter().zip(ids).enumerate();
        let calls = calls.map(|(at, (call, id))| Pending::judge(&offer, call, id, at, &place(at), refused)).collect();
        Self { offer, ending, assistant, passed_over, calls, counts }
    }

    /// The calls that passed every gate and have no answer yet, in the reply's order.
    pub fn admitted(&self) -> impl Iterator<Item = &Admitted> {
        self.calls.iter().filter(|pending| pending.outcome.is_none()).filter_map(|pending| pending.admitted.as_ref())
    }

    /// Runs the admitted calls, each after the policy has decided on it.
    ///
    /// Calls of `read_only` tools that stand next to each other run concurrently, at most
    /// [`Limits::concurrent`](crate::Limits::concurrent) at once. Every other call runs by itself, after those before it and
    /// before those behind it.
    ///
    /// A tool that panics, or takes longer than it may, fails its own call and no other. Dropping the future stops what
    /// runs: calls that were answered stay so, and [`finish`](Self::finish) answers the others as interrupted.
    pub async fn run(&mut self, state: &S) {
        let inner = &*self.offer.registry.inner;
        let mut rest = self.calls.as_mut_slice();
        while !rest.is_empty() {
            let overlapping = rest.iter().take_while(|pending| pending.may_overlap()).count();
            let (now, later) = rest.split_at_mut(overlapping.max(1));
            rest = later;
            stream::iter(now)
                .for_each_concurrent(inner.limits.concurrent.max(1), |pending| pending.run(state, inner))
                .await;
        }
    }

    /// Writes the answers, and counts what became of the calls. A call that has no answer yet is answered as interrupted.
    pub fn finish(self, run: &mut Run) -> Settled {
        let wire = Arc::clone(&self.offer.core.wire);
        let inner = &*self.offer.registry.inner;
        let (mut calls, mut sent, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        for pending in self.calls {
            if let Some(admitted) = &pending.admitted {
                inner.counters.eased(admitted.name(), admitted.eased());
            }
            let (call, under, block) = pending.answered(&*wire, &*inner.sentences);
            inner.counters.call(block.tool(), block.outcome());
            calls.push(call);
            sent.push(under);
            blocks.push(block);
        }
        let mut step = step(&blocks);
        step.goes_on |= self.ending == Ending::Paused || !self.passed_over.is_empty();
        let turned = if self.counts { run.close(&step, &inner.limits) } else { run.idle(&inner.limits) };
        for turned in turned {
            inner.counters.streak(&turned);
        }
        let stop = run.stop().cloned();
        let (depth, argument_bytes) = (inner.limits.depth, inner.limits.argument_bytes);
        let (ending, assistant, passed_over) = (self.ending, self.assistant, self.passed_over);
        Settled { wire, ending, assistant, passed_over, calls, sent, blocks, stop, depth, argument_bytes }
    }
}

/// What a run counts of a step. A denial is neither an admission nor a rejection.
fn step(blocks: &[ResultBlock]) -> Step<'_> {
    let mut step = Step { goes_on: !blocks.is_empty(), ..Step::default() };
    for block in blocks {
        match (block.outcome(), block.tool()) {
            // That nothing of a reply may run is no fault of the model's, and that a call was cut short no merit.
            (Outcome::Rejected { rejection: Rejection::TurnNotRunnable { .. } }, _) => {}
            (Outcome::Failed { failure }, _) if failure.kind() == FailureKind::Interrupted => {}
            (Outcome::Rejected { .. }, tool) => step.rejected.push((tool, block.text())),
            (Outcome::Completed { .. } | Outcome::Failed { .. }, Some(tool)) => step.admitted.push(tool),
            _ => {}
        }
    }
    step
}

impl<S: ?Sized> Pending<S> {
    /// Puts one call of a reply through the gates. `refused` is why nothing of the reply may run.
    fn judge(offer: &Offer<S>, call: Call, id: Id, place: usize, key: &str, refused: Option<NotRunnable>) -> Self {
        let most = offer.registry.inner.limits.calls;
        let judged = if let Some(reason @ (NotRunnable::Stopped | NotRunnable::Repeated)) = refused {
            Err(Rejection::TurnNotRunnable { reason })
        } else if id.shared {
            let id = call.id().filter(|id| text::is_plain(id, MAX_KEY)).map(str::to_owned);
            Err(Rejection::DuplicateId { id })
        } else if place >= most {
            Err(Rejection::OverLimit { limit: Exceeded::Calls { most } })
        } else if let Some(reason) = refused {
            Err(Rejection::TurnNotRunnable { reason })
        } else {
            match running::unwinding(|| offer.prepare(&call)) {
                Ok(judged) => judged,
                Err(message) => return Self::unjudged(offer, call, id, key, message),
            }
        };
        let tool = match &judged {
            Ok((admitted, _)) => Some(Arc::clone(&admitted.tool)),
            Err(_) => offer.core.offered_as(call.name(), &offer.registry.inner.limits).cloned(),
        };
        let idempotency_key = format!("{key}{}", escaped(&id.text));
        let own_name = tool.as_deref().map(OfferedTool::own_name);
        let info = CallInfo { id: id.text, tool: own_name.unwrap_or_default().to_owned(), idempotency_key };
        let (admitted, bound, outcome) = match judged {
            Ok((admitted, bound)) => (Some(admitted), Some(bound), None),
            Err(rejection) => {
                running::note_rejection(own_name, &info, &rejection);
                (None, None, Some(Outcome::Rejected { rejection }))
            }
        };
        Self { call, info, minted: id.minted, tool, admitted, bound, outcome }
    }

    /// A call whose arguments' own code panicked over them. It fails by itself, and nothing has run.
    fn unjudged(offer: &Offer<S>, call: Call, id: Id, key: &str, message: String) -> Self {
        let tool = offer.core.offered_as(call.name(), &offer.registry.inner.limits);
        let tool = tool.or_else(|| offer.affixed(call.name())).cloned();
        let failure = Failure::not_run(message, tool.as_ref().map_or("", |tool| &tool.name));
        let own_name = tool.as_deref().map(OfferedTool::own_name).unwrap_or_default().to_owned();
        let info = CallInfo { idempotency_key: format!("{key}{}", escaped(&id.text)), id: id.text, tool: own_name };
        let outcome = Some(Outcome::Failed { failure });
        Self { call, info, minted: id.minted, tool, admitted: None, bound: None, outcome }
    }

    /// Whether it may run beside its neighbours: it changes nothing, or it does not run at all.
    fn may_overlap(&self) -> bool {
        let reads_only = |admitted: &Admitted| admitted.definition().effects().read_only;
        self.outcome.is_some() || self.admitted.as_ref().is_some_and(reads_only)
    }

    async fn run(&mut self, state: &S, inner: &Inner<S>) {
        let (Some(admitted), None) = (&self.admitted, &self.outcome) else { return };
        let tool = &*admitted.tool;
        let (bound, info) = (&mut self.bound, &self.info);
        // An earlier `run` started the call and was dropped: it is not started twice.
        if bound.is_none() {
            return;
        }
        let call = async {
            if let Some(policy) = &inner.policy {
                // A closure decides when it is asked, and not when its answer is awaited.
                match running::decided(async { policy.decide(state, admitted).await }).await {
                    Ok(Decision::Allow) => {}
                    Ok(Decision::Deny(reason)) => return Some(Outcome::Denied { reason }),
                    // Without a decision nothing runs.
                    Err(message) => return Some(Outcome::Failed { failure: Failure::not_run(message, &tool.name) }),
                }
            }
            let bound = bound.take()?;
            let limit = admitted.timeout.or(inner.limits.timeout);
            // Started inside the guard: lending the state to the tool is the application's code as well.
            let ended = running::guard(async move { bound.start(state, info).await }, limit).await;
            Some(ended.outcome(tool))
        };
        self.outcome = running::traced(running::span(&tool.definition, info, admitted.eased()), call).await;
    }

    fn answered(mut self, wire: &dyn Wire, sentences: &dyn Sentences) -> (Call, Sent, ResultBlock) {
        let outcome = self.outcome.take().or_else(|| {
            let tool = &self.admitted.as_ref()?.tool;
            Some(Outcome::Failed { failure: Failure::interrupted(tool, self.bound.is_none()) })
        });
        running::discard(self.bound.take());
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
            Some(tool) => tool.name.clone(),
            None if wire.takes_name(self.call.name()) => self.call.name().to_owned(),
            None => PLACEHOLDER.to_owned(),
        };
        let id = (!self.minted || wire.needs_ids() || self.call.id().is_some()).then(|| self.info.id.clone());
        let arguments = match &self.admitted {
            // As they came they were no object, and none that ran is to look as if it had none.
            Some(admitted) if admitted.eased().iter().any(Eased::is_of_all) => admitted.sent.clone(),
            _ => self.call.arguments().clone(),
        };
        let tool = self.tool.map(|_| self.info.tool);
        let block = ResultBlock { id: self.info.id, tool, outcome, text };
        (self.call, Sent { id, name, arguments }, block)
    }
}

/// The name under which a call is written back that had none the provider takes.
const PLACEHOLDER: &str = "unknown_tool";

/// A part of an idempotency key, in which a stroke separates the parts.
fn escaped(part: &str) -> String {
    part.replace('%', "%25").replace('/', "%2F")
}

fn not_runnable(ending: Ending) -> Option<NotRunnable> {
    match ending {
        // In a cut turn the calls before the last one are whole.
        Ending::ToolUse | Ending::Cut => None,
        Ending::Refused => Some(NotRunnable::Refused),
        Ending::Paused => Some(NotRunnable::Paused),
        Ending::Complete | Ending::Unknown => Some(NotRunnable::NotAskedFor),
    }
}

impl<S: ?Sized> fmt::Debug for Turn<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let admitted: Vec<_> = self.admitted().map(Admitted::name).collect();
        f.debug_struct("Turn").field("calls", &self.calls.len()).field("admitted", &admitted).finish_non_exhaustive()
    }
}
