use tool_gate::{Decision, Registry, tool};

/// Look.
#[tool(read_only)]
fn look() {}

/// Delete.
#[tool(destructive, requires = "orders:delete")]
fn delete() {}

fn main() {
    let builder = Registry::<()>::builder().tool::<look>().tool::<delete>();
    let registry = builder.policy(|_: &(), _: &_| Decision::Allow).build().expect("built");
    let [delete, look] = registry.definitions().collect::<Vec<_>>()[..] else { panic!() };
    assert!(delete.effects().destructive && !delete.effects().read_only);
    assert_eq!(delete.requires(), Some("orders:delete"));
    assert!(look.effects().read_only && !look.effects().destructive);
    assert_eq!(look.requires(), None);
}
