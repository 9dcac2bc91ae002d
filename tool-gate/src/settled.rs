//! A reply with every call in it answered: what to send back, and what to do next.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    result::ResultBlock,
    run::Stop,
    wire::{Answered, Arguments, Call, Ending, Replayed, Wire},
};

/// A reply with every call in it answered.
#[must_use = "the results must be sent back, or the provider refuses the next request"]
#[derive(Clone)]
pub struct Settled {
    pub(crate) wire: Arc<dyn Wire>,
    pub(crate) ending: Ending,
    pub(crate) assistant: Value,
    pub(crate) passed_over: Vec<Value>,
    pub(crate) calls: Vec<Call>,
    /// In the order of `calls`.
    pub(crate) sent: Vec<Sent>,
    /// In the order of `calls`.
    pub(crate) blocks: Vec<ResultBlock>,
    pub(crate) stop: Option<Stop>,
    /// How deep admitted arguments may nest.
    pub(crate) depth: usize,
    /// How long arguments may be.
    pub(crate) argument_bytes: usize,
}

/// How deep refused arguments may nest to be written back as they were sent, and not as an empty object.
const REPLAYED_DEPTH: usize = 120;

/// How a call is written back: under this id and this name, and with these arguments.
#[derive(Clone)]
pub(crate) struct Sent {
    pub id: Option<String>,
    pub name: String,
    pub arguments: Arguments,
}

impl Settled {
    /// What to append to the conversation: the assistant's turn in a form that the provider takes back, then the results.
    ///
    /// In it, arguments that never were an object, or were too long, are `{}`, a name that the provider would refuse is a
    /// placeholder, and a missing or repeated id is a minted one, the same on both sides. Arguments that the offer's
    /// [leniency](crate::Leniency) took out of a fence or a string are the object that was read. What the provider refuses in a
    /// request is left out, such as texts that say nothing. Everything else is as it came; where arguments are an object, a
    /// number beyond 64 bits is the nearest that JSON values hold.
    ///
    /// Empty where nothing of the reply goes back. To a provider that wants the roles to take turns, as `Bedrock` does, the next
    /// thing that the user says is then said in the last message.
    pub fn messages(&self) -> Vec<Value> {
        let depth = self.depth.max(REPLAYED_DEPTH);
        let arguments: Vec<Replayed<'_>> =
            self.sent.iter().map(|sent| Replayed::new(self.replayed(&sent.arguments), depth)).collect();
        let answers: Vec<Answered<'_>> = self
            .sent
            .iter()
            .zip(&arguments)
            .zip(&self.blocks)
            .map(|((under, arguments), block)| Answered {
                id: under.id.as_deref(),
                name: &under.name,
                arguments,
                block,
            })
            .collect();
        self.wire.write(&self.assistant, &answers)
    }

    /// The arguments that go back. Too long ones were not read, and do not.
    fn replayed<'a>(&self, sent: &'a Arguments) -> &'a Arguments {
        static NONE: Arguments = Arguments::Absent;
        match sent {
            Arguments::Text(text) if text.len() > self.argument_bytes => &NONE,
            sent => sent,
        }
    }

    /// The calls of the reply, as the model made them.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// The calls that are the host's own to answer, as they came: those of tools that no offer can hold, such as custom and
    /// namespaced ones, which the host put beside the offer's. They stand in the assistant's turn of
    /// [`messages`](Self::messages), and their results are the host's to add, each once: behind the last of the messages, or
    /// with Anthropic, which wants the results of a turn in one message, to the `content` of the last, where that is the user's.
    ///
    /// In a turn that was [refused](TurnOutcome::Refused) they are to be answered and not to be run, and so is one that is itself
    /// marked as incomplete.
    pub fn passed_over(&self) -> &[Value] {
        &self.passed_over
    }

    /// One result block for every call of the reply, in the calls' order.
    pub fn blocks(&self) -> &[ResultBlock] {
        &self.blocks
    }

    /// Whether the conversation, for now, is over: the model answered without a call. It is also over, with less to show
    /// for it, where the answer was cut or refused: [`outcome`](Self::outcome) tells.
    ///
    /// # Errors
    ///
    /// [`Stop`] where the run has reached a bound. Every block is there all the same, and belongs into the record.
    pub fn finished(&self) -> Result<bool, Stop> {
        match self.outcome() {
            TurnOutcome::Stopped(stop) => Err(stop),
            TurnOutcome::GoOn | TurnOutcome::Paused => Ok(false),
            TurnOutcome::Final | TurnOutcome::Cut | TurnOutcome::Refused => Ok(true),
        }
    }

    /// What became of the turn. A turn without calls does not by itself mean that the model is finished.
    pub fn outcome(&self) -> TurnOutcome {
        if let Some(stop) = &self.stop {
            return TurnOutcome::Stopped(stop.clone());
        }
        match self.ending {
            Ending::Refused => TurnOutcome::Refused,
            Ending::Paused => TurnOutcome::Paused,
            _ if !self.blocks.is_empty() || !self.passed_over.is_empty() => TurnOutcome::GoOn,
            Ending::Cut => TurnOutcome::Cut,
            Ending::ToolUse | Ending::Complete | Ending::Unknown => TurnOutcome::Final,
        }
    }
}

/// Shows how the calls ended, and not what a model wrote.
impl fmt::Debug for Settled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ends: Vec<_> = self.blocks.iter().map(|block| (block.tool(), block.kind())).collect();
        f.debug_struct("Settled").field("ending", &self.ending).field("calls", &ends).finish_non_exhaustive()
    }
}

/// What became of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TurnOutcome {
    /// Send the messages and take the next reply: the model is waiting for its results.
    GoOn,
    /// The model made no call and is done: this is its answer.
    Final,
    /// The model made no call and was cut by a limit on tokens: its answer is incomplete.
    Cut,
    /// The provider paused the turn. Send the messages, and it goes on.
    Paused,
    /// The provider stopped the model for safety or policy. Sending the same again will not help.
    Refused,
    /// The run has reached a bound: send nothing more.
    Stopped(Stop),
}
