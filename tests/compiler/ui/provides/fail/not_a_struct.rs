// mistakes: 2
use tool_gate::Provides;

#[derive(Provides)]
enum Session {
    Guest,
    Customer(#[provide] u64),
}

#[derive(Provides)]
union Bits {
    #[provide]
    integer: u32,
    float: f32,
}

fn main() {}
