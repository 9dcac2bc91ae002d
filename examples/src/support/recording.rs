//! What models said, in no provider's form: [`Provider`](super::provider::Provider) makes response bodies of it.

/// One conversation: who asks, what, and what the model says until it is done or stopped.
#[derive(Clone, Copy, Debug)]
pub struct Script {
    /// What is to be seen in it.
    pub title: &'static str,
    /// The id of the customer who is signed in.
    pub customer: &'static str,
    /// What the customer wrote.
    pub question: &'static str,
    /// The model's replies, in order.
    pub replies: &'static [Said],
}

/// One reply, and what is to be seen in it.
#[derive(Clone, Copy, Debug)]
pub struct Said {
    /// What happens.
    pub caption: &'static str,
    /// What the model says; empty where it only calls.
    pub text: &'static str,
    /// What it calls.
    pub calls: &'static [Asked],
}

/// One call.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The name, as the model wrote it.
    pub name: &'static str,
    /// The arguments, as the model wrote them: mostly JSON.
    pub arguments: &'static str,
}

const fn asks(caption: &'static str, calls: &'static [Asked]) -> Said {
    Said { caption, text: "", calls }
}

const fn call(name: &'static str, arguments: &'static str) -> Asked {
    Asked { name, arguments }
}

/// The whole story.
pub const STORY: [Script; 3] = [MENDED, UNHARMED, STOPPED];

/// Every call is right or nearly right, and each that is not is mended in the next reply.
pub const MENDED: Script = Script {
    title: "Each mistake is told and mended",
    customer: "ada",
    question: "My lamp arrived broken. Where are my desk, my rug, and my brother's order B-2001?",
    replies: &[
        Said {
            caption: "the name is misspelt",
            text: "Let me look at your orders.",
            calls: &[call("serch_orders", "{}")],
        },
        asks("the name is mended", &[call("search_orders", "{}")]),
        asks(
            "a key that nobody declared, and an enum nearly right: one thing is told at a time",
            &[call("search_orders", r#"{"customerId": "ada", "status": "shiped"}"#)],
        ),
        asks("the key is mended, the enum is not", &[call("search_orders", r#"{"status": "shiped"}"#)]),
        asks("the enum is mended", &[call("search_orders", r#"{"status": "shipped"}"#)]),
        asks(
            "the arguments end early, as a stream reader leaves them",
            &[call("get_shipment", r#"{"order_id": "A-10"#)],
        ),
        asks("the arguments are whole", &[call("get_shipment", r#"{"order_id": "A-1002"}"#)]),
        asks(
            "two calls in one reply",
            &[
                call("lookup_policy", r#"{"topic": "damaged_goods"}"#),
                call("search_orders", r#"{"status": "delivered", "limit": 1}"#),
            ],
        ),
        asks(
            "a refund of nothing",
            &[call("issue_refund", r#"{"order_id": "A-1001", "amount_cents": 0, "reason": "arrived broken"}"#)],
        ),
        asks(
            "the amount is mended, and the refund is made",
            &[call("issue_refund", r#"{"order_id": "A-1001", "amount_cents": 4990, "reason": "arrived broken"}"#)],
        ),
        asks("a tool that fails: the carrier is down", &[call("get_shipment", r#"{"order_id": "A-1003"}"#)]),
        asks("another customer's order", &[call("get_shipment", r#"{"order_id": "B-2001"}"#)]),
        Said {
            caption: "the answer",
            text: "The lamp is refunded. The desk comes on 2 December, the rug's carrier is down, B-2001 I cannot see.",
            calls: &[],
        },
    ],
};

/// Every call is right, and what it meets is not.
pub const UNHARMED: Script = Script {
    title: "Tools break off, hang and are denied, and the conversation goes on",
    customer: "ben",
    question: "Where are my sofa, my chair and my clock? I want the money for the chair back.",
    replies: &[
        asks(
            "two calls: one carrier's client panics, and the other's answer arrives",
            &[call("get_shipment", r#"{"order_id": "B-2002"}"#), call("get_shipment", r#"{"order_id": "B-2001"}"#)],
        ),
        asks("a carrier takes the call and never answers", &[call("get_shipment", r#"{"order_id": "B-2003"}"#)]),
        asks(
            "a refund in good form, for a customer whose account may not ask for one",
            &[call("issue_refund", r#"{"order_id": "B-2002", "amount_cents": 14900, "reason": "it never arrived"}"#)],
        ),
        Said {
            caption: "the answer",
            text: "The sofa comes on 4 December, chair and clock I cannot see. A colleague will call about the money.",
            calls: &[],
        },
    ],
};

/// The model goes back and forth between two names that it invented, and would for ever.
pub const STOPPED: Script = Script {
    title: "A model that does not mend is stopped",
    customer: "ada",
    question: "And has my vase been packed?",
    replies: &[
        asks("a name that was invented", &[call("find_orders", "{}")]),
        asks("another one", &[call("list_orders", "{}")]),
        asks("the first one again", &[call("find_orders", r#"{"item": "vase"}"#)]),
        asks("never asked for: the run is over", &[call("list_orders", r#"{"item": "vase"}"#)]),
    ],
};
