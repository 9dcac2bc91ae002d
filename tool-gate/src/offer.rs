//! What one request offers, and the gates that its reply's calls go through.

use std::{
    error::Error,
    fmt,
    sync::{Arc, OnceLock},
};

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, value::RawValue};

use crate::{
    assembler::Assembler,
    compiled::Compiled,
    counters::Counters,
    gate,
    leniency::Leniency,
    limits::Limits,
    lower::{self, Mode, Offering, Report, Unpublishable},
    names,
    offered::OfferedTool,
    policy::Admitted,
    registry::Registry,
    rejection::Rejection,
    run::Run,
    settled::Settled,
    tool::{Bound, Definition},
    turn::Turn,
    wire::{Call, Choice, ChoiceError, IntoReply, PublishedTool, ReplyError, ToolChoice, Wire},
};

/// Which tools of a registry are offered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Select {
    /// All of them.
    #[default]
    All,
    /// Those that are named.
    Only(Vec<String>),
    /// Those that are not named.
    Without(Vec<String>),
}

impl Select {
    /// The tools of these names.
    pub fn only<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self::Only(names.into_iter().map(Into::into).collect())
    }

    /// All tools but those of these names.
    pub fn without<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self::Without(names.into_iter().map(Into::into).collect())
    }

    fn names(&self) -> &[String] {
        match self {
            Self::All => &[],
            Self::Only(names) | Self::Without(names) => names,
        }
    }

    fn takes(&self, name: &str) -> bool {
        let named = self.names().iter().any(|known| known == name);
        match self {
            Self::All => true,
            Self::Only(_) => named,
            Self::Without(_) => !named,
        }
    }
}

/// The tools sent with one request, for one provider. Cheap to clone, and good for any number of requests.
pub struct Offer<S: ?Sized + 'static> {
    pub(crate) registry: Registry<S>,
    pub(crate) core: Arc<Core>,
    pub(crate) leniency: Leniency,
}

/// The part of an offer that does not depend on the state.
#[derive(Debug)]
pub(crate) struct Core {
    pub wire: Arc<dyn Wire>,
    tools: Tools,
    report: Report,
    /// Sorted by the names under which they are published.
    pub offered: Vec<Arc<OfferedTool>>,
}

impl<S: ?Sized> Offer<S> {
    pub(crate) fn new(
        registry: Registry<S>,
        wire: Arc<dyn Wire>,
        select: &Select,
        mode: Mode,
    ) -> Result<Self, OfferError> {
        let core = Arc::new(Core::new(&registry.inner.tools, wire, select, mode)?);
        Ok(Self { registry, core, leniency: Leniency::none() })
    }

    /// Forgives this much, and nothing more, in the calls that the gates refuse. See [`Leniency`].
    #[must_use]
    pub fn lenient(mut self, leniency: Leniency) -> Self {
        self.leniency = leniency;
        self
    }

    /// The request's `tools`, serialised once: the same bytes from request to request and from run to run.
    pub fn tools(&self) -> &Tools {
        &self.core.tools
    }

    /// What of the tools' schemas is published otherwise than it is enforced, and which tools are strict.
    pub fn report(&self) -> &Report {
        &self.core.report
    }

    /// What a request says of its tools: [`tools`](Self::tools) and what the model is to do with them, as members of the
    /// request's body, under the provider's own keys.
    ///
    /// ```
    /// use serde_json::json;
    /// use tool_gate::{DynamicTool, Registry, Select, wire::{self, ToolChoice}};
    /// # let ping = DynamicTool::new("ping", "Answer.", json!({"type": "object"}), |(), arguments, _| {
    /// #     Box::pin(async move { Ok(arguments) })
    /// # });
    /// # let registry = Registry::builder().dynamic(ping).build()?;
    ///
    /// let offer = registry.offer(wire::Anthropic::default(), Select::All)?;
    /// let mut request = json!({"model": "claude-sonnet-4-6", "messages": []});
    /// let asked = offer.request(&ToolChoice::tool("ping").one_call())?;
    /// request.as_object_mut().into_iter().for_each(|body| body.extend(asked.clone()));
    /// assert_eq!(request["tool_choice"], json!({"type": "tool", "name": "ping", "disable_parallel_tool_use": true}));
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Where no tool is offered, it says nothing: providers refuse an empty list, and a choice among none.
    ///
    /// # Errors
    ///
    /// [`ChoiceError`] where the tool that must be called is not offered, or none is and one must be called, or the provider has
    /// no words for the choice.
    pub fn request(&self, choice: &ToolChoice) -> Result<Map<String, Value>, ChoiceError> {
        let is_empty = self.core.offered.is_empty();
        match choice.choice() {
            Choice::Named(tool) => match self.published_name(tool) {
                Some(name) => self.core.wire.request(self.tools(), &choice.of_tool(name)),
                None => Err(ChoiceError::NotOffered { tool: tool.clone() }),
            },
            Choice::Required if is_empty => Err(ChoiceError::NothingOffered),
            _ if is_empty => Ok(self.core.wire.request_without_tools()),
            _ => self.core.wire.request(self.tools(), choice),
        }
    }

    /// What puts one streamed reply together; none where the provider's replies come whole.
    pub fn assembler(&self) -> Option<Assembler> {
        let limits = self.registry.inner.limits.clone();
        Some(Assembler::new(self.core.wire.assemble()?, Arc::clone(&self.core), self.leniency, limits))
    }

    /// The definitions that are offered, in the order of the names under which they are published.
    pub fn definitions(&self) -> impl Iterator<Item = &Definition> {
        self.core.offered.iter().map(|tool| &*tool.definition)
    }

    /// The name under which this tool is published: its own, where the provider takes that. None where it is not offered.
    ///
    /// A name that the provider refuses, for its dots, its dashes or its length, is published as one made of it that the
    /// provider takes, always the same while the registry has the same tools. The model calls the tool by that name, reads
    /// it in what it is told, and it stands in the conversation. The host knows the tool by its own.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use tool_gate::{DynamicTool, Registry, Select, wire};
    /// # let route = DynamicTool::new("maps.route", "Find a way.", json!({"type": "object"}), |(), arguments, _| {
    /// #     Box::pin(async move { Ok(arguments) })
    /// # });
    /// let registry = Registry::builder().dynamic(route).build()?;
    /// let offer = registry.offer(wire::Anthropic::default(), Select::only(["maps.route"]))?;
    /// assert_eq!(offer.published_name("maps.route"), Some("maps_route"));
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn published_name(&self, tool: &str) -> Option<&str> {
        self.core.offered.iter().find(|offered| offered.own_name() == tool).map(|offered| &*offered.name)
    }

    /// How the calls of its registry's offers ended.
    pub fn counters(&self) -> &Counters {
        self.registry.counters()
    }

    /// Puts one call through the name, parse, schema and bind gates. Nothing runs, nothing is counted, nothing is asked.
    ///
    /// # Errors
    ///
    /// The [`Rejection`] to tell the model of.
    pub fn check(&self, call: &Call) -> Result<Admitted, Rejection> {
        self.prepare(call).map(|(admitted, _)| admitted)
    }

    /// Reads a reply and puts its calls through the gates.
    ///
    /// # Errors
    ///
    /// [`ReplyError`] where the reply is not of the provider's shape. The run is then as it was.
    pub fn open<'r>(&self, reply: impl IntoReply<'r>, run: &mut Run) -> Result<Turn<S>, ReplyError> {
        let reading = reply.into().read(&*self.core.wire)?;
        let digest = reading.digest();
        Ok(Turn::open(self.clone(), reading, digest, run))
    }

    /// Takes one reply and answers every call in it: [`open`](Self::open), [`Turn::run`], [`Turn::finish`].
    ///
    /// # Errors
    ///
    /// [`ReplyError`] where the reply is not of the provider's shape. Nothing that a model wrote is an error: it is
    /// answered. The run is then as it was.
    pub async fn settle<'r>(&self, reply: impl IntoReply<'r>, state: &S, run: &mut Run) -> Result<Settled, ReplyError> {
        let mut turn = self.open(reply, run)?;
        turn.run(state).await;
        Ok(turn.finish(run))
    }

    /// [`check`](Self::check), keeping the bound arguments.
    pub(crate) fn prepare(&self, call: &Call) -> Result<(Admitted, Bound<S>), Rejection> {
        match self.pass(call) {
            Err(rejection) if self.leniency != Leniency::none() => self.ease(call, rejection),
            judged => judged,
        }
    }

    /// Puts a call through the gates as it stands.
    pub(crate) fn pass(&self, call: &Call) -> Result<(Admitted, Bound<S>), Rejection> {
        let registry = &*self.registry.inner;
        if let Some(fault) = call.fault() {
            return Err(Rejection::Envelope { fault: fault.clone() });
        }
        let tool = gate::find(call.name(), &self.core.offered, &registry.limits)?;
        let Some(raise) = &tool.raise else { return self.judge(tool, call) };
        let (published, terms) = (tool.published.as_ref(), registry.tools[tool.place].terms(&registry.limits));
        let raised = || {
            let raised = raise.call(call, &registry.limits);
            raised.map_err(|misfit| raise.refused(misfit, &tool.name, call, published, terms))
        };
        if raise.is_for_misses() {
            return self.judge(tool, call).or_else(|rejection| match raised()? {
                Some(raised) => self.judge(tool, &raised).map_err(|_| rejection),
                None => Err(rejection),
            });
        }
        let judged = raised()?.map_or_else(|| self.judge(tool, call), |raised| self.judge(tool, &raised));
        judged.map_err(|rejection| raise.told(rejection, call, published, terms))
    }

    /// Puts the arguments of a call of this tool through the gates.
    fn judge(&self, offered: &Arc<OfferedTool>, call: &Call) -> Result<(Admitted, Bound<S>), Rejection> {
        let registry = &*self.registry.inner;
        let (tool, bind, name) = (&registry.tools[offered.place], &*registry.binds[offered.place], &*offered.name);
        let arguments = gate::parse(call, name, || tool.declared(), &registry.limits)?;
        let arguments = gate::conform(arguments, name, tool.terms(&registry.limits))?;
        let bound = gate::bind(bind, &arguments, name, &tool.sensitive, &registry.limits)?;
        let admitted = Admitted {
            tool: Arc::clone(offered),
            timeout: tool.timeout,
            sent: call.arguments().clone(),
            depth: registry.limits.depth,
            parsed: OnceLock::new(),
            eased: Vec::new(),
        };
        Ok((admitted, bound))
    }
}

impl Core {
    fn new(tools: &[Compiled], wire: Arc<dyn Wire>, select: &Select, mode: Mode) -> Result<Self, OfferError> {
        let known = |name: &String| tools.iter().any(|tool| tool.definition.name() == name);
        let unknown: Vec<String> = select.names().iter().filter(|name| !known(name)).cloned().collect();
        if !unknown.is_empty() {
            return Err(OfferError::Unknown { tools: unknown });
        }
        let own_names: Vec<&str> = tools.iter().map(|tool| tool.definition.name()).collect();
        let names = names::published(&own_names, &|name| wire.takes_name(name))
            .map_err(|tool| OfferError::Name { tool: tool.to_owned() })?;
        let mut selected: Vec<(String, usize, &Compiled)> = names
            .into_iter()
            .zip(tools)
            .enumerate()
            .filter(|(_, (_, tool))| select.takes(tool.definition.name()))
            .map(|(place, (name, tool))| (name, place, tool))
            .collect();
        selected.sort_by(|(one, ..), (other, ..)| one.cmp(other));
        let sources: Vec<_> =
            selected.iter().map(|(_, _, tool)| (tool.source(), tool.definition.description())).collect();
        let Offering { tools: lowered, mut report } =
            lower::publish(&sources, &wire.dialects(), mode).map_err(OfferError::Unpublishable)?;
        for (line, (name, ..)) in report.tools.iter_mut().zip(&selected) {
            line.published_as = (line.tool != *name).then(|| name.clone());
        }
        let published: Vec<PublishedTool<'_>> = selected
            .iter()
            .zip(&lowered)
            .map(|((name, _, tool), lowered)| {
                PublishedTool::new(name, &tool.definition, &lowered.lowered, lowered.is_strict)
            })
            .collect();
        let is_strict = !published.is_empty() && published.iter().all(PublishedTool::is_strict);
        let tools = Tools::new(&wire.publish(&published), is_strict);
        let offered = selected.into_iter().zip(lowered).map(|((name, place, tool), lowered)| {
            let raise = Some(lowered.lowered.raise).filter(|raise| !raise.is_nothing());
            let published = lowered.lowered.schema.filter(|_| raise.is_some());
            Arc::new(OfferedTool { name, definition: Arc::clone(&tool.definition), place, raise, published })
        });
        let offered = offered.collect();
        Ok(Self { wire, tools, report, offered })
    }

    /// The tool that is offered under this name.
    pub(crate) fn offered_as(&self, name: &str, limits: &Limits) -> Option<&Arc<OfferedTool>> {
        gate::offered_as(name, &self.offered, limits)
    }
}

impl<S: ?Sized> Clone for Offer<S> {
    fn clone(&self) -> Self {
        Self { registry: self.registry.clone(), core: Arc::clone(&self.core), leniency: self.leniency }
    }
}

impl<S: ?Sized> fmt::Debug for Offer<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.definitions().map(Definition::name).collect();
        f.debug_struct("Offer")
            .field("wire", &self.core.wire)
            .field("tools", &names)
            .field("leniency", &self.leniency)
            .finish_non_exhaustive()
    }
}

/// A request's `tools` array, as finished JSON: serialising it copies it.
///
/// Put it where the request wants it: `json!({"model": …, "messages": …, "tools": offer.tools()})`.
#[derive(Clone, Debug)]
pub struct Tools {
    array: Box<RawValue>,
    is_strict: bool,
}

impl Tools {
    fn new(tools: &Value, is_strict: bool) -> Self {
        // A `Value` is always serialisable.
        Self { array: RawValue::from_string(tools.to_string()).unwrap_or_default(), is_strict }
    }

    /// Whether every one of them is strict, for providers that say so once for a request.
    pub fn is_strict(&self) -> bool {
        self.is_strict
    }

    /// The array as JSON text, without white space.
    pub fn json(&self) -> &str {
        self.array.get()
    }

    /// The array as a value, for client libraries that want one.
    pub fn to_value(&self) -> Value {
        serde_json::from_str(self.json()).unwrap_or_default()
    }
}

impl Serialize for Tools {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        self.array.serialize(serializer)
    }
}

impl fmt::Display for Tools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.json())
    }
}

/// An offer could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OfferError {
    /// The selection names tools that are not registered.
    Unknown {
        /// Their names.
        tools: Vec<String>,
    },
    /// No name that the provider takes can be made of a tool's, or one is another tool's already.
    Name {
        /// The tool's own name.
        tool: String,
    },
    /// The provider has no form for the schema of a tool.
    Unpublishable(Unpublishable),
}

impl fmt::Display for OfferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { tools } => {
                let names: Vec<String> = tools.iter().map(|name| format!("`{name}`")).collect();
                write!(f, "the selection names tools that are not registered: {}", names.join(", "))
            }
            Self::Name { tool } => {
                write!(f, "no name that the provider takes, and no other tool has, can be made of `{tool}`: rename it")
            }
            Self::Unpublishable(tool) => tool.fmt(f),
        }
    }
}

impl Error for OfferError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unknown { .. } | Self::Name { .. } => None,
            Self::Unpublishable(tool) => Some(tool),
        }
    }
}
