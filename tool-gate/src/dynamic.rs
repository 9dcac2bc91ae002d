//! Tools without a function: a schema that is only known when the program runs, and a closure.

use std::{fmt, sync::Arc, time::Duration};

use serde_json::Value;

use crate::{
    answer::Answer,
    argument::Binding,
    compiled::{Declared, Input},
    error::ToolError,
    schema::Formats,
    tool::{Bind, Bound, BoxFuture, CallInfo, Effects},
};

/// A tool made of a schema and a closure, where there is no function to annotate: what another server offers, or what an
/// application's own users define.
///
/// The schema is published and enforced as given. It is read in the draft that its `$schema` names, or in 2020-12, and formats
/// are asserted, unless they are [switched off](Self::without_formats). Nothing is tightened: an object that the schema leaves
/// open takes any key.
///
/// It may come from someone who means no good: nothing is fetched, its references are followed within it alone, and one that
/// could not be checked in reasonable time is a mistake in the registry.
///
/// The closure gets the arguments that passed, as an object. Where the schema says `integer`, `5.0` has become `5`.
///
/// ```
/// use serde_json::{Value, json};
/// use tool_gate::{DynamicTool, Registry, Tell};
///
/// struct Session {
///     rates: std::collections::BTreeMap<String, f64>,
/// }
///
/// let schema = json!({
///     "type": "object",
///     "properties": {"currency": {"type": "string", "pattern": "^[A-Z]{3}$"}},
///     "required": ["currency"],
///     "additionalProperties": false,
/// });
/// let tool = DynamicTool::new("exchange_rate", "Tell what one euro is worth.", schema, |session: &Session, arguments, _| {
///     Box::pin(async move {
///         let rate = arguments["currency"].as_str().and_then(|currency| session.rates.get(currency));
///         rate.map(|rate| json!(rate)).tell("There is no rate for that currency.")
///     })
/// });
/// let registry = Registry::builder().dynamic(tool.read_only()).build()?;
/// # Ok::<_, tool_gate::BuildError>(())
/// ```
#[must_use = "it is on no registry before `Builder::dynamic`"]
pub struct DynamicTool<S: ?Sized + 'static> {
    declared: Declared,
    run: Arc<Run<S>>,
}

type Run<S> =
    dyn for<'a> Fn(&'a S, Value, &'a CallInfo) -> BoxFuture<'a, Result<Answer, ToolError>> + Send + Sync + 'static;

/// Tells the compiler what a closure is, which it does not find out by itself.
fn for_any_lifetime<S: ?Sized, F>(run: F) -> F
where
    F: for<'a> Fn(&'a S, Value, &'a CallInfo) -> BoxFuture<'a, Result<Answer, ToolError>>,
{
    run
}

impl<S: ?Sized + Sync> DynamicTool<S> {
    /// A tool of this name and description, for calls that conform to this schema.
    ///
    /// What a registry asks of them, [`build`](crate::Builder::build) checks: a name of 1 to 128 of `A-Z a-z 0-9 _ . -`,
    /// as MCP has it, a description that is not blank, a schema that takes objects only and can be compiled.
    ///
    /// The closure answers with a [`Value`] or with [`Content`](crate::Content).
    pub fn new<A: Into<Answer> + 'static>(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: Value,
        run: impl for<'a> Fn(&'a S, Value, &'a CallInfo) -> BoxFuture<'a, Result<A, ToolError>> + Send + Sync + 'static,
    ) -> Self {
        let declared = Declared {
            name: name.into(),
            title: None,
            description: description.into(),
            path: None,
            effects: Effects::default(),
            requires: None,
            timeout: None,
            input: Input::Schema(input_schema, Formats::Asserted),
            output_schema: None,
        };
        let run = for_any_lifetime(move |state: &S, arguments, call| {
            let answering = run(state, arguments, call);
            Box::pin(async move { answering.await.map(Into::into) })
        });
        Self { declared, run: Arc::new(run) }
    }
}

impl<S: ?Sized> DynamicTool<S> {
    /// Takes the keyword `format` for a remark, as JSON Schema does where nobody asks for more. So it does with
    /// `contentEncoding` and `contentMediaType`, which drafts 6 and 7 assert.
    pub fn without_formats(mut self) -> Self {
        if let Input::Schema(_, formats) = &mut self.declared.input {
            *formats = Formats::Ignored;
        }
        self
    }

    /// See [`Effects::read_only`].
    pub fn read_only(mut self) -> Self {
        self.declared.effects.read_only = true;
        self
    }

    /// See [`Effects::destructive`].
    pub fn destructive(mut self) -> Self {
        self.declared.effects.destructive = true;
        self
    }

    /// See [`Effects::idempotent`].
    pub fn idempotent(mut self) -> Self {
        self.declared.effects.idempotent = true;
        self
    }

    /// See [`Effects::open_world`].
    pub fn open_world(mut self) -> Self {
        self.declared.effects.open_world = true;
        self
    }

    /// See [`Definition::title`](crate::Definition::title).
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.declared.title = Some(title.into());
        self
    }

    /// See [`Definition::output_schema`](crate::Definition::output_schema). It is told, and not enforced.
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.declared.output_schema = Some(schema);
        self
    }

    /// See [`Definition::requires`](crate::Definition::requires).
    pub fn requires(mut self, scope: impl Into<String>) -> Self {
        self.declared.requires = Some(scope.into());
        self
    }

    /// How long one call may take, in the place of [`Limits::timeout`](crate::Limits::timeout).
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.declared.timeout = Some(timeout);
        self
    }

    pub(crate) fn name(&self) -> &str {
        &self.declared.name
    }

    /// What a registry compiles, and what it runs.
    pub(crate) fn into_parts(self) -> (Declared, Box<Bind<S>>) {
        let Self { declared, run } = self;
        let bind = move |binding: &mut Binding<'_>| {
            let (run, arguments) = (Arc::clone(&run), binding.arguments.to_value_exact());
            Ok(Bound::new(move |state, call| run(state, arguments, call)))
        };
        (declared, Box::new(bind))
    }
}

impl<S: ?Sized> fmt::Debug for DynamicTool<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamicTool").field("declared", &self.declared).finish_non_exhaustive()
    }
}
