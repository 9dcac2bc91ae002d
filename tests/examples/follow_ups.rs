//! Prints what the wires write for every sample, with every outcome that a call can have, one record a line: the vendors'
//! own types check it (`validators/validate.py`).
//!
//! It fails where the pairing rules are broken.

#![allow(clippy::print_stderr, reason = "what is broken is told")]

use std::{error::Error, fs, io::Write, path::Path, process::ExitCode};

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{
    Admitted, Content, Decision, DynamicTool, Offer, Registry, Run, Select, Settled, ToolError,
    wire::{Reply, ToolChoice},
};
use tool_gate_tests::provider::{Provider, faults};

/// What becomes of the calls.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Case {
    CompletedWithAnObject,
    CompletedWithAText,
    CompletedWithNothing,
    CompletedWithPictures,
    Failed,
    Rejected,
    Denied,
    Truncated,
    DuplicateIds,
}

const CASES: [Case; 9] = [
    Case::CompletedWithAnObject,
    Case::CompletedWithAText,
    Case::CompletedWithNothing,
    Case::CompletedWithPictures,
    Case::Failed,
    Case::Rejected,
    Case::Denied,
    Case::Truncated,
    Case::DuplicateIds,
];

/// The smallest PNG there is, and enough of a PDF.
const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n";
const PAPER: &[u8] = b"%PDF-1.7";

/// A tool of which the case decides what becomes.
fn tool(name: &str, case: Case) -> DynamicTool<()> {
    let mut schema = json!({"type": "object", "properties": {}});
    if case == Case::Rejected {
        schema["properties"] = json!({"missing": {"type": "string"}});
        schema["required"] = json!(["missing"]);
    }
    DynamicTool::new(name, "One of the samples' tools.", schema, move |(), _, _| {
        Box::pin(async move {
            Ok::<tool_gate::Answer, ToolError>(match case {
                Case::Failed => return Err(ToolError::new("The order store is closed.")),
                Case::CompletedWithAText => json!("shipped").into(),
                Case::CompletedWithNothing => Value::Null.into(),
                Case::CompletedWithPictures => vec![
                    Content::text("A picture and a paper:"),
                    Content::image("image/png", PICTURE),
                    Content::file("invoice.pdf", "application/pdf", PAPER),
                ]
                .into(),
                _ => json!({"status": "shipped", "carrier": null}).into(),
            })
        })
    })
}

fn offer(provider: Provider, case: Case) -> Result<Offer<()>, Box<dyn Error>> {
    let policy = move |(): &(), _: &Admitted| match case {
        Case::Denied => Decision::deny("The shop is closed."),
        _ => Decision::Allow,
    };
    let tools = ["lookup_order", "convert_units", "ping", "run_query"].map(|name| tool(name, case));
    let builder = tools.into_iter().fold(Registry::<()>::builder(), tool_gate::Builder::dynamic);
    Ok(builder.policy(policy).build()?.offer(provider.wire(), Select::All)?)
}

/// One reply in a folder of samples.
struct Sample {
    name: String,
    text: String,
    is_stream: bool,
}

fn samples(provider: Provider) -> Result<Vec<Sample>, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/wire");
    let mut samples = Vec::new();
    for folder in provider.folders() {
        let mut paths: Vec<_> =
            fs::read_dir(root.join(folder))?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
        paths.sort();
        for path in paths {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let is_stream = path.extension().is_some_and(|end| end == "jsonl");
            let is_request = stem.starts_with("tools") || stem.starts_with("followup") || stem.starts_with("result");
            if !is_request {
                let text = fs::read_to_string(&path)?;
                samples.push(Sample { name: format!("{folder}/{stem}"), text, is_stream });
            }
        }
    }
    if provider == Provider::Plain {
        let text = r#"[{"name": "lookup_order", "arguments": {"order_no": "A-1042"}}, {"id": "2", "name": "nobody", "arguments": {}}]"#;
        samples.push(Sample { name: "plain/two".into(), text: text.into(), is_stream: false });
    }
    Ok(samples)
}

/// The reply of a sample with what the case plants in it; none where the sample is none, or cannot have that.
fn reply(
    provider: Provider,
    sample: &Sample,
    case: Case,
    offer: &Offer<()>,
) -> Result<Option<Reply<'static>>, Box<dyn Error>> {
    if sample.is_stream {
        let Some(mut assembler) = offer.assembler() else { return Err("a stream of a wire that has none".into()) };
        for line in sample.text.lines() {
            assembler.push(line)?;
        }
        return Ok(Some(assembler.finish()));
    }
    let mut reply: Value = serde_json::from_str(&sample.text)?;
    // The wrapper around several messages of MCP is the samples' own.
    if let (Provider::Mcp, Some(messages)) = (provider, reply.get("messages")) {
        reply = messages.clone();
    }
    let reply = match case {
        Case::Truncated => provider.cut(reply),
        Case::DuplicateIds => Some(provider.with_one_id(reply)),
        _ => Some(reply),
    };
    Ok(reply.map(Reply::from))
}

/// The samples that are no reply, and that are errors for the host.
const NO_REPLIES: [&str; 2] = ["openai_compatible/groq_tool_use_failed", "mcp/response_truncated"];

fn run() -> Result<usize, Box<dyn Error>> {
    let (mut out, mut broken) = (std::io::stdout().lock(), 0);
    for provider in Provider::ALL {
        for sample in samples(provider)? {
            for case in CASES {
                let offer = offer(provider, case)?;
                let Some(reply) = reply(provider, &sample, case, &offer)? else { continue };
                let settled: Settled = match block_on(offer.settle(reply, &(), &mut Run::default())) {
                    Ok(_) if NO_REPLIES.contains(&sample.name.as_str()) => return Err("that is no reply".into()),
                    Err(_) if NO_REPLIES.contains(&sample.name.as_str()) => continue,
                    settled => settled.map_err(|error| format!("{}: {error}", sample.name))?,
                };
                let messages = settled.messages();
                for fault in faults(provider, &messages, settled.blocks().len()) {
                    eprintln!("{} {case:?}: {fault}: {}", sample.name, Value::from(messages.clone()));
                    broken += 1;
                }
                let request = offer.request(&ToolChoice::auto())?;
                let record = json!({
                    "provider": provider.name(),
                    "sample": sample.name,
                    "case": format!("{case:?}"),
                    "request": request,
                    "messages": messages,
                });
                writeln!(out, "{record}")?;
            }
        }
    }
    Ok(broken)
}

fn main() -> ExitCode {
    match run() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(broken) => {
            eprintln!("{broken} rules are broken");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
