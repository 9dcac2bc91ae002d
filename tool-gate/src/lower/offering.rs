//! The tools of one request: which of them are strict, and what is said about it.

use std::{error::Error, fmt};

use serde::{Deserialize, Serialize};

use super::{
    Lowered, Source,
    budgets::{Spent, exceeded},
    change::{Change, Unfit},
    dialect::Dialect,
    lower,
};

/// Whether a provider is asked to keep a model to the schemas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Mode {
    /// It is, for every tool that can be said in its strict dialect, at whatever cost: maps become lists of pairs, and what has
    /// no other form there, values of any kind say, JSON text. A tool that cannot be is plain, and the report says why.
    Strict,
    /// It is not.
    Plain,
    /// It is, for as many tools as fit in what the provider takes, in the order of their names, but for those that would have
    /// a list of pairs in the place of a map, or JSON text in that of a value: a model does better with a map than with a list
    /// that stands for one, strict or not. A tuple may be an object with the keys `item_0`, `item_1`.
    #[default]
    Auto,
}

/// What is known of a provider: its dialects, and what it takes of tools. What it takes of their names its
/// [wire](crate::wire::Wire::takes_name) knows.
#[derive(Clone, Debug)]
pub struct Dialects {
    pub(crate) name: &'static str,
    pub(crate) plain: Dialect,
    pub(crate) strict: Option<Dialect>,
    /// Whether strictness is said once for all tools of a request.
    is_all_or_none: bool,
    pub(crate) most_tools: Option<usize>,
    longest_description: Option<usize>,
}

impl Dialects {
    fn of(name: &'static str, plain: Dialect, strict: Option<Dialect>) -> Self {
        Self { name, plain, strict, is_all_or_none: false, most_tools: None, longest_description: None }
    }

    /// Anthropic's Messages.
    pub fn anthropic() -> Self {
        Self::of("Anthropic", Dialect::anthropic(), Some(Dialect::anthropic_strict()))
    }

    /// OpenAI's Chat Completions and Responses.
    ///
    /// Reported: "Invalid 'tools': array too long. Expected an array with maximum length 128", and, by older deployments and
    /// Azure, "description: string too long. Expected a string with maximum length 1024".
    pub fn openai() -> Self {
        Self {
            most_tools: Some(128),
            longest_description: Some(1_024),
            ..Self::of("OpenAI", Dialect::openai(), Some(Dialect::openai_strict()))
        }
    }

    /// DeepSeek, whose strict mode is a beta under a URL of its own.
    ///
    /// Source: <https://api-docs.deepseek.com/guides/function_calling>, and, for 128 functions,
    /// <https://api-docs.deepseek.com/api/create-chat-completion>.
    pub fn deepseek() -> Self {
        Self {
            is_all_or_none: true,
            most_tools: Some(128),
            ..Self::of("DeepSeek", Dialect::openai(), Some(Dialect::deepseek_strict()))
        }
    }

    /// Gemini by `parametersJsonSchema`. Reported: "At most 512 function declarations can be specified."
    pub fn gemini() -> Self {
        Self { most_tools: Some(512), ..Self::of("Gemini", Dialect::gemini(), None) }
    }

    /// Gemini by `parameters`.
    pub fn gemini_openapi() -> Self {
        Self { plain: Dialect::gemini_openapi(), ..Self::gemini() }
    }

    /// Bedrock's Converse. What models behind it make of `strict` differs from one to the next.
    pub fn bedrock() -> Self {
        Self::of("Bedrock", Dialect::bedrock(), None)
    }

    /// Mistral's chat completions.
    pub fn mistral() -> Self {
        Self::of("Mistral", Dialect::mistral(), Some(Dialect::mistral_strict()))
    }

    /// Cohere's v2, where `strict_tools` is said of a request.
    pub fn cohere() -> Self {
        Self { is_all_or_none: true, ..Self::of("Cohere", Dialect::cohere(), Some(Dialect::cohere_strict())) }
    }

    /// Ollama's own API.
    pub fn ollama() -> Self {
        Self::of("Ollama", Dialect::ollama(), None)
    }

    /// MCP.
    pub fn mcp() -> Self {
        Self::of("MCP", Dialect::mcp(), None)
    }

    /// A model that is told of its tools in a prompt.
    pub fn plain() -> Self {
        Self::of("Plain", Dialect::plain(), None)
    }
}

/// One tool as it is published.
#[derive(Debug)]
#[non_exhaustive]
pub struct LoweredTool {
    /// The tool's name.
    pub tool: String,
    /// Whether it is strict.
    pub is_strict: bool,
    /// Its schema.
    pub lowered: Lowered,
}

/// The tools of one request.
#[derive(Debug)]
#[non_exhaustive]
pub struct Offering {
    /// In the order in which they were given.
    pub tools: Vec<LoweredTool>,
    /// What is said of all of them.
    pub report: Report,
}

/// A tool that a provider takes in no form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unpublishable {
    /// The tool's name.
    pub tool: String,
    /// Why.
    pub why: Unfit,
}

impl fmt::Display for Unpublishable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` cannot be published: {}", self.tool, self.why)
    }
}

impl Error for Unpublishable {}

/// What is published otherwise than it is enforced, and which tools are strict.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// Whose dialects it is about.
    pub provider: String,
    /// A line for each tool.
    pub tools: Vec<Line>,
    /// What the provider counts of the whole request.
    pub warnings: Vec<Warning>,
}

/// What is said of one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Line {
    /// Its own name.
    pub tool: String,
    /// The name under which it is published, where the provider does not take its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_as: Option<String>,
    /// Whether it is strict.
    pub is_strict: bool,
    /// Why it is not, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_plain: Option<Unfit>,
    /// What became of its schema.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// What a provider is reported to refuse of a request as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Warning {
    /// There are too many tools.
    Tools {
        /// How many there are.
        count: usize,
        /// How many are taken.
        most: usize,
    },
    /// A description is longer than some deployments take.
    Description {
        /// The tool's name.
        tool: String,
        /// How many characters it has.
        count: usize,
        /// How many are taken.
        most: usize,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tools { count, most } => write!(f, "{count} tools, of which {most} are taken: offer fewer at once"),
            Self::Description { tool, count, most } => {
                write!(f, "the description of `{tool}` has {count} characters, and some deployments take {most}")
            }
        }
    }
}

impl Report {
    /// All changes, tool by tool.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        self.tools.iter().flat_map(|line| &line.changes)
    }
}

impl Line {
    /// The tool's own name, and the one under which it is published.
    fn names(&self) -> String {
        match &self.published_as {
            Some(name) => format!("{} (as {name})", self.tool),
            None => self.tool.clone(),
        }
    }
}

/// The widest columns of names and of paths: one that is longer stands out, and pushes no other aside.
const WIDEST_NAME: usize = 40;
const WIDEST_PATH: usize = 80;

/// A table: a line for each tool, its changes below it.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.provider)?;
        self.warnings.iter().try_for_each(|warning| write!(f, "\n  {warning}"))?;
        let width = |texts: &mut dyn Iterator<Item = &str>, most: usize| {
            texts.map(|text| text.chars().count()).max().unwrap_or(0).min(most)
        };
        let names: Vec<String> = self.tools.iter().map(Line::names).collect();
        let widest = width(&mut names.iter().map(String::as_str), WIDEST_NAME);
        for (line, names) in self.tools.iter().zip(&names) {
            let mode = if line.is_strict { "strict" } else { "plain" };
            write!(f, "\n  {names:widest$}  {mode}")?;
            if let Some(why) = &line.why_plain {
                write!(f, ": {why}")?;
            }
            let paths = width(&mut line.changes.iter().map(|change| change.path.as_str()), WIDEST_PATH);
            let keywords = width(&mut line.changes.iter().map(|change| change.keyword.as_str()), WIDEST_NAME);
            for Change { path, keyword, became, .. } in &line.changes {
                write!(f, "\n      {path:paths$}  {keyword:keywords$}  {became}")?;
            }
        }
        Ok(())
    }
}

/// Rewrites the schemas of all tools of a request, with their descriptions, in the order of their names.
///
/// # Errors
///
/// [`Unpublishable`] where even the plain dialect has nothing for a tool.
pub fn publish(tools: &[(Source<'_>, &str)], provider: &Dialects, mode: Mode) -> Result<Offering, Unpublishable> {
    let strict = stricts(tools, provider, mode);
    let report = Report { provider: provider.name.to_owned(), ..Report::default() };
    let mut offering = Offering { tools: Vec::new(), report };
    for ((source, description), strict) in tools.iter().zip(strict) {
        let tool = source.tool.to_owned();
        let (lowered, why_plain) = match strict {
            Ok(lowered) => (lowered, None),
            Err(why) => {
                let plain = lower(source, &provider.plain);
                (plain.map_err(|why| Unpublishable { tool: tool.clone(), why })?, why)
            }
        };
        let is_strict = provider.strict.is_some() && mode != Mode::Plain && why_plain.is_none();
        let changes = lowered.changes.clone();
        offering.report.tools.push(Line { tool: tool.clone(), published_as: None, is_strict, why_plain, changes });
        let count =
            description.chars().count() + lowered.remark.as_deref().map_or(0, |remark| remark.chars().count() + 1);
        if let Some(most) = provider.longest_description.filter(|most| count > *most) {
            offering.report.warnings.push(Warning::Description { tool: tool.clone(), count, most });
        }
        offering.tools.push(LoweredTool { tool, is_strict, lowered });
    }
    if let Some(most) = provider.most_tools.filter(|most| tools.len() > *most) {
        offering.report.warnings.insert(0, Warning::Tools { count: tools.len(), most });
    }
    Ok(offering)
}

/// The schemas of the tools that are strict, and why the others are not, where that was asked for.
fn stricts(tools: &[(Source<'_>, &str)], provider: &Dialects, mode: Mode) -> Vec<Result<Lowered, Option<Unfit>>> {
    let Some(dialect) = provider.strict.as_ref().filter(|_| mode != Mode::Plain) else {
        let why = (mode == Mode::Strict).then_some(Unfit::NoStrictMode);
        return tools.iter().map(|_| Err(why.clone())).collect();
    };
    let mut spent = Spent::default();
    let mut strict: Vec<Result<Lowered, Option<Unfit>>> = tools
        .iter()
        .map(|(source, _)| {
            let lowered = lower(source, dialect).map_err(Some)?;
            if mode == Mode::Auto
                && let Some(change) = lowered.changes.iter().find(|change| change.became.is_another_shape())
            {
                return Err(Some(Unfit::Shape { path: change.path.clone(), became: change.became }));
            }
            let own = lowered.schema().map(Spent::by).unwrap_or_default();
            if let Some(unfit) = exceeded(dialect.budgets, own, spent) {
                return Err(Some(unfit));
            }
            spent = spent.and(own);
            Ok(lowered)
        })
        .collect();
    if provider.is_all_or_none
        && let Some(place) = strict.iter().position(Result::is_err)
    {
        let other = tools.get(place).map(|(source, _)| source.tool.to_owned()).unwrap_or_default();
        for lowered in strict.iter_mut().filter(|lowered| lowered.is_ok()) {
            *lowered = Err(Some(Unfit::Other { tool: other.clone() }));
        }
    }
    strict
}
