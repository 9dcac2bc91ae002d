//! The support agent of the examples, played as each provider: a conversation in which a name, arguments against the
//! schema and a cut text are each told and mended, one in which tools break off, hang and are denied, and one that is
//! stopped.

#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::collections::BTreeMap;

use examples::support::{
    conversation::{self, Conversation, Story},
    provider::Provider,
    recording::{MENDED, STOPPED, STORY, Script},
    session::{Session, scopes_are_granted},
    tools::SUPPORT,
};
use serde_json::{Value, json};
use tool_gate::{
    FailureKind, Outcome,
    OutcomeKind::{self, Completed, Denied, Failed, Rejected},
    Registry, Rejection, RejectionKind, ResultBlock, Run, Select, Settled, StopReason, TurnOutcome, testing,
};
use tool_gate_tests::provider::{Asked, Ending, faults};

/// The story, on a clock that jumps to where something happens.
fn story(provider: Provider) -> Story {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(conversation::recorded(provider)).unwrap()
}

fn conversations(provider: Provider) -> [Conversation; 3] {
    story(provider).conversations.try_into().unwrap()
}

/// The conversation in which each mistake is mended.
fn recorded() -> Conversation {
    let [mended, _, _] = conversations(Provider::Anthropic);
    mended
}

/// The tool that was called, how it ended, and what the model reads.
type Told = (Option<String>, OutcomeKind, String);

const VASE: &str = r#"{"id":"A-1004","item":"vase","status":"open","placed":"2026-11-27","refundable_cents":2500}"#;
const DESK: &str = r#"{"id":"A-1002","item":"desk","status":"shipped","placed":"2026-11-16","refundable_cents":32900}"#;
const RUG: &str = r#"{"id":"A-1003","item":"rug","status":"shipped","placed":"2026-11-12","refundable_cents":11900}"#;
const LAMP: &str =
    r#"{"id":"A-1001","item":"lamp","status":"delivered","placed":"2026-10-28","refundable_cents":4990}"#;

fn expected() -> [Vec<Told>; 13] {
    let told = |kind| move |tool: &str, text: &str| (Some(tool.to_owned()), kind, text.to_owned());
    let (completed, rejected, failed) = (told(Completed), told(Rejected), told(Failed));
    let unknown = |text: &str| (None, Rejected, text.to_owned());
    [
        vec![unknown(
            "No tool named \"serch_orders\". \
             Available tools: get_shipment, issue_refund, lookup_policy, search_orders.",
        )],
        vec![completed("search_orders", &format!("[{VASE},{DESK},{RUG},{LAMP}]"))],
        vec![rejected("search_orders", "search_orders rejected: customerId is not declared. Declared: status, limit.")],
        vec![rejected(
            "search_orders",
            "search_orders rejected: status must be one of shipped, open, delivered or cancelled. Received \"shiped\".",
        )],
        vec![completed("search_orders", &format!("[{DESK},{RUG}]"))],
        vec![rejected(
            "get_shipment",
            "Arguments for get_shipment end before they are complete. Send them whole; if they are long, send fewer items.",
        )],
        vec![completed("get_shipment", r#"{"state":"in transit","place":"Basel","arrives_on":"2026-12-02"}"#)],
        vec![
            completed(
                "lookup_policy",
                "A damaged item is refunded in full within 30 days of delivery. It need not be sent back.",
            ),
            completed("search_orders", &format!("[{LAMP}]")),
        ],
        vec![rejected("issue_refund", "issue_refund rejected: amount_cents must be at least 1. Received 0.")],
        vec![completed("issue_refund", r#"{"order_id":"A-1001","refunded_cents":4990,"refundable_cents":0}"#)],
        vec![failed("get_shipment", "Sleepy Haulage does not answer. Give the customer its tracking number: SH-007.")],
        vec![failed("get_shipment", "The customer has no order B-2001. Use search_orders to see which there are.")],
        vec![],
    ]
}

#[test]
fn every_call_is_answered_in_these_words() {
    let told = told(&recorded());
    assert_eq!(told.len(), MENDED.replies.len());
    for ((told, said), expected) in told.into_iter().zip(MENDED.replies).zip(expected()) {
        assert_eq!(told, expected, "{}", said.caption);
    }
}

/// What the model was told, step by step.
fn told(conversation: &Conversation) -> Vec<Vec<Told>> {
    let told = |block: &ResultBlock| (block.tool().map(str::to_owned), block.kind(), block.text().to_owned());
    conversation.steps.iter().map(|step| step.blocks().iter().map(told).collect()).collect()
}

/// The step, counted from 1; the rejection's kind; the path and the keyword of the broken clause.
type Broken = (usize, &'static str, Option<&'static str>, Option<&'static str>);

const REJECTIONS: [Broken; 5] = [
    (1, "unknown_name", None, None),
    (3, "schema", Some("(root)"), Some("additionalProperties")),
    (4, "schema", Some("status"), Some("enum")),
    (6, "truncated", None, None),
    (9, "schema", Some("amount_cents"), Some("minimum")),
];

/// The first answer of a step, counted from 1.
fn answer(conversation: &Conversation, step: usize) -> &ResultBlock {
    &conversation.steps[step - 1].blocks()[0]
}

#[test]
fn every_rejection_names_the_clause_that_was_broken() {
    let conversation = recorded();
    for (step, kind, path, keyword) in REJECTIONS {
        let rejection = answer(&conversation, step).rejection().unwrap();
        assert_eq!(rejection.kind().as_str(), kind, "step {step}");
        assert_eq!(rejection.path().map(ToString::to_string).as_deref(), path, "step {step}");
        assert_eq!(rejection.keyword(), keyword, "step {step}");
    }
}

#[test]
fn the_conversation_goes_on_after_each_mistake_and_ends_with_the_answer() {
    let conversation = recorded();
    let next: Vec<TurnOutcome> = conversation.steps.iter().map(Settled::outcome).collect();
    let (last, before) = next.split_last().unwrap();
    assert!(before.iter().all(|next| *next == TurnOutcome::GoOn));
    assert_eq!(*last, TurnOutcome::Final);
    // The third call breaks two clauses and is told of one; step 4 mends that and is told of the other.
    assert_eq!(answer(&conversation, 4).rejection().and_then(Rejection::keyword), Some("enum"));
    for mistake in [1, 4, 6, 9] {
        assert_eq!(answer(&conversation, mistake + 1).kind(), Completed, "step {mistake} is mended");
    }
}

#[test]
fn its_tools_keep_what_they_publish() {
    let registry = Registry::builder().list(&SUPPORT).policy(scopes_are_granted).build().unwrap();
    testing::assert_no_drift(&registry);
}

#[test]
fn every_message_can_be_sent_back() {
    for provider in Provider::ALL {
        for conversation in conversations(provider) {
            assert_eq!(provider.check(&conversation.messages), Ok(()));
            let (calls, answers) = ids(&conversation.messages);
            assert_eq!(calls, answers);
            assert_eq!(calls, blocks(&conversation).map(ResultBlock::id).collect::<Vec<_>>());
        }
    }
    let messages = recorded().messages;
    let roles: Vec<_> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert!(roles.chunks(2).all(|pair| pair == ["user", "assistant"]), "{roles:?}");
}

fn blocks(conversation: &Conversation) -> impl Iterator<Item = &ResultBlock> {
    conversation.steps.iter().flat_map(Settled::blocks)
}

/// The ids of all calls and of all answers, wherever a provider has them.
fn ids(messages: &[Value]) -> (Vec<&str>, Vec<&str>) {
    let items = messages.iter().flat_map(|message| {
        let nested = ["content", "tool_calls"].into_iter().filter_map(|key| message[key].as_array()).flatten();
        nested.chain([message])
    });
    let (mut calls, mut answers) = (Vec::new(), Vec::new());
    for item in items {
        calls.extend(item["id"].as_str().or_else(|| item["toolUse"]["toolUseId"].as_str()));
        let answered = [&item["tool_use_id"], &item["tool_call_id"], &item["toolResult"]["toolUseId"]];
        answers.extend(answered.into_iter().find_map(Value::as_str));
    }
    (calls, answers)
}

#[test]
fn a_result_says_that_it_is_an_error_unless_the_tool_answered() {
    let conversation = recorded();
    for (step, answers) in conversation.steps.iter().zip(conversation.messages[2..].iter().step_by(2)) {
        for (block, answer) in step.blocks().iter().zip(answers["content"].as_array().unwrap()) {
            assert_eq!(answer["tool_use_id"], block.id());
            assert_eq!(answer["content"], block.text());
            assert_eq!(answer.get("is_error").is_some(), block.kind() != Completed, "{}", block.text());
        }
    }
}

#[test]
fn arguments_that_never_were_an_object_go_back_as_an_empty_one() {
    let conversation = recorded();
    let assistant = &conversation.messages[11]["content"][0];
    assert_eq!(assistant["id"], "toolu_6_1");
    assert_eq!(assistant["input"], json!({}));
}

#[test]
fn the_log_gets_the_cause_of_a_failure_and_the_model_does_not() {
    let conversation = recorded();
    let block = answer(&conversation, 11);
    let Outcome::Failed { failure } = block.outcome() else { panic!("{block:?}") };
    let cause = failure.source().unwrap().to_string();
    assert!(cause.contains("tracking.internal"), "{cause}");
    assert!(!format!("{:?}", conversation.messages).contains("tracking.internal"));
}

#[test]
fn a_panic_a_hang_and_a_denial_are_answered_and_the_conversation_goes_on() {
    let [_, unharmed, _] = conversations(Provider::Anthropic);
    let told_of = |tool: &str, kind, text: &str| (Some(tool.to_owned()), kind, text.to_owned());
    let milan = r#"{"state":"in transit","place":"Milan","arrives_on":"2026-12-04"}"#;
    let denied = "This account cannot do that by itself. Offer to hand the customer over to a colleague.";
    assert_eq!(
        told(&unharmed),
        [
            vec![
                told_of("get_shipment", Failed, "get_shipment broke off before it answered."),
                told_of("get_shipment", Completed, milan),
            ],
            vec![told_of("get_shipment", Failed, "get_shipment was given up after 0.25 seconds.")],
            vec![told_of("issue_refund", Denied, denied)],
            vec![],
        ]
    );
    assert_eq!(blocks(&unharmed).filter_map(failure).collect::<Vec<_>>(), [FailureKind::Panic, FailureKind::Timeout]);
    assert_eq!(unharmed.stop, None);
    assert_eq!(unharmed.steps.last().map(Settled::outcome), Some(TurnOutcome::Final));
}

fn failure(block: &ResultBlock) -> Option<FailureKind> {
    match block.outcome() {
        Outcome::Failed { failure } => Some(failure.kind()),
        _ => None,
    }
}

#[test]
fn a_model_that_does_not_mend_is_stopped_and_its_record_is_whole() {
    let [_, _, stopped] = conversations(Provider::Anthropic);
    let stop = stopped.stop.unwrap();
    assert_eq!((&stop.reason, stop.count), (&StopReason::UnknownTools, 3));
    assert_eq!(stop.to_string(), "no tool that exists was named in 3 steps in a row");
    assert!(stop.last.starts_with("No tool named \"find_orders\"."), "{}", stop.last);

    // The question, and each reply with its results: what was never asked for is the fourth.
    assert_eq!(stopped.steps.len(), 3);
    assert!(stopped.steps.len() < STOPPED.replies.len());
    assert_eq!(stopped.messages.len(), 1 + 2 * stopped.steps.len());
    let (last, before) = stopped.steps.split_last().unwrap();
    assert!(before.iter().all(|step| step.finished() == Ok(false)));
    assert_eq!(last.finished(), Err(stop));
    assert_eq!(last.blocks()[0].rejection().map(Rejection::kind), Some(RejectionKind::UnknownName));
}

#[test]
fn all_providers_tell_the_same_story() {
    let anthropic = story(Provider::Anthropic);
    assert_eq!(anthropic.conversations.len(), STORY.len());
    for provider in Provider::ALL {
        let played = story(provider);
        for (theirs, ours) in anthropic.conversations.iter().zip(&played.conversations) {
            assert_eq!(told(theirs), told(ours), "{provider}");
            let outcomes = |told: &Conversation| told.steps.iter().map(Settled::outcome).collect::<Vec<_>>();
            assert_eq!(outcomes(theirs), outcomes(ours), "{provider}");
            assert!(blocks(theirs).map(failure).eq(blocks(ours).map(failure)), "{provider}");
            let broken = |block: &ResultBlock| block.rejection().map(Rejection::kind);
            assert!(blocks(theirs).map(broken).eq(blocks(ours).map(broken)), "{provider}");
            assert_eq!(theirs.stop, ours.stop, "{provider}");
        }
        assert_eq!(anthropic.counted, played.counted, "{provider}");
    }
}

/// The replies of one conversation, step by step: what each call was told, and what became of the turn.
fn played(on: tool_gate_tests::provider::Provider, script: &Script) -> Vec<Step> {
    let registry = Registry::builder().list(&SUPPORT).policy(scopes_are_granted).build().unwrap();
    let offer = registry.offer(on.wire(), Select::All).unwrap();
    let (session, mut run) = (Session::sign_in(script.customer).unwrap(), Run::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let mut steps = Vec::new();
    for (step, said) in script.replies.iter().enumerate() {
        let asked = said.calls.iter().enumerate();
        let asked: Vec<Asked> = asked
            .map(|(place, call)| {
                let asked = Asked::as_written(&format!("step{step:02}no{place}"), call.name, call.arguments);
                // A text that is cut would cut the reply with it: it comes as stream readers leave it, as a string.
                Asked { as_written: serde_json::from_str::<Value>(call.arguments).is_ok(), ..asked }
            })
            .collect();
        let ending = if asked.is_empty() { Ending::Complete } else { Ending::ToolUse };
        // A server of MCP and whoever asks for bare proposals do not see the model's last words.
        let Some(body) = on.body(&asked, ending) else { break };
        let settled = runtime.block_on(offer.settle(body, &session, &mut run)).unwrap();
        let messages = settled.messages();
        assert_eq!(faults(on, &messages, asked.len()), [""; 0], "{on:?}: {messages:?}");
        let told = settled.blocks().iter().map(|block| {
            (
                block.tool().map(str::to_owned),
                block.kind(),
                block.rejection().map(Rejection::kind),
                block.text().to_owned(),
            )
        });
        steps.push((told.collect(), settled.outcome()));
    }
    steps
}

type Step = (Vec<(Option<String>, OutcomeKind, Option<RejectionKind>, String)>, TurnOutcome);

#[test]
fn the_story_is_the_same_on_every_wire_step_by_step() {
    use tool_gate_tests::provider::Provider;
    for script in &STORY {
        let ours = played(Provider::Anthropic, script);
        assert_eq!(ours.len(), script.replies.len());
        for provider in Provider::ALL {
            let theirs = played(provider, script);
            let says_no_more = matches!(provider, Provider::Mcp | Provider::Plain);
            let last_words = ours.iter().filter(|(told, _)| told.is_empty()).count();
            assert_eq!(theirs.len(), ours.len() - if says_no_more { last_words } else { 0 }, "{provider:?}");
            for (mut theirs, ours) in theirs.into_iter().zip(ours.clone()) {
                for (their, our) in theirs.0.iter_mut().zip(&ours.0) {
                    // A request of JSON-RPC is whole, or it is none: the string is no object there, rather than cut.
                    if provider == Provider::Mcp && our.2 == Some(RejectionKind::Truncated) {
                        assert_eq!(their.2, Some(RejectionKind::NotAnObject));
                        their.clone_from(our);
                    }
                }
                assert_eq!(theirs, ours, "{provider:?}");
            }
        }
    }
}

#[test]
fn the_counters_agree_with_the_blocks() {
    let Story { conversations, counted } = story(Provider::Anthropic);
    let blocks: Vec<&ResultBlock> = conversations.iter().flat_map(blocks).collect();
    let total = counted.total();
    let of = |kind| u64::try_from(blocks.iter().filter(|block| block.kind() == kind).count()).unwrap();
    assert_eq!(counted.calls(), u64::try_from(blocks.len()).unwrap());
    assert_eq!((total.completed, total.denied), (of(Completed), of(Denied)));
    assert_eq!((total.failures(), total.rejections()), (of(Failed), of(Rejected)));
    assert_eq!(total.failed, tally(blocks.iter().filter_map(|block| failure(block))));
    assert_eq!(total.rejected, tally(blocks.iter().filter_map(|block| block.rejection().map(Rejection::kind))));
    for (tool, counts) in &counted.tools {
        let calls = blocks.iter().filter(|block| block.tool() == Some(tool)).count();
        assert_eq!(counts.calls(), u64::try_from(calls).unwrap(), "{tool}");
    }

    // One misspelt name, one cut text and one refund of nothing took one step each; customerId and shiped took two.
    assert_eq!(total.streaks.mended_after, BTreeMap::from([(1, 3), (2, 1)]));
    assert_eq!((total.streaks.begun, total.streaks.never), (5, 1));
    assert_eq!(counted.unknown.streaks.never, 1);
}

fn tally<K: Ord>(kinds: impl Iterator<Item = K>) -> BTreeMap<K, u64> {
    let mut tally = BTreeMap::new();
    kinds.for_each(|kind| *tally.entry(kind).or_default() += 1);
    tally
}
