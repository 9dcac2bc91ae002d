//! From a tool's declaration to one that is ready to judge calls: all that needs no state.

use std::{sync::Arc, time::Duration};

use serde_json::Value;

use crate::{
    argument::Parameters,
    limits::Limits,
    lower::Source,
    names,
    problem::{BuildError, Problem},
    schema::{self, Formats, Terms, Validator},
    text,
    tool::{Declaration, Definition, Describe, Effects, Entry},
};

/// One tool as it is declared, whether it is annotated or dynamic: what there is to compile.
#[derive(Debug)]
pub(crate) struct Declared {
    pub name: String,
    pub title: Option<String>,
    pub description: String,
    /// The path of an annotated function.
    pub path: Option<&'static str>,
    pub effects: Effects,
    pub requires: Option<String>,
    pub timeout: Option<Duration>,
    pub input: Input,
    pub output_schema: Option<Value>,
}

/// Where the schema of a tool's arguments comes from.
#[derive(Debug)]
pub(crate) enum Input {
    /// It is made from the signature.
    Signature(Describe),
    /// It is taken as given.
    Schema(Value, Formats),
}

impl Declared {
    /// The tool of an entry, under the name it is registered by.
    pub(crate) fn of<S: ?Sized>(name: String, entry: &Entry<S>) -> Self {
        let Declaration { name: _, title, description, path, effects, requires, timeout } = entry.declaration;
        Self {
            name,
            title: title.map(str::to_owned),
            description: description.to_owned(),
            path: Some(path),
            effects,
            requires: requires.map(str::to_owned),
            timeout,
            input: Input::Signature(entry.parameters),
            output_schema: (entry.output)(),
        }
    }
}

/// The part of building that does not depend on the state. `declared` is sorted by name.
pub(crate) fn compile(
    declared: Vec<Declared>,
    has_policy: bool,
    expected: &[String],
    mut problems: Vec<Problem>,
) -> Result<Vec<Compiled>, BuildError> {
    problems.extend(declared.chunk_by(|one, next| one.name == next.name).filter(|same| same.len() > 1).map(|same| {
        let paths = same.iter().map(|tool| tool.path.unwrap_or("a dynamic tool").to_owned()).collect();
        Problem::DuplicateName { tool: same[0].name.clone(), paths }
    }));
    problems.extend(
        expected
            .iter()
            .filter(|name| !declared.iter().any(|tool| tool.name == **name))
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
        problems.extend(misdeclared(&tool).map(|reason| Problem::Declaration { tool: tool.name.clone(), reason }));
        match compile_one(tool) {
            Ok(tool) => tools.push(tool),
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() { Ok(tools) } else { Err(BuildError { problems }) }
}

/// What the compiler refuses of an annotated tool, and nobody of a dynamic one.
fn misdeclared(tool: &Declared) -> impl Iterator<Item = &'static str> {
    let is_blank = |text: &Option<String>| text.as_ref().is_some_and(|text| text.trim().is_empty());
    let is_schema = |schema: &Value| schema.is_object() || schema.is_boolean();
    [
        (
            tool.effects.read_only && tool.effects.destructive,
            "is `read_only` or `destructive`, not both: leave one out",
        ),
        (tool.timeout.is_some_and(|time| time.is_zero()), "has a `timeout` of zero, which leaves no call any time"),
        (is_blank(&tool.title), "has a blank `title`, which people read in the place of the name"),
        (is_blank(&tool.requires), "has a blank scope in `requires`"),
        (!tool.output_schema.as_ref().is_none_or(is_schema), "has an output schema that is no schema"),
    ]
    .into_iter()
    .filter_map(|(is_wrong, reason)| is_wrong.then_some(reason))
}

fn compile_one(declared: Declared) -> Result<Compiled, Vec<Problem>> {
    let Declared { name, title, description, path, effects, requires, timeout, input, output_schema } = declared;
    #[cfg(feature = "testing")]
    let parameters = if let Input::Signature(parameters) = &input { Some(*parameters) } else { None };
    let (input_schema, formats, sensitive, mut problems) = match input {
        Input::Signature(parameters) => {
            let (schema, sensitive, problems) = assemble(&name, parameters);
            (schema, Formats::Asserted, sensitive, problems)
        }
        Input::Schema(schema, formats) => (schema, formats, Vec::new(), Vec::new()),
    };
    problems.extend(unlike_annotated(&name, &description));
    match schema::unusable(&input_schema, formats).map_or_else(|| Validator::new(&input_schema, formats), Err) {
        Ok(validator) if problems.is_empty() => {
            let definition = Definition { name, title, description, input_schema, output_schema, effects, requires };
            Ok(Compiled {
                definition: Arc::new(definition),
                path,
                timeout,
                sensitive,
                validator,
                formats,
                #[cfg(feature = "testing")]
                parameters,
            })
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
        unfit(&schema)
            .iter()
            .map(|(argument, which)| problem(argument, format!("has {which} that its own schema refuses"))),
    );
    (schema, sensitive, problems)
}

/// What is wrong with a dynamic or a renamed tool that the compiler refuses in an annotated one.
fn unlike_annotated(name: &str, description: &str) -> Vec<Problem> {
    let bad_name = (!names::is_name(name)).then(|| Problem::Name { tool: text::excerpt(name, 128) });
    let no_words = description.trim().is_empty().then(|| Problem::NoDescription { tool: name.to_owned() });
    bad_name.into_iter().chain(no_words).collect()
}

/// The arguments whose default or example would be refused if a model sent it, and which of the two it is.
fn unfit(schema: &Value) -> Vec<(String, &'static str)> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let shown = properties.flat_map(|(name, property)| {
        let default = property.get("default").map(|default| ("a default", default));
        let example = property.pointer("/examples/0").map(|example| ("an example", example));
        default.into_iter().chain(example).map(move |(which, value)| (name, property, which, value))
    });
    shown
        .filter(|(_, property, _, value)| {
            let mut alone = (*property).clone();
            alone["$defs"] = schema["$defs"].clone();
            if alone["$defs"].is_null() {
                alone.as_object_mut().map(|alone| alone.remove("$defs"));
            }
            let fits = |validator: &Validator| {
                crate::json::view(value, &[], usize::MAX).is_ok_and(|tape| validator.is_valid(tape.root()))
            };
            Validator::new(&alone, Formats::Asserted).is_ok_and(|validator| !fits(&validator))
        })
        .map(|(name, _, which, _)| (name.clone(), which))
        .collect()
}

/// One tool, ready to judge calls.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub definition: Arc<Definition>,
    /// The path of an annotated function.
    pub path: Option<&'static str>,
    pub timeout: Option<Duration>,
    pub sensitive: Vec<String>,
    validator: Validator,
    /// What the validator makes of formats.
    pub formats: Formats,
    /// What the schema was made from, where it was not given.
    #[cfg(feature = "testing")]
    parameters: Option<Describe>,
}

impl Compiled {
    pub(crate) fn terms<'s>(&'s self, limits: &'s Limits) -> Terms<'s> {
        Terms { schema: self.definition.input_schema(), validator: &self.validator, sensitive: &self.sensitive, limits }
    }

    /// The schema as it is before the types are asked, if it was made from a signature: closed, bounded, not narrowed.
    #[cfg(feature = "testing")]
    pub(crate) fn open_schema(&self) -> Option<Value> {
        let mut list = Parameters::open();
        self.parameters?(&mut list);
        let (parameters, definitions) = list.finish();
        Some(schema::assemble(parameters, definitions).0)
    }

    /// The schema and what lowering has to know of it.
    pub(crate) fn source(&self) -> Source<'_> {
        Source {
            tool: self.definition.name(),
            schema: self.definition.input_schema(),
            formats: self.formats,
            is_derived: self.path.is_some(),
        }
    }

    /// The keys that the tool declares, in the order of its signature.
    pub(crate) fn declared(&self) -> Vec<String> {
        let properties = self.definition.input_schema().get("properties").and_then(|properties| properties.as_object());
        properties.into_iter().flat_map(|properties| properties.keys().cloned()).collect()
    }
}
