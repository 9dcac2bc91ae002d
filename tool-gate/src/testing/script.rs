//! A model that says what a test wrote down, and what it is answered.

use std::panic::Location;

use serde_json::Value;

use crate::{
    offer::Offer,
    result::{OutcomeKind, ResultBlock},
    run::{Run, Stop},
    settled::Settled,
    wire::{Arguments, Call, Ending, Said},
};

/// A whole conversation: what a model says, and what it reads of each call. Whichever wire the offer has, its replies are
/// played in that; `wire::Plain` has one call in a reply and no other words, so a script for it ends without `says`.
///
/// ```
/// use serde_json::json;
/// use tool_gate::{OutcomeKind, Registry, Select, testing::{Script, block_on}, tool, wire};
///
/// /// Find orders.
/// #[tool(read_only)]
/// fn search_orders(#[arg(range = 1..=100)] limit: u8) -> Vec<u8> {
///     vec![7; limit.into()]
/// }
///
/// let registry = Registry::<()>::builder().tool::<search_orders>().build()?;
/// let offer = registry.offer(wire::OpenAiChat::default(), Select::All)?;
/// let script = Script::new()
///     .calls("serch_orders", json!({"limit": 1}))
///     .reads("No tool named \"serch_orders\". Available tools: search_orders.")
///     .calls("search_orders", r#"{"limit": "#)
///     .ends(OutcomeKind::Rejected)
///     .calls("search_orders", json!({"limit": 1}))
///     .reads("[7]")
///     .and_calls("search_orders", json!({"limit": 2}))
///     .reads("[7,7]")
///     .says("There are three.");
/// let played = block_on(script.play(&offer, &()));
/// assert_eq!(played.messages().len(), 8);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is said before `play`"]
pub struct Script {
    replies: Vec<Reply>,
    stops: bool,
}

/// One reply, with what is expected of it.
#[derive(Clone, Debug)]
struct Reply {
    text: Option<String>,
    calls: Vec<Asked>,
    ending: Ending,
}

#[derive(Clone, Debug)]
struct Asked {
    name: String,
    arguments: Arguments,
    expected: Vec<(Expected, &'static Location<'static>)>,
}

#[derive(Clone, Debug)]
enum Expected {
    Text(String),
    Kind(OutcomeKind),
}

impl Script {
    /// A conversation in which nothing is said yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Then the model makes this call, in a reply of its own. An offered tool is called by its own name, whichever it is
    /// [published](Offer::published_name) under. The arguments are a [`Value`], or the text that it writes.
    pub fn calls(mut self, name: impl Into<String>, arguments: impl Into<Arguments>) -> Self {
        self.replies.push(Reply { text: None, calls: Vec::new(), ending: Ending::ToolUse });
        self.and_calls(name, arguments)
    }

    /// In the same reply it makes this call too.
    pub fn and_calls(mut self, name: impl Into<String>, arguments: impl Into<Arguments>) -> Self {
        let call = Asked { name: name.into(), arguments: arguments.into(), expected: Vec::new() };
        match self.replies.last_mut() {
            Some(reply) => {
                reply.calls.push(call);
                if reply.ending == Ending::Complete {
                    reply.ending = Ending::ToolUse;
                }
            }
            None => self.replies.push(Reply { text: None, calls: vec![call], ending: Ending::ToolUse }),
        }
        self
    }

    /// Then it says this, and is done. What it calls [as well](Self::and_calls) is in the same reply.
    pub fn says(mut self, text: impl Into<String>) -> Self {
        self.replies.push(Reply { text: Some(text.into()), calls: Vec::new(), ending: Ending::Complete });
        self
    }

    /// That reply ends otherwise: [`Ending::Cut`] cuts its last call.
    pub fn ending(mut self, ending: Ending) -> Self {
        if let Some(reply) = self.replies.last_mut() {
            reply.ending = ending;
        }
        self
    }

    /// Of that call the model reads exactly this.
    #[track_caller]
    pub fn reads(self, text: impl Into<String>) -> Self {
        self.expect(Expected::Text(text.into()), Location::caller())
    }

    /// That call ends in this way.
    #[track_caller]
    pub fn ends(self, kind: OutcomeKind) -> Self {
        self.expect(Expected::Kind(kind), Location::caller())
    }

    fn expect(mut self, expected: Expected, at: &'static Location<'static>) -> Self {
        let call = self.replies.last_mut().and_then(|reply| reply.calls.last_mut());
        let call = call.unwrap_or_else(|| panic!("{at}: there is no call that this could be read of"));
        call.expected.push((expected, at));
        self
    }

    /// After the last reply, the run is stopped.
    pub fn stops(mut self) -> Self {
        self.stops = true;
        self
    }

    /// Plays the conversation from its start.
    ///
    /// # Panics
    ///
    /// Where the model reads something else than the script says, or the run stops where it does not; and where the wire cannot
    /// say what the script does: [`Wire::compose`](crate::wire::Wire::compose).
    pub async fn play<S: ?Sized>(self, offer: &Offer<S>, state: &S) -> Played {
        self.resume(offer, state, Run::default()).await
    }

    /// Plays it on, from where a run has come to.
    ///
    /// # Panics
    ///
    /// As [`play`](Self::play) does.
    pub async fn resume<S: ?Sized>(self, offer: &Offer<S>, state: &S, mut run: Run) -> Played {
        let (mut messages, mut steps) = (Vec::new(), Vec::new());
        let last = self.replies.len();
        for (place, reply) in (1..).zip(&self.replies) {
            let said = reply.said(run.steps() + 1, offer);
            let wire = &*offer.core.wire;
            let body = wire.compose(&said);
            let body = body.unwrap_or_else(|| panic!("reply {place}: {wire:?} does not compose such a reply"));
            let settled = offer.settle(&body, state, &mut run).await;
            let settled = settled
                .unwrap_or_else(|error| panic!("reply {place}: what the wire composed it does not read: {error}"));
            reply.check(place, settled.blocks());
            messages.extend(settled.messages());
            let stopped = settled.finished().err();
            steps.push(settled);
            let may_stop = self.stops && place == last;
            match stopped {
                Some(stop) if !may_stop => panic!("reply {place}: the run is stopped: {stop}"),
                None if may_stop => panic!("reply {place}: the run is not stopped"),
                _ => {}
            }
        }
        Played { messages, steps, run }
    }
}

impl Reply {
    fn said<S: ?Sized>(&self, number: u64, offer: &Offer<S>) -> Said {
        let calls = self.calls.iter().enumerate().map(|(place, asked)| {
            let name = offer.published_name(&asked.name).unwrap_or(&asked.name);
            Call::new(Some(format!("call_{number}_{place}")), name, asked.arguments.clone())
        });
        Said { number, text: self.text.clone(), calls: calls.collect(), ending: self.ending }
    }

    fn check(&self, place: usize, blocks: &[ResultBlock]) {
        for (asked, block) in self.calls.iter().zip(blocks) {
            let (name, text, kind) = (&asked.name, block.text(), block.kind());
            for (expected, at) in &asked.expected {
                match expected {
                    Expected::Text(expected) if expected != text => {
                        panic!("{at}: of {name} in reply {place} the model reads\n  {text}\nand not\n  {expected}")
                    }
                    Expected::Kind(expected) if *expected != kind => {
                        panic!("{at}: {name} in reply {place} is {kind} and not {expected}: {text}")
                    }
                    _ => {}
                }
            }
        }
    }
}

/// A conversation that was played.
#[derive(Clone, Debug)]
pub struct Played {
    messages: Vec<Value>,
    steps: Vec<Settled>,
    run: Run,
}

impl Played {
    /// What was appended to the conversation, as the wire writes it: each of the model's turns, and the results.
    pub fn messages(&self) -> &[Value] {
        &self.messages
    }

    /// Each reply, with every call in it answered.
    pub fn steps(&self) -> &[Settled] {
        &self.steps
    }

    /// The answers to all calls, in their order.
    pub fn blocks(&self) -> impl Iterator<Item = &ResultBlock> {
        self.steps.iter().flat_map(Settled::blocks)
    }

    /// Why the run was stopped, if it was.
    pub fn stop(&self) -> Option<&Stop> {
        self.run.stop()
    }

    /// Where the run has come to.
    pub fn run(&self) -> &Run {
        &self.run
    }
}
