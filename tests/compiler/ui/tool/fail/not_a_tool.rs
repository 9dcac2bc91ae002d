// mistakes: 1
#[allow(non_camel_case_types)]
struct time {}

fn main() {
    let _ = tool_gate::Registry::<()>::builder().tool::<time>();
}
