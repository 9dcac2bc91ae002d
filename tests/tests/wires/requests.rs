//! What is asked of every wire's requests.

use serde_json::{Map, Value, json};
use tool_gate::{
    Select,
    wire::{ChoiceError, ToolChoice},
};
use tool_gate_tests::provider::Provider;

use crate::support::registry;

#[test]
fn without_tools_a_request_says_nothing_of_them() {
    for provider in Provider::ALL {
        let offer = registry().offer(provider.wire(), Select::only(["ping"; 0])).unwrap();
        let mut nothing = Map::<String, Value>::new();
        if provider == Provider::Mcp {
            // There it is an answer, which has its list.
            nothing.insert("tools".into(), json!([]));
        }
        for choice in [ToolChoice::auto(), ToolChoice::none(), ToolChoice::auto().one_call()] {
            assert_eq!(offer.request(&choice).as_ref(), Ok(&nothing), "{provider:?}");
        }
        let required = offer.request(&ToolChoice::required()).unwrap_err();
        assert_eq!(required, ChoiceError::NothingOffered);
        assert_eq!(required.to_string(), "a tool must be called and none is offered");
        let named = offer.request(&ToolChoice::tool("ping"));
        assert_eq!(named, Err(ChoiceError::NotOffered { tool: "ping".into() }));
    }
}
