//! The tools of an application, each compiled once.

use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};

use serde_json::Value;

use crate::{
    argument::Parameters,
    counters::Counters,
    dynamic::DynamicTool,
    limits::Limits,
    offer::{Offer, OfferError, Select},
    policy::{AnyPolicy, Policy},
    problem::{BuildError, Problem},
    schema::{self, Terms, Validator},
    sentences::{English, Sentences},
    text,
    tool::{self, Bind, Declaration, Definition, Describe, Effects, Entry, Tool},
    toolbox::Toolbox,
    wire::Wire,
};

/// The tools of an application, with the policy that decides who may run them. Cheap to clone.
///
/// `S` is the state that tools borrow from: the session, the signed-in customer, the handles to stores.
pub struct Registry<S: ?Sized + 'static> {
    pub(crate) inner: Arc<Inner<S>>,
}

pub(crate) struct Inner<S: ?Sized + 'static> {
    /// Sorted by name.
    pub tools: Vec<Compiled>,
    /// In the order of `tools`.
    pub binds: Vec<Box<Bind<S>>>,
    pub policy: Option<Box<dyn AnyPolicy<S>>>,
    pub counters: Counters,
    pub limits: Limits,
    pub sentences: Box<dyn Sentences>,
}

/// One tool, ready to judge calls.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub definition: Arc<Definition>,
    pub timeout: Option<Duration>,
    pub sensitive: Vec<String>,
    validator: Validator,
}

impl Compiled {
    pub(crate) fn terms<'s>(&'s self, limits: &'s Limits) -> Terms<'s> {
        Terms { schema: self.definition.input_schema(), validator: &self.validator, sensitive: &self.sensitive, limits }
    }

    /// The keys that the tool declares, in the order of its signature.
    pub(crate) fn declared(&self) -> Vec<String> {
        let properties = self.definition.input_schema().get("properties").and_then(|properties| properties.as_object());
        properties.into_iter().flat_map(|properties| properties.keys().cloned()).collect()
    }
}

impl<S: ?Sized> Registry<S> {
    /// Starts a registry: lists and tools, then the policy, then [`build`](Builder::build).
    pub fn builder() -> Builder<S> {
        Builder {
            entries: Vec::new(),
            dynamic: Vec::new(),
            problems: Vec::new(),
            expected: Vec::new(),
            policy: None,
            limits: Limits::default(),
            sentences: Box::new(English),
        }
    }

    /// The definitions of all tools, sorted by name.
    pub fn definitions(&self) -> impl Iterator<Item = &Definition> {
        self.inner.tools.iter().map(|tool| &*tool.definition)
    }

    /// How the calls of all its offers ended, counted on all threads. The counters live as long as any clone of them.
    pub fn counters(&self) -> &Counters {
        &self.inner.counters
    }

    /// What one request offers: the selected tools, in the shape of one provider. Made once, used for every reply.
    ///
    /// # Errors
    ///
    /// [`OfferError`] where the selection names a tool that is not registered.
    #[allow(clippy::needless_pass_by_value, reason = "`Select::only([…])` is made where it is passed")]
    pub fn offer(&self, wire: impl Wire, select: Select) -> Result<Offer<S>, OfferError> {
        Offer::new(self.clone(), Arc::new(wire), &select)
    }
}

impl<S: ?Sized> Clone for Registry<S> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner) }
    }
}

impl<S: ?Sized> fmt::Debug for Registry<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.definitions().map(Definition::name).collect();
        f.debug_struct("Registry").field("tools", &names).field("has_policy", &self.inner.policy.is_some()).finish()
    }
}

/// Collects what a [`Registry`] is made of.
#[must_use = "nothing is registered before `build`"]
pub struct Builder<S: ?Sized + 'static> {
    entries: Vec<Entry<S>>,
    dynamic: Vec<DynamicTool<S>>,
    problems: Vec<Problem>,
    expected: Vec<String>,
    policy: Option<Box<dyn AnyPolicy<S>>>,
    limits: Limits,
    sentences: Box<dyn Sentences>,
}

impl<S: ?Sized> Builder<S> {
    /// Adds every tool of a list. A list that is empty is a mistake, reported by [`build`](Self::build): the crate that
    /// holds its tools is not linked.
    pub fn list(mut self, list: &Toolbox<S>) -> Self {
        let entries = list.entries();
        if entries.is_empty() {
            self.problems.push(Problem::EmptyList { list: list.name().to_owned() });
        }
        self.entries.extend(entries);
        self
    }

    /// Adds one tool by the name of its function.
    pub fn tool<T: Tool<S>>(mut self) -> Self {
        self.entries.push(Entry::of::<T>());
        self
    }

    /// Adds one tool that is made of a schema and a closure.
    pub fn dynamic(mut self, tool: DynamicTool<S>) -> Self {
        self.dynamic.push(tool);
        self
    }

    /// Names tools that must be there, so that a list that is linked only in part is noticed.
    pub fn expect_tools<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.expected.extend(names.into_iter().map(Into::into));
        self
    }

    /// Decides which admitted calls may run. Without a policy all do, and no tool may be `destructive` or have `requires`.
    pub fn policy(mut self, policy: impl Policy<S>) -> Self {
        self.policy = Some(Box::new(policy));
        self
    }

    /// Replaces the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Replaces the words in which the model is told of rejections.
    pub fn sentences(mut self, sentences: impl Sentences) -> Self {
        self.sentences = Box::new(sentences);
        self
    }

    /// Compiles every tool.
    ///
    /// # Errors
    ///
    /// [`BuildError`] with all the mistakes there are, not the first one only.
    pub fn build(self) -> Result<Registry<S>, BuildError>
    where
        S: Sync,
    {
        let Self { entries, dynamic, problems, expected, policy, limits, sentences } = self;
        let annotated = entries.into_iter().map(|entry| -> (Declared, Box<Bind<S>>) {
            (Declared::of(entry.declaration, entry.parameters), Box::new(entry.bind))
        });
        let mut tools: Vec<_> = annotated.chain(dynamic.into_iter().map(DynamicTool::into_parts)).collect();
        tools.sort_by(|(one, _), (other, _)| one.name.cmp(&other.name));
        let (declared, binds): (Vec<_>, _) = tools.into_iter().unzip();
        let tools = compile(declared, policy.is_some(), &expected, problems)?;
        let counters = Counters::new(tools.iter().map(|tool| tool.definition.name().to_owned()));
        Ok(Registry { inner: Arc::new(Inner { tools, binds, policy, counters, limits, sentences }) })
    }
}

impl<S: ?Sized> fmt::Debug for Builder<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dynamic = self.dynamic.iter().map(DynamicTool::name);
        let names: Vec<_> = self.entries.iter().map(|entry| entry.declaration.name).chain(dynamic).collect();
        f.debug_struct("Builder")
            .field("tools", &names)
            .field("has_policy", &self.policy.is_some())
            .finish_non_exhaustive()
    }
}

/// One tool as it is declared, whether it is annotated or dynamic: what there is to compile.
#[derive(Debug)]
pub(crate) struct Declared {
    pub name: String,
    pub description: String,
    pub effects: Effects,
    pub requires: Option<String>,
    pub timeout: Option<Duration>,
    pub input: Input,
}

/// Where the schema of a tool's arguments comes from.
#[derive(Debug)]
pub(crate) enum Input {
    /// It is made from the signature.
    Signature(Describe),
    /// It is taken as given.
    Schema(Value),
}

impl Declared {
    fn of(declaration: Declaration, parameters: Describe) -> Self {
        let Declaration { name, description, effects, requires, timeout } = declaration;
        Self {
            name: name.to_owned(),
            description: description.to_owned(),
            effects,
            requires: requires.map(str::to_owned),
            timeout,
            input: Input::Signature(parameters),
        }
    }
}

/// The part of building that does not depend on the state. `declared` is sorted by name.
fn compile(
    declared: Vec<Declared>,
    has_policy: bool,
    expected: &[String],
    mut problems: Vec<Problem>,
) -> Result<Vec<Compiled>, BuildError> {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for tool in &declared {
        *count.entry(&tool.name).or_default() += 1;
    }
    problems.extend(
        count.iter().filter(|(_, times)| **times > 1).map(|(name, _)| Problem::DuplicateName { tool: (*name).into() }),
    );
    problems.extend(
        expected
            .iter()
            .filter(|name| !count.contains_key(name.as_str()))
            .map(|name| Problem::MissingTool { tool: name.clone() }),
    );
    let mut tools = Vec::with_capacity(declared.len());
    for tool in declared {
        if cfg!(not(feature = "tokio")) && tool.timeout.is_some() {
            problems.push(Problem::NoTimer { tool: tool.name.clone() });
        }
        if !has_policy && (tool.effects.destructive || tool.requires.is_some()) {
            problems.push(Problem::NoPolicy { tool: tool.name.clone() });
        }
        match compile_one(tool) {
            Ok(tool) => tools.push(tool),
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() { Ok(tools) } else { Err(BuildError { problems }) }
}

fn compile_one(declared: Declared) -> Result<Compiled, Vec<Problem>> {
    let Declared { name, description, effects, requires, timeout, input } = declared;
    let (input_schema, sensitive, mut problems) = match input {
        Input::Signature(parameters) => assemble(&name, parameters),
        Input::Schema(schema) => (schema, Vec::new(), unlike_annotated(&name, &description)),
    };
    match schema::unusable(&input_schema).map_or_else(|| Validator::new(&input_schema), Err) {
        Ok(validator) if problems.is_empty() => {
            let definition = Definition { name, description, input_schema, effects, requires };
            Ok(Compiled { definition: Arc::new(definition), timeout, sensitive, validator })
        }
        Ok(_) => Err(problems),
        Err(reason) => {
            problems.push(Problem::Schema { tool: name, reason });
            Err(problems)
        }
    }
}

/// The schema of a signature, the arguments in it that are `sensitive`, and what is wrong with it.
fn assemble(tool: &str, parameters: Describe) -> (Value, Vec<String>, Vec<Problem>) {
    let mut list = Parameters::default();
    parameters(&mut list);
    let (parameters, definitions) = list.finish();
    let sensitive = parameters.iter().filter(|described| described.sensitive).map(|p| p.name.to_owned()).collect();
    let (schema, found) = schema::assemble(parameters, definitions);
    let problem = |argument: &str, reason: String| Problem::Argument {
        tool: tool.to_owned(),
        argument: argument.to_owned(),
        reason,
    };
    let mut problems: Vec<Problem> =
        found.iter().map(|(argument, found)| problem(argument, found.to_string())).collect();
    problems.extend(
        unfit_defaults(&schema)
            .iter()
            .map(|argument| problem(argument, "has a default that its own schema refuses".into())),
    );
    (schema, sensitive, problems)
}

/// What is wrong with a dynamic tool that the compiler would have refused in an annotated one.
fn unlike_annotated(name: &str, description: &str) -> Vec<Problem> {
    let bad_name = (!tool::is_name(name)).then(|| Problem::Name { tool: text::excerpt(name, 128) });
    let no_words = description.trim().is_empty().then(|| Problem::NoDescription { tool: name.to_owned() });
    bad_name.into_iter().chain(no_words).collect()
}

/// The arguments whose default would be refused if a model sent it.
fn unfit_defaults(schema: &Value) -> Vec<String> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties
        .filter(|(_, property)| {
            property.get("default").is_some_and(|default| {
                let mut alone = (*property).clone();
                alone["$defs"] = schema["$defs"].clone();
                if alone["$defs"].is_null() {
                    alone.as_object_mut().map(|alone| alone.remove("$defs"));
                }
                let fits = |validator: &Validator| {
                    crate::json::view(default, &[], usize::MAX).is_ok_and(|tape| validator.is_valid(tape.root()))
                };
                Validator::new(&alone).is_ok_and(|validator| !fits(&validator))
            })
        })
        .map(|(name, _)| name.clone())
        .collect()
}
