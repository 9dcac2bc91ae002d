use pollster::block_on;
use tool_gate::{Run, wire::OpenAiChat};

use crate::{
    family::assert_paired,
    support::{ends, offer, pairs, sample, settle},
};

#[test]
fn what_servers_send_that_speak_it_nearly_is_read() {
    for (name, expected) in [
        ("groq_null_arguments", pairs(&[("ping", "completed")])),
        ("lenient_missing_fields", pairs(&[("lookup_order", "completed"), ("ping", "completed")])),
        ("llamacpp_truncated", pairs(&[("lookup_order", "Truncated")])),
        ("vllm_call_left_in_content", pairs(&[])),
    ] {
        let settled = settle(OpenAiChat::default(), &sample(&format!("openai_compatible/{name}.json")));
        assert_eq!(ends(&settled), expected, "{name}");
        assert_paired(&settled);
    }
}

#[test]
fn a_call_that_groq_could_not_read_is_an_error_of_the_providers() {
    let reply = sample("openai_compatible/groq_tool_use_failed.json");
    let error = block_on(offer(OpenAiChat::default()).settle(&reply, &(), &mut Run::default())).unwrap_err();
    assert_eq!(error.to_string(), "the reply is an error of the provider's, and no completion");
}
