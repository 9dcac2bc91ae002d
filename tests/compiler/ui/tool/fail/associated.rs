// mistakes: 5
// The last one is the compiler's own: nothing tells a macro that it stands in an `impl`.
use tool_gate::tool;

#[derive(Clone)]
struct Clock;

impl Clock {
    /// Make a clock.
    #[tool]
    fn new() -> Self {
        Self
    }

    /// Compare two clocks.
    #[tool]
    fn compare(clocks: Vec<Self>) -> usize {
        clocks.len()
    }

    /// Tell the time in UTC.
    #[tool]
    pub fn tell(zone: &str) -> String {
        zone.to_owned()
    }
}

trait Time {
    /// Tell the time in UTC.
    #[tool]
    fn time(zone: String) -> String;
}

unsafe extern "C" {
    /// Tell the time in UTC.
    #[tool]
    fn now() -> u64;
}

fn main() {
    let _ = Clock::tell("UTC");
    let _ = Clock::compare(vec![Clock::new()]);
}
