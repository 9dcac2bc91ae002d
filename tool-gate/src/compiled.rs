//! From a tool's declaration to one that is ready to judge calls: all that needs no state.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use serde_json::Value;

use crate::{
    argument::Parameters,
    limits::Limits,
    problem::{BuildError, Problem},
    schema::{self, Terms, Validator},
    text,
    tool::{self, Declaration, Definition, Describe, Effects},
};

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
    pub(crate) fn of(declaration: Declaration, parameters: Describe) -> Self {
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
pub(crate) fn compile(
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
