use tool_gate::{Decision, Registry, tool};

/// Look.
#[tool(read_only)]
fn look() {}

/// Delete.
#[tool(destructive, idempotent, requires = "orders:delete")]
fn delete() {}

/// Search the web.
#[tool(title = "Search the web", open_world)]
fn web() {}

fn main() {
    let builder = Registry::<()>::builder().tool::<look>().tool::<delete>().tool::<web>();
    let registry = builder.policy(|_: &(), _: &_| Decision::Allow).build().expect("built");
    let [delete, look, web] = registry.definitions().collect::<Vec<_>>()[..] else { panic!() };
    assert!(delete.effects().destructive && !delete.effects().read_only);
    assert_eq!(delete.requires(), Some("orders:delete"));
    assert!(look.effects().read_only && !look.effects().destructive);
    assert_eq!(look.requires(), None);
    assert!(delete.effects().idempotent && !delete.effects().open_world && !web.effects().idempotent);
    assert!(web.effects().open_world);
    assert_eq!((web.title(), look.title()), (Some("Search the web"), None));
}
