//! Runs end: at which step, for which reason, and with everything answered.

#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]

use std::{
    io::Write,
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use tool_gate::{Limits, NotRunnable, OutcomeKind, Rejection, Run, Settled, Stop, StopReason, TurnOutcome};
use tool_gate_tests::agent::{bad, good, offer, reply, settle};

/// Settles the steps in turn; the number of the step that stopped the run, from 1, and why.
fn stopped_at(limits: &Limits, steps: &[Vec<(&str, Value)>]) -> Option<(usize, Stop)> {
    let offer = offer(limits.clone());
    let mut run = Run::default();
    for (number, calls) in (1..).zip(steps) {
        let settled = settle(&offer, &mut run, number, calls);
        assert_eq!(settled.blocks().len(), calls.len());
        if let Err(stop) = settled.finished() {
            assert_eq!(settled.outcome(), TurnOutcome::Stopped(stop.clone()));
            return Some((number, stop));
        }
    }
    None
}

fn unknown(name: &str) -> (&str, Value) {
    (name, json!({}))
}

#[test]
fn one_tool_rejected_three_steps_in_a_row_stops_the_run() {
    let (step, stop) = stopped_at(&Limits::default(), &[vec![bad()], vec![bad()], vec![bad()], vec![good()]]).unwrap();
    assert_eq!(step, 3);
    assert_eq!(stop.reason, StopReason::ToolRejected { tool: "search".into() });
    assert_eq!(stop.count, 3);
    assert_eq!(stop.last, "search rejected: limit must be at least 1. Received 0.");
    assert_eq!(stop.to_string(), "`search` was rejected in 3 steps in a row");
}

#[test]
fn two_invented_names_that_alternate_are_one_streak() {
    let steps = [vec![unknown("serch")], vec![unknown("find")], vec![unknown("serch")]];
    let (step, stop) = stopped_at(&Limits::default(), &steps).unwrap();
    assert_eq!((step, stop.reason), (3, StopReason::UnknownTools));
    assert!(stop.last.starts_with("No tool named \"serch\". Available tools: forget, read, search, write."));
}

#[test]
fn a_misspelling_that_is_mended_each_time_stops_nothing() {
    let steps: Vec<_> = (0..30).map(|step| vec![if step % 10 == 0 { unknown("serch") } else { good() }]).collect();
    assert_eq!(stopped_at(&Limits::default(), &steps), None);
}

#[test]
fn three_bad_calls_in_one_reply_are_one_step() {
    let steps = [vec![bad(), bad(), bad()], vec![bad(), unknown("x"), unknown("y")], vec![good()]];
    assert_eq!(stopped_at(&Limits::default(), &steps), None);
}

#[test]
fn an_admission_resets_the_streak_even_beside_a_rejection() {
    let steps: Vec<_> = (0..20).map(|_| vec![bad(), good()]).collect();
    assert_eq!(stopped_at(&Limits::default(), &steps), None);
    let mixed = |step: usize| if step % 3 == 2 { vec![unknown("x"), good()] } else { vec![unknown("x")] };
    assert_eq!(stopped_at(&Limits::default(), &(0..20).map(mixed).collect::<Vec<_>>()), None);
}

#[test]
fn a_tool_that_is_rejected_each_step_stops_beside_one_that_succeeds() {
    let steps: Vec<_> = (0..5).map(|_| vec![("read", json!({"id": "a"})), bad()]).collect();
    let (step, stop) = stopped_at(&Limits::default(), &steps).unwrap();
    assert_eq!((step, stop.reason), (3, StopReason::ToolRejected { tool: "search".into() }));
}

#[test]
fn steps_in_which_a_tool_is_not_called_are_no_admission_of_it() {
    let steps =
        [vec![bad()], vec![("read", json!({"id": "a"}))], vec![bad()], vec![("read", json!({"id": "b"}))], vec![bad()]];
    assert_eq!(stopped_at(&Limits::default(), &steps).unwrap().0, 5);
}

#[test]
fn five_steps_with_nothing_admitted_stop_whichever_tools_they_call() {
    let wrong = |tool| vec![(tool, json!({"nope": 1}))];
    let steps = [wrong("search"), wrong("read"), wrong("write"), wrong("search"), wrong("read")];
    let (step, stop) = stopped_at(&Limits::default(), &steps).unwrap();
    assert_eq!((step, stop.reason, stop.count), (5, StopReason::NothingAdmitted, 5));
}

#[test]
fn a_failure_is_an_admission_and_a_denial_is_neither() {
    let failing: Vec<_> = (0..20).map(|_| vec![("write", json!({"id": "full"}))]).collect();
    assert_eq!(stopped_at(&Limits::default(), &failing), None);
    let denied: Vec<_> = (0..20).map(|_| vec![("forget", json!({}))]).collect();
    assert_eq!(stopped_at(&Limits::default(), &denied), None);
    // A denial between them does not mend two rejections, and is not the third.
    let steps = [vec![unknown("x")], vec![unknown("x")], vec![("forget", json!({}))], vec![unknown("x")]];
    assert_eq!(stopped_at(&Limits::default(), &steps).unwrap().0, 4);
}

#[test]
fn a_run_has_a_hundred_steps() {
    let steps: Vec<_> = (0..120).map(|_| vec![good()]).collect();
    let (step, stop) = stopped_at(&Limits::default(), &steps).unwrap();
    assert_eq!((step, stop.reason, stop.count), (100, StopReason::Steps, 100));
}

#[test]
fn the_step_that_stops_still_runs_what_it_admits() {
    let offer = offer(Limits::default());
    let mut run = Run::default();
    let _ = settle(&offer, &mut run, 1, &[bad()]);
    let _ = settle(&offer, &mut run, 2, &[bad()]);
    let settled = settle(&offer, &mut run, 3, &[bad(), ("read", json!({"id": "a"}))]);
    assert!(settled.finished().is_err());
    assert_eq!(kinds(&settled), [OutcomeKind::Rejected, OutcomeKind::Completed]);
    assert_eq!(settled.messages()[1]["content"].as_array().unwrap().len(), 2);
}

#[test]
fn after_a_stop_nothing_runs_and_every_call_is_answered() {
    let offer = offer(Limits::default());
    let mut run = Run::default();
    (1..=3).for_each(|step| drop(settle(&offer, &mut run, step, &[bad()])));
    let stop = run.stop().unwrap().clone();
    let steps = run.steps();
    let settled = settle(&offer, &mut run, 4, &[good(), unknown("x"), bad()]);
    assert_eq!(settled.finished(), Err(stop.clone()));
    for block in settled.blocks() {
        assert_eq!(block.rejection(), Some(&Rejection::TurnNotRunnable { reason: NotRunnable::Stopped }));
    }
    assert_eq!(settled.messages()[1]["content"].as_array().unwrap().len(), 3);
    assert_eq!((run.stop(), run.steps()), (Some(&stop), steps + 1));
}

fn kinds(settled: &Settled) -> Vec<OutcomeKind> {
    settled.blocks().iter().map(tool_gate::ResultBlock::kind).collect()
}

#[test]
fn the_same_reply_settled_twice_is_noticed() {
    let offer = offer(Limits::default());
    let mut run = Run::default();
    assert_eq!(kinds(&settle(&offer, &mut run, 1, &[("write", json!({"id": "a"}))])), [OutcomeKind::Completed]);
    let before = run.clone();
    let again = settle(&offer, &mut run, 1, &[("write", json!({"id": "a"}))]);
    assert_eq!(again.blocks()[0].rejection(), Some(&Rejection::TurnNotRunnable { reason: NotRunnable::Repeated }));
    assert_eq!(run.steps(), before.steps(), "it counts once");
    // The same call in another reply is the model's wish.
    assert_eq!(kinds(&settle(&offer, &mut run, 2, &[("write", json!({"id": "a"}))])), [OutcomeKind::Completed]);
}

#[test]
fn the_same_reply_is_noticed_in_another_form_and_stops_the_run_in_the_end() {
    let offer = offer(Limits::default());
    let mut run = Run::default();
    let value = reply(1, &[("write", json!({"id": "a"}))]);
    let text = serde_json::to_string_pretty(&value).unwrap();
    let first = pollster::block_on(offer.settle(&text, &false, &mut run)).unwrap();
    assert_eq!(kinds(&first), [OutcomeKind::Completed]);
    for again in 1..=5 {
        let settled = pollster::block_on(offer.settle(&value, &false, &mut run)).unwrap();
        assert_eq!(kinds(&settled), [OutcomeKind::Rejected]);
        assert_eq!(settled.finished().is_err(), again == 5, "{again}");
    }
    assert_eq!(run.stop().unwrap().reason, StopReason::NothingAdmitted);
}

#[test]
fn a_turn_that_is_paused_for_ever_reaches_the_cap() {
    let offer = offer(Limits::default());
    let mut run = Run::default();
    let paused = json!({"role": "assistant", "content": [{"type": "text", "text": "…"}], "stop_reason": "pause_turn"});
    let ended =
        (1..200).find(|_| pollster::block_on(offer.settle(&paused, &false, &mut run)).unwrap().finished().is_err());
    assert_eq!(ended, Some(100));
}

#[test]
fn only_a_step_that_adds_to_a_count_reaches_its_bound() {
    let mut patient = Limits::default();
    patient.rejected_steps = 10;
    patient.idle_steps = 10;
    let mut run = Run::default();
    for step in 0..5 {
        let _ = settle(&offer(patient.clone()), &mut run, step, &[unknown("x")]);
    }
    let answer =
        json!({"role": "assistant", "content": [{"type": "text", "text": "Done."}], "stop_reason": "end_turn"});
    let settled = pollster::block_on(offer(Limits::default()).settle(&answer, &false, &mut run)).unwrap();
    assert_eq!(settled.finished(), Ok(true));
    let mut strict = Limits::default();
    (strict.rejected_steps, strict.idle_steps) = (0, 0);
    assert_eq!(stopped_at(&strict, &[vec![good()], vec![good()]]), None);
    assert_eq!(stopped_at(&strict, &[vec![good()], vec![bad()]]).unwrap().0, 2);
}

#[test]
fn what_is_not_the_models_fault_is_no_rejection_of_a_tool() {
    let offer = offer(Limits::default());
    let mut run = Run::default();
    for step in 0..4 {
        let mut paused = reply(step, &[good()]);
        paused["stop_reason"] = "pause_turn".into();
        let settled = pollster::block_on(offer.settle(&paused, &false, &mut run)).unwrap();
        assert_eq!(settled.finished(), Ok(false));
    }
    assert_eq!(run.rejected_in_a_row("search"), 0);
}

#[test]
fn a_reply_without_ids_may_repeat_itself() {
    let offer = offer(Limits::default());
    let mut run = Run::default();
    let mut same = reply(1, &[good()]);
    same["content"][0].as_object_mut().unwrap().remove("id");
    for _ in 0..3 {
        let settled = pollster::block_on(offer.settle(&same, &false, &mut run)).unwrap();
        assert_eq!(kinds(&settled), [OutcomeKind::Completed]);
    }
    assert_eq!(run.steps(), 3);
}

/// Every fault there is, one a step.
fn script() -> Vec<Vec<(&'static str, Value)>> {
    vec![
        vec![good()],
        vec![bad(), unknown("x")],
        vec![("read", json!({"id": 7})), bad()],
        vec![good(), ("forget", json!({}))],
        vec![unknown("y")],
        vec![("write", json!({"id": "full"}))],
        vec![bad()],
        vec![unknown("z"), bad()],
        vec![bad(), ("read", json!({"id": "a"}))],
        vec![good()],
    ]
}

#[test]
fn a_run_that_is_resumed_in_a_new_process_ends_like_one_that_never_stopped() {
    let offer = offer(Limits::default());
    let (mut whole, mut saved) = (Run::named("17"), json!(Run::named("17")));
    for (step, calls) in (1..).zip(script()) {
        let _ = settle(&offer, &mut whole, step, &calls);
        let mut child =
            Command::new(env!("CARGO_BIN_EXE_one_step")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let asked = json!({"run": saved, "step": step, "calls": calls});
        child.stdin.take().unwrap().write_all(asked.to_string().as_bytes()).unwrap();
        let answer: Value = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
        assert_eq!(answer["blocks"], calls.len());
        saved = answer["run"].clone();
        assert_eq!(serde_json::from_value::<Run>(saved.clone()).unwrap(), whole, "step {step}");
    }
    assert_eq!(whole.stop().unwrap().reason, StopReason::ToolRejected { tool: "search".into() });
}

#[test]
fn a_saved_run_is_versioned_and_small() {
    let mut limits = Limits::default();
    limits.steps = 1_000_000;
    let offer = offer(limits);
    let mut run = Run::default();
    let mut longest = 0;
    for step in 0..300 {
        let made_up = format!("tool_{step}");
        let _ = settle(&offer, &mut run, step, &[(&made_up, json!({"x".repeat(1_000): step})), bad(), good()]);
        longest = longest.max(serde_json::to_string(&run).unwrap().len());
    }
    assert!(longest < 300, "{longest} bytes");
    let mut saved = json!(run);
    assert_eq!(saved["version"], 1);
    saved["version"] = 2.into();
    assert!(serde_json::from_value::<Run>(saved).unwrap_err().to_string().contains("another release"));
}
