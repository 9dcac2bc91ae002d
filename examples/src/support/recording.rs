//! What a model said in one conversation: response bodies of Anthropic's Messages API, as text.

/// What the customer wrote.
pub const QUESTION: &str = "My lamp arrived broken. Where are my desk, my rug, and my brother's order B-2001?";

/// One reply, and what is to be seen in it.
#[derive(Clone, Copy, Debug)]
pub struct Recorded {
    /// What happens.
    pub caption: &'static str,
    /// The response body.
    pub body: &'static str,
}

/// The replies, in order. Every call is right or nearly right, and each that is not is mended in the next one.
pub const REPLIES: [Recorded; 13] = [
    Recorded {
        caption: "the name is misspelt",
        body: r#"{"id": "msg_01", "type": "message", "role": "assistant", "model": "recorded",
            "content": [
                {"type": "text", "text": "Let me look at your orders."},
                {"type": "tool_use", "id": "toolu_01", "name": "serch_orders", "input": {}}],
            "stop_reason": "tool_use", "usage": {"input_tokens": 912, "output_tokens": 41}}"#,
    },
    Recorded {
        caption: "the name is mended",
        body: r#"{"id": "msg_02", "type": "message", "role": "assistant", "model": "recorded",
            "content": [{"type": "tool_use", "id": "toolu_02", "name": "search_orders",
                "input": {}}],
            "stop_reason": "tool_use", "usage": {"input_tokens": 989, "output_tokens": 34}}"#,
    },
    Recorded {
        caption: "a key that nobody declared, and an enum nearly right: one thing is told at a time",
        body: r#"{"id": "msg_03", "type": "message", "role": "assistant", "model": "recorded",
            "content": [{"type": "tool_use", "id": "toolu_03", "name": "search_orders",
                "input": {"customerId": "ada", "status": "shiped"}}],
            "stop_reason": "tool_use", "usage": {"input_tokens": 1270, "output_tokens": 58}}"#,
    },
    Recorded {
        caption: "the key is mended, the enum is not",
        body: r#"{"id": "msg_04", "type": "message", "role": "assistant", "model": "recorded",
            "content": [{"type": "tool_use", "id": "toolu_04", "name": "search_orders",
                "input": {"status": "shiped"}}],
            "stop_reason": "tool_use", "usage": {"input_tokens": 1368, "output_tokens": 47}}"#,
    },
    Recorded {
        caption: "the enum is mended",
        body: r#"{"id": "msg_05", "type": "message", "role": "assistant", "model": "recorded",
            "content": [{"type": "tool_use", "id": "toolu_05", "name": "search_orders",
                "input": {"status": "shipped"}}],
            "stop_reason": "tool_use", "usage": {"input_tokens": 1451, "output_tokens": 47}}"#,
    },
    Recorded {
        caption: "the arguments end early, as a stream reader leaves them: text in place of the object",
        body: r#"{"id": "msg_06", "type": "message", "role": "assistant", "model": "recorded",
            "content": [{"type": "tool_use", "id": "toolu_06", "name": "get_shipment",
                "input": "{\"order_id\": \"A-10"}],
            "stop_reason": "tool_use", "usage": {"input_tokens": 1633, "output_tokens": 29}}"#,
    },
    Recorded {
        caption: "the arguments are whole",
        body: r#"{"id": "msg_07", "type": "message", "role": "assistant", "model": "recorded",
            "content": [{"type": "tool_use", "id": "toolu_07", "name": "get_shipment",
                "input": {"order_id": "A-1002"}}],
            "stop_reason": "tool_use", "usage": {"input_tokens": 1707, "output_tokens": 44}}"#,
    },
    Recorded {
        caption: "two calls in one reply",
        body: r#"{"id": "msg_08", "type": "message", "role": "assistant", "model": "recorded",
            "content": [
                {"type": "tool_use", "id": "toolu_08a", "name": "lookup_policy", "input": {"topic": "damaged_goods"}},
                {"type": "tool_use", "id": "toolu_08b", "name": "search_orders",
                    "input": {"status": "delivered", "limit": 1}}],
            "stop_reason": "tool_use", "usage": {"input_tokens": 1802, "output_tokens": 96}}"#,
    },
    Recorded {
        caption: "a refund of nothing",
        body: r#"{"id": "msg_09", "type": "message", "role": "assistant", "model": "recorded",
            "content": [{"type": "tool_use", "id": "toolu_09", "name": "issue_refund",
                "input": {"order_id": "A-1001", "amount_cents": 0, "reason": "arrived broken"}}],
            "stop_reason": "tool_use", "usage": {"input_tokens": 2011, "output_tokens": 77}}"#,
    },
    Recorded {
        caption: "the amount is mended, and the refund is made",
        body: r#"{"id": "msg_10", "type": "message", "role": "assistant", "model": "recorded",
            "content": [{"type": "tool_use", "id": "toolu_10", "name": "issue_refund",
                "input": {"order_id": "A-1001", "amount_cents": 4990, "reason": "arrived broken"}}],
            "stop_reason": "tool_use", "usage": {"input_tokens": 2120, "output_tokens": 77}}"#,
    },
    Recorded {
        caption: "a tool that fails: the carrier is down",
        body: r#"{"id": "msg_11", "type": "message", "role": "assistant", "model": "recorded",
            "content": [{"type": "tool_use", "id": "toolu_11", "name": "get_shipment",
                "input": {"order_id": "A-1003"}}],
            "stop_reason": "tool_use", "usage": {"input_tokens": 2231, "output_tokens": 44}}"#,
    },
    Recorded {
        caption: "another customer's order",
        body: r#"{"id": "msg_12", "type": "message", "role": "assistant", "model": "recorded",
            "content": [{"type": "tool_use", "id": "toolu_12", "name": "get_shipment",
                "input": {"order_id": "B-2001"}}],
            "stop_reason": "tool_use", "usage": {"input_tokens": 2318, "output_tokens": 44}}"#,
    },
    Recorded {
        caption: "the answer",
        body: r#"{"id": "msg_13", "type": "message", "role": "assistant", "model": "recorded",
            "content": [{"type": "text", "text":
                "The lamp is refunded. The desk comes on 2 December, the rug's carrier is down, B-2001 I cannot see."}],
            "stop_reason": "end_turn", "usage": {"input_tokens": 2402, "output_tokens": 71}}"#,
    },
];
