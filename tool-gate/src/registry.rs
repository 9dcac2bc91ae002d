//! The tools of an application, each compiled once.

use std::{fmt, sync::Arc};

use crate::{
    compiled::{Compiled, Declared, compile},
    counters::Counters,
    describe,
    dynamic::DynamicTool,
    limits::Limits,
    lint::{self, Findings},
    lower::Mode,
    offer::{Offer, OfferError, Select},
    policy::{AnyPolicy, Policy},
    problem::{BuildError, Problem},
    sentences::{English, Sentences},
    tool::{Bind, Definition, Entry, Methods, Tool},
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

    /// A table of the tools for people: arguments, effects, scope, and where each is declared.
    ///
    /// ```
    /// use tool_gate::{Registry, tool};
    ///
    /// /// Search the catalogue.
    /// #[tool(read_only)]
    /// fn search(query: String, #[arg(default = 20)] limit: u8, after: Option<u32>) {
    ///     let _ = (query, limit, after);
    /// }
    ///
    /// let registry = Registry::<()>::builder().tool::<search>().build()?;
    /// assert!(registry.describe().contains("search  query, limit = 20, after?  read_only"));
    /// # Ok::<_, tool_gate::BuildError>(())
    /// ```
    pub fn describe(&self) -> String {
        describe::table(&self.inner.tools)
    }

    /// What a model will have trouble with in these tools, and what a provider refuses: see [`lint`].
    pub fn lint(&self) -> Findings {
        lint::lint(self.inner.tools.iter().map(|tool| (&*tool.definition, tool.source())))
    }

    /// How the calls of all its offers ended, counted on all threads. The counters live as long as any clone of them.
    pub fn counters(&self) -> &Counters {
        &self.inner.counters
    }

    /// What one request offers: the selected tools, in the shape of one provider. Made once, used for every reply.
    ///
    /// # Errors
    ///
    /// [`OfferError`] where the selection names a tool that is not registered, or the provider has no form for one.
    #[allow(clippy::needless_pass_by_value, reason = "`Select::only([…])` is made where it is passed")]
    pub fn offer(&self, wire: impl Wire, select: Select) -> Result<Offer<S>, OfferError> {
        self.offer_in(Mode::Plain, wire, select)
    }

    /// The same in a mode: strict, where the provider is to keep the model to the schemas, or plain, as [`offer`](Self::offer)
    /// has it. [`Offer::report`] says what became of each schema; the gates enforce it as it was declared, whatever the mode.
    ///
    /// # Errors
    ///
    /// As [`offer`](Self::offer).
    #[allow(clippy::needless_pass_by_value, reason = "`Select::only([…])` is made where it is passed")]
    pub fn offer_in(&self, mode: Mode, wire: impl Wire, select: Select) -> Result<Offer<S>, OfferError> {
        Offer::new(self.clone(), Arc::new(wire), &select, mode)
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
    /// Each with the name it is registered by.
    entries: Vec<(String, Entry<S>)>,
    dynamic: Vec<DynamicTool<S>>,
    problems: Vec<Problem>,
    expected: Vec<String>,
    policy: Option<Box<dyn AnyPolicy<S>>>,
    limits: Limits,
    sentences: Box<dyn Sentences>,
}

/// The deepest that arguments may nest, whatever the limits say.
const DEEPEST: usize = 512;

impl<S: ?Sized> Builder<S> {
    /// Adds every tool of a list. A list that is empty is a mistake, reported by [`build`](Self::build): the crate that
    /// holds its tools is not linked.
    pub fn list(self, list: &Toolbox<S>) -> Self {
        self.list_as(list, str::to_owned)
    }

    /// The same, each tool under the name that `rename` makes of its own: where two lists have tools of one name.
    ///
    /// ```
    /// # use tool_gate::{Registry, tool, toolbox};
    /// # toolbox! { static SHOP: (); }
    /// # /// Search the shop.
    /// # #[tool(in = SHOP, read_only)]
    /// # fn search() {}
    /// let registry = Registry::builder().list_as(&SHOP, |name| format!("shop_{name}")).build()?;
    /// assert_eq!(registry.definitions().next().map(|tool| tool.name()), Some("shop_search"));
    /// # Ok::<_, tool_gate::BuildError>(())
    /// ```
    pub fn list_as(mut self, list: &Toolbox<S>, rename: impl Fn(&str) -> String) -> Self {
        let entries = list.entries();
        if entries.is_empty() {
            self.problems.push(Problem::EmptyList { list: list.name().to_owned() });
        }
        self.entries.extend(entries.into_iter().map(|entry| (rename(entry.declaration.name), entry)));
        self
    }

    /// Adds one tool by the name of its function.
    pub fn tool<T: Tool<S>>(self) -> Self {
        self.tool_as::<T>(T::DECLARATION.name)
    }

    /// The same, under another name.
    pub fn tool_as<T: Tool<S>>(mut self, name: impl Into<String>) -> Self {
        self.entries.push((name.into(), Entry::of::<T>()));
        self
    }

    /// Adds the methods of a type that are tools: see [`#[tools]`](crate::tools).
    pub fn methods<T: Methods<S> + ?Sized>(mut self) -> Self {
        self.entries.extend(T::entries().into_iter().map(|entry| (entry.declaration.name.to_owned(), entry)));
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

    /// Replaces the limits. [`Limits::depth`] is at most 512 whatever it says: values are walked on the stack.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self.limits.depth = self.limits.depth.min(DEEPEST);
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
        let annotated = entries
            .into_iter()
            .map(|(name, entry)| -> (Declared, Box<Bind<S>>) { (Declared::of(name, &entry), Box::new(entry.bind)) });
        let mut tools: Vec<_> = annotated.chain(dynamic.into_iter().map(DynamicTool::into_parts)).collect();
        tools.sort_by(|(one, _), (other, _)| one.name.cmp(&other.name));
        let (declared, binds): (Vec<_>, _) = tools.into_iter().unzip();
        let tools = compile(declared, policy.is_some(), &expected, problems)?;
        describe::print_asked_for(&tools);
        let counters = Counters::new(tools.iter().map(|tool| tool.definition.name().to_owned()));
        Ok(Registry { inner: Arc::new(Inner { tools, binds, policy, counters, limits, sentences }) })
    }
}

impl<S: ?Sized> fmt::Debug for Builder<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dynamic = self.dynamic.iter().map(DynamicTool::name);
        let names: Vec<_> = self.entries.iter().map(|(name, _)| name.as_str()).chain(dynamic).collect();
        f.debug_struct("Builder")
            .field("tools", &names)
            .field("has_policy", &self.policy.is_some())
            .finish_non_exhaustive()
    }
}
