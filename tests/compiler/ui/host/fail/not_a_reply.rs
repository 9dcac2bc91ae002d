// mistakes: 2
use tool_gate::{Offer, Run};

struct Reply;

fn converse(offer: Offer<()>, run: &mut Run, bytes: &[u8]) {
    let _ = offer.open(Reply, run);
    let _ = offer.open(bytes, run);
}

fn main() {
    let _ = converse;
}
