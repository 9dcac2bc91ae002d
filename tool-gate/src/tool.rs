//! What a tool is: its declaration, the definition the model is told, and how a checked call becomes a future.

use std::{fmt, future::Future, marker::PhantomData, pin::Pin, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    answer::Answer,
    argument::{Binding, Parameters, Unbound},
    error::ToolError,
};

/// What running a tool does to the world, as its author declared it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "they are declared one by one, and any of them may go with another")]
#[non_exhaustive]
pub struct Effects {
    /// It changes nothing, so running it twice or giving it up half-way does no harm.
    pub read_only: bool,
    /// It changes something that cannot be changed back. A registry with such a tool needs a policy.
    pub destructive: bool,
    /// Running it again with the same arguments changes nothing more. A model whose call was cut off is told that it may be
    /// repeated.
    pub idempotent: bool,
    /// It reaches what the application does not own, the web for one: what it answers was written by anyone.
    pub open_world: bool,
}

impl Effects {
    /// None of them: a tool that changes something of the application's own.
    pub(crate) const NONE: Self = Self { read_only: false, destructive: false, idempotent: false, open_world: false };

    /// The effects that are declared, by the names of the attribute's options.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        let Self { read_only, destructive, idempotent, open_world } = self;
        [(read_only, "read_only"), (destructive, "destructive"), (idempotent, "idempotent"), (open_world, "open_world")]
            .into_iter()
            .filter_map(|(declared, name)| declared.then_some(name))
    }
}

/// What the model is told of a tool, in the form every wire starts from.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: String,
    pub(crate) input_schema: Value,
    pub(crate) output_schema: Option<Value>,
    pub(crate) effects: Effects,
    pub(crate) requires: Option<String>,
}

impl Definition {
    /// The tool's own name: 1 to 128 of `A-Z a-z 0-9 _ . -`. A model calls it by that wherever the provider takes it, and by
    /// [one made of it](crate::Offer::published_name) elsewhere.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What people read in the place of the name, where a client shows its tools: `#[tool(title = "…")]`.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// What the tool does, in the words of its doc comment. Never blank.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The canonical JSON Schema (draft 2020-12) of the arguments: what is published, enforced and bound.
    pub fn input_schema(&self) -> &Value {
        &self.input_schema
    }

    /// The JSON Schema (draft 2020-12) of what the tool answers, where its return type has one: schemars' own, as the type is
    /// written. It tells a client what to expect, and nothing is checked against it.
    ///
    /// A tool that returns nothing, [`Content`](crate::Content), or a type without `JsonSchema` has none.
    pub fn output_schema(&self) -> Option<&Value> {
        self.output_schema.as_ref()
    }

    /// What running the tool does to the world.
    pub fn effects(&self) -> Effects {
        self.effects
    }

    /// The scope that `#[tool(requires = "…")]` names, for the policy to look for in the state.
    pub fn requires(&self) -> Option<&str> {
        self.requires.as_deref()
    }
}

/// The part of a declaration that needs no types: all of it is known when compiling.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    pub(crate) name: &'static str,
    pub(crate) title: Option<&'static str>,
    pub(crate) description: &'static str,
    /// The path of the function.
    pub(crate) path: &'static str,
    pub(crate) effects: Effects,
    pub(crate) requires: Option<&'static str>,
    pub(crate) timeout: Option<Duration>,
}

impl Declaration {
    /// A declaration with neither effects nor a scope.
    #[must_use]
    pub const fn new(name: &'static str, description: &'static str, path: &'static str) -> Self {
        Self { name, title: None, description, path, effects: Effects::NONE, requires: None, timeout: None }
    }

    /// See [`Definition::title`].
    #[must_use]
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// See [`Effects::read_only`].
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.effects.read_only = true;
        self
    }

    /// See [`Effects::destructive`].
    #[must_use]
    pub const fn destructive(mut self) -> Self {
        self.effects.destructive = true;
        self
    }

    /// See [`Effects::idempotent`].
    #[must_use]
    pub const fn idempotent(mut self) -> Self {
        self.effects.idempotent = true;
        self
    }

    /// See [`Effects::open_world`].
    #[must_use]
    pub const fn open_world(mut self) -> Self {
        self.effects.open_world = true;
        self
    }

    /// See [`Definition::requires`].
    #[must_use]
    pub const fn requires(mut self, scope: &'static str) -> Self {
        self.requires = Some(scope);
        self
    }

    /// How long one call may take, in the place of [`Limits::timeout`](crate::Limits::timeout).
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }
}

/// What a tool says of itself, whatever state it runs with.
pub trait Declare: 'static {
    /// Name, description, effects.
    const DECLARATION: Declaration;

    /// Lists the parameters in the order of the signature.
    fn parameters(list: &mut Parameters);

    /// The schema of what it answers, if its type has one.
    fn output() -> Option<Value>;
}

/// An annotated function, seen as a type: `#[tool] fn search()` makes a struct `search` that implements this.
///
/// It is implemented by `#[tool]` alone.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not annotated with `#[tool]`",
    note = "annotate the function with `#[tool]` and name it here: `.tool::<the_function>()`"
)]
pub trait Tool<S: ?Sized>: Declare {
    /// Takes the function's arguments out of a checked object.
    ///
    /// # Errors
    ///
    /// [`Unbound`] where a type's own `Deserialize` refuses a value that the schema takes.
    fn bind(arguments: &mut Binding<'_>) -> Taken<S>;
}

/// A call whose arguments are bound, or why they could not be.
pub type Taken<S> = Result<Bound<S>, Unbound>;

/// A type some methods of which are tools: `#[tools] impl Type` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no methods that are tools",
    label = "no `impl` of it is annotated with `#[tools]`, or `{S}` lacks state that its methods take",
    note = "annotate `impl {Self}` with `#[tools]`, and its methods with `#[tool]`"
)]
pub trait Methods<S: ?Sized> {
    /// The tools, in the order of the methods.
    #[doc(hidden)]
    fn entries() -> Vec<Entry<S>>;
}

/// A future that may borrow from the state it runs with.
pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a tool is told of the call it answers: `#[call] call: &CallInfo` among its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallInfo {
    pub(crate) id: String,
    pub(crate) tool: String,
    pub(crate) idempotency_key: String,
}

impl CallInfo {
    /// The call's id, as it stands in the conversation.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The tool's name, as the model called it.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// A key that no other call of the run has, and this one has each time the same reply is settled: hand it to services
    /// that must not do one thing twice.
    ///
    /// It is `run/step/place/id`, a stroke or a percent sign in a part written `%2F` or `%25`. It is unique among conversations where each [`Run`](crate::Run) has a name of its own.
    pub fn idempotency_key(&self) -> &str {
        &self.idempotency_key
    }
}

type Start<S> = dyn for<'a> FnOnce(&'a S, &'a CallInfo) -> BoxFuture<'a, Result<Answer, ToolError>> + Send;

/// A call whose arguments are bound: all it still needs is the state.
pub struct Bound<S: ?Sized>(Box<Start<S>>);

impl<S: ?Sized> Bound<S> {
    /// Wraps the closure that starts the tool.
    pub fn new(
        start: impl for<'a> FnOnce(&'a S, &'a CallInfo) -> BoxFuture<'a, Result<Answer, ToolError>> + Send + 'static,
    ) -> Self {
        Self(Box::new(start))
    }

    /// Starts the tool: runs it, if it is not async, when first polled.
    pub(crate) fn start<'a>(self, state: &'a S, call: &'a CallInfo) -> BoxFuture<'a, Result<Answer, ToolError>> {
        (self.0)(state, call)
    }
}

impl<S: ?Sized> fmt::Debug for Bound<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bound").finish_non_exhaustive()
    }
}

/// Lists a tool's parameters.
pub(crate) type Describe = fn(&mut Parameters);

/// Takes a tool's arguments out of a checked object.
pub(crate) type Bind<S> = dyn Fn(&mut Binding<'_>) -> Result<Bound<S>, Unbound> + Send + Sync;

/// One tool as a registry takes it: plain pointers, so that a list of them can be made when linking.
pub struct Entry<S: ?Sized> {
    pub(crate) declaration: Declaration,
    pub(crate) parameters: Describe,
    pub(crate) output: fn() -> Option<Value>,
    pub(crate) bind: fn(&mut Binding<'_>) -> Result<Bound<S>, Unbound>,
    state: PhantomData<fn(&S)>,
}

impl<S: ?Sized> Entry<S> {
    /// The entry of the tool `T`.
    #[must_use]
    pub const fn of<T: Tool<S>>() -> Self {
        Self {
            declaration: T::DECLARATION,
            parameters: T::parameters,
            output: T::output,
            bind: T::bind,
            state: PhantomData,
        }
    }
}

impl<S: ?Sized> Clone for Entry<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: ?Sized> Copy for Entry<S> {}

impl<S: ?Sized> fmt::Debug for Entry<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("declaration", &self.declaration).finish_non_exhaustive()
    }
}
