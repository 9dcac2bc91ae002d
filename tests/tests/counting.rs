//! Counters: nothing is lost between threads, snapshots add up, and a denial is neither a failure nor a rejection.

use std::{collections::BTreeMap, thread};

use serde_json::json;
use tool_gate::{FailureKind, Limits, Offer, RejectionKind, Run, Snapshot};
use tool_gate_tests::agent::{bad, good, offer, reply, settle};

#[test]
fn each_end_of_a_call_has_its_counter() {
    let offer = offer(Limits::default());
    let mut run = Run::default();
    let calls = [
        good(),
        bad(),
        ("forget", json!({})),
        ("write", json!({"id": "full"})),
        ("nope", json!({})),
        ("read", json!([1])),
    ];
    let _ = settle(&offer, &mut run, 1, &calls);
    let counted = offer.counters().snapshot();
    assert_eq!(counted.tools["search"].completed, 1);
    assert_eq!(counted.tools["search"].rejected, BTreeMap::from([(RejectionKind::Schema, 1)]));
    assert_eq!(counted.tools["forget"].denied, 1);
    assert_eq!(counted.tools["write"].failed, BTreeMap::from([(FailureKind::Error, 1)]));
    assert_eq!(counted.tools["read"].rejected, BTreeMap::from([(RejectionKind::NotAnObject, 1)]));
    assert_eq!(counted.unknown.rejected, BTreeMap::from([(RejectionKind::UnknownName, 1)]));
    let total = counted.total();
    assert_eq!((total.completed, total.denied, total.failures(), total.rejections()), (1, 1, 1, 3));
    assert_eq!(counted.calls(), 6);
    // `search` and the unknown names were mended in the step in which they were wrong: only `read` has a streak.
    assert_eq!((total.streaks.begun, counted.tools["read"].streaks.begun), (1, 1));
}

#[test]
fn two_threads_lose_nothing_over_a_million_calls() {
    const REPLIES: usize = 5_000;
    const CALLS: usize = 100;

    fn work(offer: &Offer<bool>) {
        let calls: Vec<_> =
            (0..CALLS).map(|at| if at % 10 == 0 { ("x", json!({})) } else { ("forget", json!({})) }).collect();
        let mut same = reply(1, &calls);
        for call in same["content"].as_array_mut().into_iter().flatten() {
            call.as_object_mut().map(|call| call.remove("id"));
        }
        for _ in 0..REPLIES {
            // Each a run of its own: none reaches a bound.
            let settled = pollster::block_on(offer.settle(&same, &false, &mut Run::default()));
            assert_eq!(settled.map(|settled| settled.blocks().len()).ok(), Some(CALLS));
        }
    }

    let offer = offer(Limits::default());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| work(&offer));
        }
    });
    let counted = offer.counters().snapshot();
    let calls = u64::try_from(2 * REPLIES * CALLS).unwrap_or_default();
    assert_eq!(calls, 1_000_000);
    assert_eq!(counted.calls(), calls);
    assert_eq!(counted.tools["forget"].denied, calls / 10 * 9);
    assert_eq!(counted.unknown.rejected[&RejectionKind::UnknownName], calls / 10);
}

#[test]
fn snapshots_survive_being_sent_and_add_up() {
    let of = |calls: &[(&str, serde_json::Value)]| {
        let offer = offer(Limits::default());
        let mut run = Run::default();
        (0..3).for_each(|step| drop(settle(&offer, &mut run, step, calls)));
        offer.counters().snapshot()
    };
    let (one, other) = (of(&[good(), ("nope", json!({}))]), of(&[bad()]));
    let sent: Snapshot = serde_json::from_str(&serde_json::to_string(&one).unwrap_or_default()).unwrap_or_default();
    assert_eq!(sent, one);
    let mut both = sent;
    both.merge(&other);
    assert_eq!(both.calls(), one.calls() + other.calls());
    assert_eq!(both.tools["search"].completed, 3);
    assert_eq!(both.tools["search"].rejections(), 3);
    assert_eq!(both.tools["search"].streaks.never, 1);
    assert_eq!(both.unknown, one.unknown);
}
