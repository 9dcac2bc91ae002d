//! What a registry is made of: lists that share names, tools under other names, and the table that shows them.

#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]

use std::process::Command;

use serde_json::json;
use tool_gate::{Decision, DynamicTool, Problem, Registry, tool, toolbox};

toolbox! { static SHOP: (); }
toolbox! { static LIBRARY: (); }

mod shop {
    /// Search the shop.
    #[tool_gate::tool(in = super::SHOP, read_only)]
    pub(crate) fn search(query: String, #[arg(default = 20)] limit: u8, after: Option<u32>) {
        let _ = (query, limit, after);
    }

    /// Buy.
    #[tool_gate::tool(in = super::SHOP, destructive, open_world, requires = "purchases")]
    pub(crate) fn buy(id: u32) {
        let _ = id;
    }
}

mod library {
    /// Search the library.
    #[tool_gate::tool(in = super::LIBRARY, read_only)]
    pub(crate) fn search(query: &str) {
        let _ = query;
    }
}

/// Ask for more.
#[tool]
fn more() {}

fn names(registry: &Registry<()>) -> Vec<&str> {
    registry.definitions().map(tool_gate::Definition::name).collect()
}

#[test]
fn two_lists_with_one_name_are_a_mistake_that_tells_where_both_stand() {
    let built = Registry::builder().list(&SHOP).list(&LIBRARY).policy(|(): &(), _: &_| Decision::Allow).build();
    let error = built.unwrap_err();
    let [Problem::DuplicateName { tool, paths }] = error.problems() else { panic!("{error}") };
    assert_eq!(tool, "search");
    assert_eq!(paths, &["registry::shop::search", "registry::library::search"]);
    assert!(error.to_string().contains("`.list_as`"), "{error}");
}

#[test]
fn a_list_may_be_registered_under_other_names() {
    let registry = Registry::builder()
        .list(&SHOP)
        .list_as(&LIBRARY, |name| format!("library_{name}"))
        .tool_as::<more>("go_on")
        .expect_tools(["library_search", "go_on"])
        .policy(|(): &(), _: &_| Decision::Allow)
        .build()
        .unwrap();
    assert_eq!(names(&registry), ["buy", "go_on", "library_search", "search"]);
}

#[test]
fn a_new_name_is_one_that_providers_take() {
    let built = Registry::<()>::builder().tool_as::<more>("go on").list_as(&LIBRARY, |_| String::new()).build();
    let problems = built.unwrap_err().to_string();
    assert!(problems.contains("`go on` is not a name for a tool"), "{problems}");
    assert!(problems.contains("`` is not a name for a tool"), "{problems}");
}

#[test]
fn a_tool_that_is_registered_twice_is_told_once() {
    let error = Registry::<()>::builder().list(&LIBRARY).tool::<library::search>().build().unwrap_err();
    assert!(error.to_string().contains("(registry::library::search, registry::library::search)"), "{error}");
    assert_eq!(error.problems().len(), 1, "{error}");
}

fn described() -> Registry<()> {
    let tool =
        DynamicTool::new("fetch", "Fetch.", json!({"type": "object"}), |(), _, _| Box::pin(async { Ok(json!(null)) }));
    let builder = Registry::builder().list(&SHOP).tool::<more>().dynamic(tool.idempotent());
    builder.policy(|(): &(), _: &_| Decision::Allow).build().unwrap()
}

#[test]
fn the_table_shows_what_there_is_of_each_tool() {
    let expected = "\
tool    arguments                  effects                  requires   declared as
buy     id                         destructive, open_world  purchases  registry::shop::buy
fetch                              idempotent                          a dynamic tool
more                                                                   registry::more
search  query, limit = 20, after?  read_only                           registry::shop::search
";
    assert_eq!(described().describe(), expected);
    assert_eq!(
        format!("{:?}", described()),
        r#"Registry { tools: ["buy", "fetch", "more", "search"], has_policy: true }"#
    );
}

#[test]
fn the_table_shows_alternatives() {
    let schema = json!({
        "type": "object",
        "properties": {"at": {"type": "integer", "default": 1}},
        "oneOf": [
            {"properties": {"id": {"type": "integer"}}, "required": ["id"]},
            {"$ref": "#/$defs/Named"}
        ],
        "$defs": {"Named": {"properties": {"name": {"type": "string"}, "exact": {"type": "boolean"}}, "required": ["name"]}}
    });
    let tool = DynamicTool::new("find", "Find.", schema, |(), _, _| Box::pin(async { Ok(json!(null)) }));
    let registry = Registry::<()>::builder().dynamic(tool.read_only()).build().unwrap();
    assert!(registry.describe().contains("find  at = 1, id | name, exact?  read_only"), "{}", registry.describe());
}

#[test]
fn the_table_is_bounded_and_nothing_hides_in_it() {
    let schema = json!({
        "type": "object",
        "properties": {
            "a\u{1b}[2J\nb": {"default": "x".repeat(10_000)},
            "\u{202e}c": {},
        },
    });
    let tool = DynamicTool::new("odd", "Odd.", schema, |(), _, _| Box::pin(async { Ok(json!(null)) }));
    let builder = Registry::builder().dynamic(tool.requires("one\ntwo"));
    let table = builder.policy(|(): &(), _: &_| Decision::Allow).build().unwrap().describe();
    assert_eq!(table.lines().count(), 2, "{table}");
    assert!(table.len() < 800 && !table.contains(['\u{1b}', '\u{202e}']), "{table}");
}

#[test]
fn the_environment_may_ask_for_schemas() {
    // In a process of its own, since the environment is everybody's.
    let printed = |asked: &str| {
        let mut test = Command::new(std::env::current_exe().unwrap());
        test.args(["--exact", "the_table_shows_what_there_is_of_each_tool", "--nocapture"]);
        let output = test.env("TOOL_GATE_PRINT", asked).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let some = printed("search, fetch");
    assert!(some.contains("// search: Search the shop.\n{") && some.contains("\"after\": {"), "{some}");
    assert!(some.contains("// fetch: Fetch.") && !some.contains("// buy"), "{some}");
    assert!(printed("all").contains("// buy: Buy."));
    assert!(!printed("nothing").contains("//"));
}
