//! One streamed reply, put together as it arrives.

use std::{fmt, sync::Arc};

use serde::Serialize;

use crate::{
    leniency::Leniency,
    limits::Limits,
    offer::Core,
    wire::{Assemble, Reply, ReplyError},
};

/// One streamed reply, put together as it arrives. It tells of each name as soon as it is there, before the arguments are
/// written, so that a host can stop a model that calls a tool it was not offered.
///
/// ```
/// # use tool_gate::{DynamicTool, Registry, Run, Select, wire};
/// # let search = DynamicTool::new("search", "Search.", serde_json::json!({"type": "object"}), |(), arguments, _| {
/// #     Box::pin(async move { Ok(arguments) })
/// # });
/// # let offer = Registry::builder().dynamic(search).build()?.offer(wire::Anthropic::default(), Select::All)?;
/// # let block = r#"{"type": "tool_use", "id": "t1", "name": "serch", "input": {}}"#;
/// # let body = [format!(r#"data: {{"type": "content_block_start", "index": 0, "content_block": {block}}}"#)];
/// let mut assembler = offer.assembler().ok_or("this provider does not stream")?;
/// for line in body {
///     let named = assembler.push(&line)?;
///     if named.iter().any(|call| !call.is_offered()) {
///         break; // Drop the connection: the call is answered all the same.
///     }
/// }
/// let turn = offer.open(assembler.finish(), &mut Run::default())?;
/// # assert_eq!(turn.admitted().count(), 0);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub struct Assembler {
    wire: Box<dyn Assemble>,
    offer: Arc<Core>,
    leniency: Leniency,
    limits: Limits,
}

/// The fields of server-sent events that hold no data, and comments.
const SILENT: [&str; 4] = ["event:", "id:", "retry:", ":"];

/// The name of a call that is being streamed.
#[derive(Clone, PartialEq, Eq)]
pub struct Named {
    name: String,
    tool: Option<String>,
}

impl Assembler {
    pub(crate) fn new(wire: Box<dyn Assemble>, offer: Arc<Core>, leniency: Leniency, limits: Limits) -> Self {
        Self { wire, offer, leniency, limits }
    }

    /// Takes one line of the response's body, or the data of one event: `data: {…}` and `{…}` are the same. Blank lines, the
    /// other fields of server-sent events and comments say nothing. Gives back the calls that it names.
    ///
    /// # Errors
    ///
    /// [`ReplyError`] where the event is no JSON, not of the provider's shape, or its report of an error. What was taken
    /// before is kept.
    pub fn push(&mut self, line: &str) -> Result<Vec<Named>, ReplyError> {
        let line = line.trim();
        let data = line.strip_prefix("data:").map_or(line, str::trim_start);
        if data == "[DONE]" {
            self.wire.done();
            return Ok(Vec::new());
        }
        if data.is_empty() || SILENT.iter().any(|field| line.starts_with(field)) {
            return Ok(Vec::new());
        }
        let names = Reply::from(data).event(&mut *self.wire)?;
        Ok(names.into_iter().map(|name| self.named(name)).collect())
    }

    /// Takes one event of a client library's own type.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push), and where it cannot be serialised.
    pub fn push_event(&mut self, event: &impl Serialize) -> Result<Vec<Named>, ReplyError> {
        let event = serde_json::to_string(event)
            .map_err(|error| ReplyError::new(format!("the event cannot be serialised: {error}")))?;
        self.push(&event)
    }

    /// The whole reply, to be settled. Where the stream broke off, or was broken off, it is a reply that was cut: its last
    /// call does not run, and every call in it is answered.
    pub fn finish(self) -> Reply<'static> {
        Reply::from(self.wire.reply())
    }

    fn named(&self, name: String) -> Named {
        let (offer, limits) = (&self.offer, &self.limits);
        let tool = offer.offered_as(&name, limits).or_else(|| offer.affixed(&name, self.leniency, limits));
        let tool = tool.map(|tool| tool.own_name().to_owned());
        Named { name, tool }
    }
}

impl Named {
    /// Whether a tool of this name is offered, or the offer is [lenient](crate::Leniency::name_affix) and takes it for one that
    /// is. Where none is, the call will be rejected, whatever its arguments are.
    pub fn is_offered(&self) -> bool {
        self.tool.is_some()
    }

    /// The offered tool, by its own name.
    pub fn tool(&self) -> Option<&str> {
        self.tool.as_deref()
    }

    /// The name as sent. It may be anything.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Shows the offered tool, and not what a model wrote.
impl fmt::Debug for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Named").field("tool", &self.tool).finish_non_exhaustive()
    }
}

impl fmt::Debug for Assembler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assembler").finish_non_exhaustive()
    }
}
