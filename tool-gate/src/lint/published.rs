//! What becomes of the tools with the providers: what none of their dialects has, what is not strict, and what is nearly spent.
//! All of it is asked of the lowering, which publishes by the same tables.

use super::{Code, Finding, row};
use crate::{
    lower::{Became, Budget, Dialect, Dialects, Lowered, Source, Spent, Unfit, lower},
    text,
};

/// Those whose dialects differ. Azure, Groq and others speak like `OpenAI`; MCP and a prompt take all of JSON Schema.
fn providers() -> [Dialects; 9] {
    [
        Dialects::anthropic(),
        Dialects::openai(),
        Dialects::deepseek(),
        Dialects::gemini(),
        Dialects::gemini_openapi(),
        Dialects::bedrock(),
        Dialects::mistral(),
        Dialects::cohere(),
        Dialects::ollama(),
    ]
}

/// What is found in the tools of one request.
pub(super) fn of(tools: &[Source<'_>], found: &mut Vec<Finding>) {
    let mut troubles: Vec<_> = tools.iter().map(|tool| Troubles { tool: tool.tool, found: Vec::new() }).collect();
    for provider in providers() {
        let mut spent = Spent::default();
        for (tool, troubles) in tools.iter().zip(&mut troubles) {
            troubles.of_refused(provider.name, lower(tool, &provider.plain).err().as_ref());
            if let Some(strict) = &provider.strict {
                spent = spent.and(troubles.of_strict(provider.name, lower(tool, strict), strict.budgets()));
            }
        }
        of_a_request(tools.len(), spent, &provider, found);
    }
    for troubles in troubles {
        troubles.tell(found);
    }
}

fn of_a_request(tools: usize, spent: Spent, provider: &Dialects, found: &mut Vec<Finding>) {
    let mut spend = |budget: &str, of: &str, count: usize, most: usize, (code, mend): (Code, &str)| {
        if is_nearly_spent(count, most) {
            let place = format!("{}.{budget}", provider.name.to_lowercase());
            found.push(Finding::of_request(code, place, asks(count, most, of, &[provider.name]), mend));
        }
    };
    if let Some(most) = provider.most_tools {
        spend("tools", "tools", tools, most, (Code::Budget, "offer fewer at once"));
    }
    for budget in provider.strict.iter().flat_map(Dialect::budgets).filter(|budget| budget.is_of_request) {
        let Budget { key, of, most, .. } = *budget;
        let mend = "choose which tools are strict, or offer fewer at once";
        spend(key, of, spent.of(budget), most, (Code::StrictBudget, mend));
    }
}

/// Four fifths.
fn is_nearly_spent(count: usize, most: usize) -> bool {
    count * 5 >= most * 4
}

fn asks(count: usize, most: usize, of: &str, providers: &[&str]) -> String {
    let take = if providers.len() == 1 { "takes" } else { "take" };
    format!("asks for {count} of the {most} {of} that {} {take}", text::alternatives(providers))
}

/// What is found in one tool, alike for several providers, and alike at several places.
struct Troubles<'t> {
    tool: &'t str,
    found: Vec<Trouble>,
}

struct Trouble {
    code: Code,
    what: What,
    mend: &'static str,
    place: String,
    providers: Vec<&'static str>,
}

/// In words that follow a place.
#[derive(Clone, PartialEq, Eq)]
enum What {
    /// And are followed by the providers, of whom it is said.
    Said(String),
    Spent {
        count: usize,
        most: usize,
        of: &'static str,
    },
}

impl Troubles<'_> {
    fn of_refused(&mut self, provider: &'static str, unfit: Option<&Unfit>) {
        if let Some((path, what, mend)) = unfit.and_then(told) {
            let what = What::Said(format!("{what}, and cannot be published for"));
            self.add(Code::Refused, what, mend, path, provider);
        }
    }

    /// What its strict form spends, where it has one.
    fn of_strict(&mut self, provider: &'static str, lowered: Result<Lowered, Unfit>, budgets: &[Budget]) -> Spent {
        let lowered = match lowered {
            Ok(lowered) => lowered,
            Err(unfit) => {
                if let Some((path, what, mend)) = told(&unfit) {
                    let what = What::Said(format!("{what}, which has no place in the strict mode of"));
                    self.add(Code::NotStrict, what, mend, path, provider);
                }
                return Spent::default();
            }
        };
        for change in lowered.changes().iter().filter(|change| change.became.is_another_shape()) {
            let what = What::Said(format!("{} in the strict mode of", change.became));
            let mend = match change.became {
                Became::Pairs => "take a list of objects with a key and a value, or leave it plain",
                _ => "say what it is made of, or leave it plain",
            };
            self.add(Code::NotStrict, what, mend, &change.path, provider);
        }
        let spent = lowered.schema().map(Spent::by).unwrap_or_default();
        for budget in budgets.iter().filter(|budget| !budget.is_of_request) {
            let (count, Budget { of, most, .. }) = (spent.of(budget), *budget);
            if is_nearly_spent(count, most) {
                let what = What::Spent { count, most, of };
                self.add(Code::StrictBudget, what, "split the tool, or take fewer arguments", "", provider);
            }
        }
        spent
    }

    fn add(&mut self, code: Code, what: What, mend: &'static str, path: &str, provider: &'static str) {
        let place = place(self.tool, path);
        match self.found.iter_mut().find(|known| known.code == code && known.what == what && known.place == place) {
            Some(known) if known.providers.contains(&provider) => {}
            Some(known) => known.providers.push(provider),
            None => self.found.push(Trouble { code, what, mend, place, providers: vec![provider] }),
        }
    }

    /// What is the same at several places is one finding.
    fn tell(self, found: &mut Vec<Finding>) {
        let mut groups: Vec<(Trouble, Vec<String>)> = Vec::new();
        for trouble in self.found {
            let is_same = |known: &Trouble| {
                known.code == trouble.code && known.what == trouble.what && known.providers == trouble.providers
            };
            match groups.iter_mut().find(|(known, _)| is_same(known)) {
                Some((_, places)) => places.push(trouble.place),
                None => groups.push((Trouble { place: String::new(), ..trouble }, vec![trouble.place])),
            }
        }
        for (Trouble { code, what, mend, providers, .. }, mut places) in groups {
            places.sort_unstable();
            let (place, at) = match places.as_slice() {
                [only] => (only.as_str(), String::new()),
                several => (self.tool, format!("at {} ", shown(self.tool, several))),
            };
            let what = match what {
                What::Said(what) => format!("{at}{what} {}", text::alternatives(&providers)),
                What::Spent { count, most, of } => asks(count, most, of, &providers),
            };
            found.push(Finding::new(code, place, what, mend));
        }
    }
}

/// Where it is, what is wrong there and how to mend it; nothing where no tool is at fault.
fn told(unfit: &Unfit) -> Option<(&str, String, &'static str)> {
    Some(match unfit {
        Unfit::Recursion { path } => (path, "may hold itself".into(), "bound how deep it goes, or leave it plain"),
        Unfit::Nothing { path } => (path, "takes nothing that could be sent".into(), "take something, or leave it out"),
        Unfit::Unsound { path, keyword } => (
            path,
            format!("has `{}` in a form that cannot be rewritten", text::excerpt(keyword, 64)),
            "say it in the words of draft 2020-12",
        ),
        Unfit::TooLarge => ("", "is too large with its references written out".into(), "split the tool"),
        _ => return None,
    })
}

/// The place in a tool that a JSON pointer into its schema leads to, as far as it is one of its arguments.
fn place(tool: &str, path: &str) -> String {
    let mut place = tool.to_owned();
    let mut steps = path.split('/').skip(1);
    while let Some(step) = steps.next() {
        match step {
            "properties" | "patternProperties" => {
                let key = steps.next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
                place.push('.');
                place.push_str(&text::excerpt(&key, 64));
            }
            "items" => place.push_str("[]"),
            "prefixItems" => {
                place.push_str("[]");
                steps.next();
            }
            "additionalProperties" | "unevaluatedProperties" => place.push_str(".*"),
            "anyOf" | "oneOf" | "allOf" => _ = steps.next(),
            // A type stands wherever it is referred to.
            _ => break,
        }
    }
    place
}

/// The first places, inside the tool, and how many more there are.
fn shown(tool: &str, places: &[String]) -> String {
    let inside = |place: &String| match place.strip_prefix(tool).unwrap_or(place).trim_start_matches('.') {
        "" => "its root".to_owned(),
        inside => format!("`{inside}`"),
    };
    row(&places.iter().map(inside).collect::<Vec<_>>())
}
