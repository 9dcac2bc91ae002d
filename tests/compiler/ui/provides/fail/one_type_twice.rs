// mistakes: 3
use tool_gate::Provides;

#[derive(Provides)]
struct Session {
    #[provide]
    customer: String,
    #[provide]
    tenant: String,
}

#[derive(Provides)]
struct Generic<D, E> {
    #[provide]
    database: D,
    #[provide]
    events: E,
}

#[derive(Provides)]
struct Mixed<D>(#[provide] D, #[provide] u32);

fn main() {}
