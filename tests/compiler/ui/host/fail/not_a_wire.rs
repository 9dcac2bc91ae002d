// mistakes: 2
use tool_gate::{Registry, Select, Sentences};

struct German;
struct MyProvider;

fn main() {
    let builder = Registry::<()>::builder().sentences(German);
    let registry = builder.build().expect("no tools, no mistakes");
    let _ = registry.offer(MyProvider, Select::All);
    let _ = |sentences: &dyn Sentences| format!("{sentences:?}");
}
