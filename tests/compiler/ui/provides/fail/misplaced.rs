// mistakes: 7
use tool_gate::Provides;

#[derive(Provides)]
#[provide]
struct Session {
    #[provide(by = "reference")]
    customer: u64,
}

#[derive(Provides)]
#[provides(krate = tool_gate)]
struct Other {
    #[provides]
    customer: u64,
}

#[derive(Provides)]
#[provide]
struct Whole {
    customer: u64,
}

#[derive(Provides)]
#[provides]
struct Alone {
    #[provide]
    #[provide]
    customer: u64,
}

fn main() {}
