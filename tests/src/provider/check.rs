//! The pairing rules: what a provider answers with an error in the next request.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Call, Provider};

/// What is wrong with what was written for a reply of so many calls; nothing, if all is well.
pub fn faults(provider: Provider, messages: &[Value], calls: usize) -> Vec<String> {
    let written = match provider.written(messages) {
        Ok(written) => written,
        Err(rule) => return vec![rule],
    };
    let mut faults = Vec::new();
    let mut need = |holds: bool, rule: String| {
        if !holds {
            faults.push(rule);
        }
    };
    need(written.answered.len() == calls, format!("{calls} calls and {} answers", written.answered.len()));
    // A server of MCP repeats no call.
    if provider != Provider::Mcp {
        need(written.asked.len() == calls, format!("{calls} calls, of which {} go back", written.asked.len()));
        for (call, answer) in written.asked.iter().zip(&written.answered) {
            need(call.id == answer.id, "a result under another id than its call".to_owned());
            need(answer.name.as_ref().is_none_or(|name| *name == call.name), "a result of another name".to_owned());
        }
        let ids: Vec<&Value> = written.asked.iter().filter_map(|call| call.id.as_ref()).collect();
        let unique: BTreeSet<String> = ids.iter().map(ToString::to_string).collect();
        need(unique.len() == ids.len(), "two calls of one id".to_owned());
    }
    for call in &written.asked {
        need(takes_id(provider, call), format!("an id that {} refuses", provider.name()));
        need(takes_name(provider, &call.name), format!("a name that {} refuses", provider.name()));
    }
    for answer in &written.answered {
        need(!answer.text.trim().is_empty(), "an empty result".to_owned());
    }
    faults
}

fn only(text: &str, most: usize, others: &str) -> bool {
    let takes = |c: char| c.is_ascii_alphanumeric() || others.contains(c);
    (1..=most).contains(&text.chars().count()) && text.chars().all(takes)
}

fn takes_id(provider: Provider, call: &Call) -> bool {
    let Some(id) = &call.id else {
        return matches!(provider, Provider::Gemini | Provider::Ollama | Provider::Plain);
    };
    let Some(id) = id.as_str() else { return false };
    match provider {
        Provider::Anthropic => only(id, usize::MAX, "_-"),
        Provider::Mistral => id.len() == 9 && only(id, 9, ""),
        Provider::Bedrock => only(id, 64, "_.:-"),
        Provider::OpenAiResponses => (1..=64).contains(&id.chars().count()),
        _ => !id.is_empty(),
    }
}

/// Whether the provider takes this name of a tool in a request. Some deployments of those that take 128 characters take 64.
pub fn takes_tool(provider: Provider, name: &str) -> bool {
    let most = if matches!(provider, Provider::Mcp | Provider::Ollama | Provider::Plain) { 128 } else { 64 };
    name.len() <= most && takes_name(provider, name)
}

fn takes_name(provider: Provider, name: &str) -> bool {
    let begins = |others: &str| name.starts_with(|c: char| c.is_ascii_alphabetic() || others.contains(c));
    match provider {
        Provider::Anthropic | Provider::OpenAiResponses => only(name, 128, "_-"),
        Provider::OpenAiChat | Provider::Bedrock | Provider::Mistral => only(name, 64, "_-"),
        Provider::Gemini => only(name, 64, "_.:-") && begins("_"),
        Provider::Cohere => only(name, 256, "_") && begins("_"),
        Provider::Ollama | Provider::Mcp | Provider::Plain => !name.is_empty(),
    }
}
