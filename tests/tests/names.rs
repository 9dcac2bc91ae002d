//! Tools whose names a provider refuses: published as one that it takes, and the host's own everywhere else.

#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]

use std::collections::HashSet;

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{
    Admitted, Definition, DynamicTool, Offer, OfferError, Registry, ResultBlock, Run, Select, Settled, ToolError,
    testing::Script,
    wire::{self, Answered, Item, PublishedTool, Reading, ReplyError, Step, ToolChoice, Wire},
};
use tool_gate_tests::provider::{Asked, Ending, Provider, faults, takes_tool};

const DOTTED: &str = "github.search_issues";
const DASHED: &str = "get-sum";
const DIGIT: &str = "2fa.check";

fn long() -> String {
    format!("logistics.{}.list", "shipment_".repeat(12))
}

/// It answers the name by which its call knows it; or fails.
fn tool(name: &str) -> DynamicTool<()> {
    let schema = json!({
        "type": "object",
        "properties": {"fail": {"type": "boolean"}},
        "additionalProperties": false,
    });
    DynamicTool::new(name, "Answer.", schema, |(), arguments: Value, call| {
        Box::pin(async move {
            if arguments["fail"] == true { Err(ToolError::from("broken")) } else { Ok(json!(call.tool())) }
        })
    })
}

fn registry(names: &[&str]) -> Registry<()> {
    names.iter().fold(Registry::builder(), |builder, name| builder.dynamic(tool(name))).build().unwrap()
}

fn all() -> Registry<()> {
    registry(&[DOTTED, DASHED, DIGIT, &long(), "plain"])
}

fn settle(provider: Provider, offer: &Offer<()>, calls: &[(&str, Value)]) -> Settled {
    let asked = |(at, (name, arguments)): (usize, &(&str, Value))| {
        let id = if provider == Provider::Mistral { format!("call0000{at}") } else { format!("call_{at}") };
        Asked::new(&id, name, arguments.clone())
    };
    let asked: Vec<Asked> = calls.iter().enumerate().map(asked).collect();
    let reply = provider.reply(&asked, Ending::ToolUse).unwrap();
    block_on(offer.settle(&reply, &(), &mut Run::default())).unwrap()
}

#[test]
fn every_provider_is_told_of_names_that_it_takes() {
    for provider in Provider::ALL {
        let offer = all().offer(provider.wire(), Select::All).unwrap();
        let published: Vec<&str> = offer.definitions().map(|tool| offer.published_name(tool.name()).unwrap()).collect();
        assert!(published.iter().all(|name| takes_tool(provider, name)), "{provider:?}: {published:?}");
        assert!(published.is_sorted(), "{provider:?}: {published:?}");
        assert_eq!(published.iter().collect::<HashSet<_>>().len(), 5);
        for tool in offer.definitions().map(Definition::name) {
            let own_is_taken = takes_tool(provider, tool);
            assert_eq!(offer.published_name(tool) == Some(tool), own_is_taken, "{provider:?}: {tool}");
        }
        let array = offer.tools().json();
        assert!(published.iter().all(|name| array.contains(&format!("\"{name}\""))), "{provider:?}: {array}");
    }
}

#[test]
fn a_tool_is_called_by_its_published_name_and_the_host_knows_it_by_its_own() {
    for provider in Provider::ALL {
        let offer = all().offer(provider.wire(), Select::All).unwrap();
        for own in [DOTTED, DASHED, DIGIT, &long(), "plain"] {
            let published = offer.published_name(own).unwrap();
            let settled = settle(provider, &offer, &[(published, json!({}))]);
            let block = &settled.blocks()[0];
            assert_eq!((block.tool(), block.text()), (Some(own), own), "{provider:?}");
            let messages = settled.messages();
            assert_eq!(faults(provider, &messages, 1), [""; 0], "{provider:?}: {messages:?}");
            if provider != Provider::Mcp {
                assert_eq!(provider.written(&messages).unwrap().asked[0].name, published, "{provider:?}");
            }
        }
        assert_eq!(offer.counters().snapshot().tools[DOTTED].completed, 1);
    }
}

#[test]
fn what_the_model_reads_has_the_published_name() {
    let offer = all().offer(wire::OpenAiChat::default(), Select::All).unwrap();
    let reply = [
        ("github_search_issues", json!({"fial": true})),
        ("github_search_issues", json!({"fail": true})),
        (DOTTED, json!({})),
    ];
    let settled = settle(Provider::OpenAiChat, &offer, &reply);
    let texts: Vec<&str> = settled.blocks().iter().map(ResultBlock::text).collect();
    assert!(texts[0].starts_with("github_search_issues rejected: "), "{texts:?}");
    assert!(texts[1].starts_with("github_search_issues could not be completed."), "{texts:?}");
    let long = offer.published_name(&long()).unwrap();
    let known = format!("Available tools: 2fa_check, get-sum, github_search_issues, {long}, plain.");
    assert_eq!(texts[2], format!("No tool named \"{DOTTED}\". {known}"));
    assert_eq!(settled.blocks()[2].tool(), None, "the host's name is none that is offered");
}

#[test]
fn policy_select_and_choice_go_by_the_own_name() {
    let denies = |(): &(), call: &Admitted| {
        if call.name() == DOTTED { tool_gate::Decision::deny("Not that.") } else { tool_gate::Decision::Allow }
    };
    let registry = Registry::builder().dynamic(tool(DOTTED)).dynamic(tool(DASHED)).policy(denies).build().unwrap();
    let offer = registry.offer(wire::Cohere::default(), Select::only([DOTTED])).unwrap();
    let settled = settle(Provider::Cohere, &offer, &[("github_search_issues", json!({})), ("get_sum", json!({}))]);
    assert_eq!(settled.blocks()[0].text(), "Not that.");
    assert_eq!(settled.blocks()[1].tool(), None);

    let offer = registry.offer(wire::Anthropic::default(), Select::All).unwrap();
    let choice = offer.request(&ToolChoice::tool(DOTTED)).unwrap()["tool_choice"].clone();
    assert_eq!(choice, json!({"type": "tool", "name": "github_search_issues"}));
    assert!(offer.request(&ToolChoice::tool("github_search_issues")).is_err());
}

#[test]
fn a_stream_names_the_tool_by_its_own_name() {
    let offer = all().offer(wire::Anthropic::default(), Select::All).unwrap();
    let mut assembler = offer.assembler().unwrap();
    let block = json!({"type": "tool_use", "id": "toolu_1", "name": "github_search_issues", "input": {}});
    let event = json!({"type": "content_block_start", "index": 0, "content_block": block});
    let named = assembler.push_event(&event).unwrap();
    assert_eq!((named[0].name(), named[0].tool()), ("github_search_issues", Some(DOTTED)));
}

#[test]
fn a_name_does_not_change_with_what_is_selected() {
    let registry = registry(&["a.b", "a_b", "a-b"]);
    for provider in Provider::ALL {
        let whole = registry.offer(provider.wire(), Select::All).unwrap();
        for own in ["a.b", "a_b", "a-b"] {
            let alone = registry.offer(provider.wire(), Select::only([own])).unwrap();
            assert_eq!(alone.published_name(own), whole.published_name(own), "{provider:?}");
            assert_eq!(alone.published_name("plain"), None);
        }
        assert_eq!(whole.published_name("a_b"), Some("a_b"), "{provider:?}: what is taken is nobody else's");
    }
}

#[test]
fn the_report_tells_of_a_name_that_is_published_otherwise() {
    let report = all().offer(wire::Gemini::default(), Select::only([DOTTED, DIGIT])).unwrap().report().clone();
    assert_eq!(
        report.tools.iter().map(|line| line.published_as.as_deref()).collect::<Vec<_>>(),
        [Some("_2fa.check"), None]
    );
    assert!(report.to_string().contains("2fa.check (as _2fa.check)  plain"), "{report}");
}

#[test]
fn a_script_calls_a_tool_by_its_own_name_on_every_wire() {
    for wire in Provider::ALL.map(Provider::wire) {
        let offer = all().offer(wire, Select::All).unwrap();
        let script = Script::new().calls(DOTTED, json!({})).reads(DOTTED).calls(long(), json!({})).reads(long());
        assert_eq!(block_on(script.play(&offer, &())).blocks().count(), 2);
    }
}

#[test]
fn a_name_is_made_of_any_that_a_tool_can_have() {
    for name in ["a", ".", "-", "7", &"x".repeat(128)] {
        let offers =
            Provider::ALL.map(|provider| (provider, registry(&[name]).offer(provider.wire(), Select::All).unwrap()));
        for (provider, offer) in offers {
            assert!(takes_tool(provider, offer.published_name(name).unwrap()), "{provider:?}: {name}");
        }
    }
}

/// A wire of the user's own, that takes three letters.
#[derive(Debug)]
struct Terse;

impl Wire for Terse {
    fn publish(&self, tools: &[PublishedTool<'_>]) -> Value {
        tools.iter().map(|tool| json!([tool.name(), tool.definition().name()])).collect()
    }

    fn argument_places(&self) -> &'static [&'static [Step]] {
        &[]
    }

    fn read(&self, _reply: Item<'_>) -> Result<Reading, ReplyError> {
        Err(ReplyError::new("it never answers"))
    }

    fn write(&self, _assistant: &Value, _answers: &[Answered<'_>]) -> Vec<Value> {
        Vec::new()
    }

    fn takes_id(&self, _id: &str) -> bool {
        true
    }

    fn takes_name(&self, name: &str) -> bool {
        name.len() <= 3 && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    }
}

#[test]
fn a_tool_of_which_no_name_can_be_made_is_not_offered_and_nothing_is_published_for_another() {
    let offer = registry(&["a.b", "abc"]).offer(Terse, Select::All).unwrap();
    assert_eq!(offer.tools().to_value(), json!([["a_b", "a.b"], ["abc", "abc"]]));
    for names in [&["a.b", "a_b"][..], &["a.b", "a-b"], &["four"]] {
        let error = registry(names).offer(Terse, Select::All).unwrap_err();
        assert!(matches!(error, OfferError::Name { .. }), "{error}");
    }
}
