// mistakes: 1
use tool_gate::tool;

struct Clock;

impl Clock {
    /// Tell the time in UTC.
    #[tool]
    fn time(&self) -> &'static str {
        "12:00"
    }
}

fn main() {
    Clock.time();
}
