// mistakes: 2
use tool_gate::Provides;

struct Orders;

#[derive(Provides)]
struct Session {
    orders: Orders,
}

#[derive(Provides)]
struct Empty;

fn main() {
    let _ = Session { orders: Orders }.orders;
    let _ = Empty;
}
