//! A week of a support agent, as an article reports it: about 2,000 calls of six tools, 28 names that do not exist (24 mended
//! at once, 3 on the second try, 1 never), 16 arguments against the schema, no text that does not parse.
//!
//! Every number is read from the public snapshot.

use std::collections::BTreeMap;

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{Limits, Offer, Registry, RejectionKind, Run, Select, Snapshot, StopReason, tool, wire};

macro_rules! tools {
    ($($name:ident)*) => {
        $(
            /// One of six.
            #[tool(read_only)]
            fn $name(order_id: &str, #[arg(range = 1..=50)] limit: u8) -> String {
                format!("{order_id} {limit}")
            }
        )*

        fn offer(rejected_steps: u32) -> Offer<()> {
            let mut limits = Limits::default();
            limits.rejected_steps = rejected_steps;
            let registry = Registry::builder()$(.tool::<$name>())*.limits(limits).build().expect("the six are declared well");
            registry.offer(wire::Anthropic::default(), Select::All).expect("all are offered")
        }
    };
}

tools! { search_orders get_shipment issue_refund lookup_policy update_address send_message }

/// What the model does in one step.
#[derive(Clone, Copy)]
enum Move {
    Good,
    Misnamed(&'static str),
    Misshapen,
}

use Move::{Good, Misnamed, Misshapen};

/// The conversations of the week.
fn week() -> Vec<Vec<Move>> {
    let good = |calls: usize| vec![Good; calls];
    let mut week = Vec::new();
    // Mended on the next step.
    for _ in 0..24 {
        week.push([good(2), vec![Misnamed("serch_orders")], good(3)].concat());
    }
    // Mended after a second rejection.
    for _ in 0..3 {
        week.push([good(2), vec![Misnamed("get_shipping"), Misnamed("shipment")], good(3)].concat());
    }
    // Never: its remaining six steps alternate between two names.
    let alternating = [Misnamed("refund_order"), Misnamed("make_refund")].repeat(3);
    week.push([good(1), alternating].concat());
    for _ in 0..16 {
        week.push([good(2), vec![Misshapen], good(4)].concat());
    }
    let calls: usize = week.iter().map(Vec::len).sum();
    week.extend((0..(2_000 - calls) / 5).map(|_| good(5)));
    week
}

fn reply(conversation: usize, step: usize, made: Move) -> String {
    let (name, input) = match made {
        Good => (["search_orders", "get_shipment", "lookup_policy"][step % 3], json!({"order_id": "A-1", "limit": 5})),
        Misnamed(name) => (name, json!({"order_id": "A-1", "limit": 5})),
        Misshapen => ("search_orders", json!({"order_id": "A-1", "limit": 500})),
    };
    let id = format!("toolu_{conversation}_{step}");
    let call = json!({"type": "tool_use", "id": id, "name": name, "input": input});
    json!({"id": id, "role": "assistant", "content": [call], "stop_reason": "tool_use"}).to_string()
}

/// A run that stopped: its conversation, the step, why, and the messages up to there.
struct Stopped {
    conversation: usize,
    step: usize,
    reason: StopReason,
    messages: Vec<Value>,
}

fn replay(rejected_steps: u32) -> (Vec<Stopped>, Snapshot) {
    let offer = offer(rejected_steps);
    let mut stops = Vec::new();
    for (conversation, moves) in week().into_iter().enumerate() {
        let mut run = Run::default();
        let mut messages = Vec::new();
        for (step, made) in moves.into_iter().enumerate() {
            let settled = block_on(offer.settle(&reply(conversation, step, made), &(), &mut run)).expect("a reply");
            messages.extend(settled.messages());
            if let Err(stop) = settled.finished() {
                stops.push(Stopped { conversation, step, reason: stop.reason, messages });
                break;
            }
        }
    }
    (stops, offer.counters().snapshot())
}

#[test]
fn with_the_bound_of_three_the_one_run_stops_that_never_recovers() {
    let (stops, counted) = replay(3);
    let [stop] = stops.as_slice() else { panic!("{} runs stopped", stops.len()) };
    // One good step, then three bad ones.
    assert_eq!((stop.conversation, stop.step, &stop.reason), (27, 3, &StopReason::UnknownTools));
    assert_eq!(stop.messages.len(), 8, "four turns and their results: the record is whole");
    for pair in stop.messages.chunks(2) {
        assert_eq!(pair[0]["content"][0]["id"], pair[1]["content"][0]["tool_use_id"]);
    }

    let total = counted.total();
    let rejected = BTreeMap::from([(RejectionKind::UnknownName, 24 + 6 + 3), (RejectionKind::Schema, 16)]);
    assert_eq!(total.rejected, rejected, "and nothing that does not parse");
    assert_eq!((total.failures(), total.denied), (0, 0));
    assert_eq!(counted.unknown.streaks.begun, 28);
    assert_eq!(counted.unknown.streaks.mended_after, BTreeMap::from([(1, 24), (2, 3)]));
    assert_eq!(counted.unknown.streaks.never, 1);
    assert_eq!(counted.tools["search_orders"].streaks.mended_after, BTreeMap::from([(1, 16)]));
    assert!((1_990..=2_000).contains(&counted.calls()), "{}", counted.calls());

    // 28 of 2,000 are 1.4 %, 16 are 0.8 %; of the names' streaks 27 of 28 are mended within two steps.
    assert_eq!(counted.unknown.streaks.begun * 1_000 / counted.calls(), 14);
    assert_eq!(format!("{:.3}", counted.rejection_rate(RejectionKind::Schema)), "0.008");
    assert_eq!(format!("{:.3}", counted.unknown.streaks.mended_within(2)), "0.964");
    assert_eq!(format!("{:.3}", counted.streak_rate()), "0.022");
}

#[test]
fn a_bound_of_two_would_stop_three_runs_that_recover() {
    let (stops, counted) = replay(2);
    let conversations: Vec<usize> = stops.iter().map(|stop| stop.conversation).collect();
    assert_eq!(conversations, [24, 25, 26, 27]);
    assert_eq!(counted.unknown.streaks.never, 4);
}

#[test]
fn a_bound_of_four_or_five_stops_the_same_run_later() {
    for bound in [4, 5] {
        let (stops, counted) = replay(bound);
        let stopped: Vec<_> = stops.iter().map(|stop| (stop.conversation, stop.step)).collect();
        assert_eq!(stopped, [(27, usize::try_from(bound).expect("small"))]);
        assert_eq!(counted.unknown.streaks.mended_after, BTreeMap::from([(1, 24), (2, 3)]));
    }
}
