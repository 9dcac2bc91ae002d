use crate::json::{Captured, FaultKind, Kind, Node, Step, read, read_envelope, view};
use serde_json::{Value, json};

const ARGUMENTS: &[&[Step]] =
    &[&[Step::Key("content"), Step::Each, Step::Key("input")], &[Step::Key("call"), Step::Key("arguments")]];

fn input(root: Node<'_>, index: usize) -> Option<Captured<'_>> {
    root.get("content")?.elements().nth(index)?.get("input")?.captured()
}

fn text(captured: Option<Captured<'_>>) -> &str {
    match captured {
        Some(Captured::Text(text)) => text,
        other => panic!("no captured text: {other:?}"),
    }
}

#[test]
fn a_captured_value_is_its_exact_source() {
    let source = r#"{"content":[{"input" : {"a" : [1, "}\"]" , 2 ] } , "id":"x"},{"input":[ ]},{"input":"a\"b"},{}]}"#;
    let tape = read_envelope(source, ARGUMENTS, 8).unwrap();
    assert_eq!(text(input(tape.root(), 0)), r#"{"a" : [1, "}\"]" , 2 ] }"#);
    assert_eq!(text(input(tape.root(), 1)), "[ ]");
    assert_eq!(text(input(tape.root(), 2)), r#""a\"b""#);
    assert!(input(tape.root(), 3).is_none());
    let range = source.as_bytes().as_ptr_range();
    assert!(range.contains(&text(input(tape.root(), 1)).as_ptr()), "borrowed, not copied");
}

#[test]
fn what_is_broken_in_a_capture_spoils_only_that() {
    let broken = [
        r#"{"a": NaN}"#,
        r#"{"a": 1, "a": 2}"#,
        r#"{"a": "\x"}"#,
        r#"{"a": "\ud800"}"#,
        r#"{"a": 1e400}"#,
        r#"{"a": 1,}"#,
        "{'a': 1}",
        "{\"a\": \"line\nbreak\"}",
        "[1 2]",
        "NaN",
        "-Infinity",
        "nul",
        "12abc",
        "\"\\q\"",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
    ];
    for broken in broken {
        let source = format!(
            r#"{{"content":[{{"input":{broken} ,"n":1}},{{"input":{{"b":2}}}}],"call":{{"arguments":{broken}}}}}"#
        );
        let tape = read_envelope(&source, ARGUMENTS, 4).unwrap_or_else(|fault| panic!("{broken}: {fault}"));
        let root = tape.root();
        assert_eq!(text(input(root, 0)), broken);
        assert_eq!(text(input(root, 1)), r#"{"b":2}"#);
        assert_eq!(text(root.get("call").unwrap().get("arguments").unwrap().captured()), broken);
        assert!(read(broken, 8).is_err(), "{broken}");
    }
}

#[test]
fn a_capture_that_never_ends_is_a_fault_of_the_reply() {
    let table = [
        (r#"{"call":{"arguments":{"a":[1}}}"#, FaultKind::Unexpected, 28),
        (r#"{"call":{"arguments":{"a":1}"#, FaultKind::Truncated, 28),
        (r#"{"call":{"arguments":{"a":1"#, FaultKind::Truncated, 27),
        (r#"{"call":{"arguments":"abc"#, FaultKind::Truncated, 25),
        (r#"{"call":{"arguments":"abc\"#, FaultKind::Truncated, 26),
        (r#"{"call":{"arguments":tru"#, FaultKind::Truncated, 24),
        (r#"{"call":{"arguments":"#, FaultKind::Truncated, 21),
        (r#"{"call":{"arguments":}}"#, FaultKind::Unexpected, 21),
        (r#"{"call":{"arguments":"a" "b"}}"#, FaultKind::Unexpected, 25),
    ];
    for (source, kind, at) in table {
        let fault = read_envelope(source, ARGUMENTS, 8).unwrap_err();
        assert_eq!((fault.kind(), fault.at()), (kind, at), "{source}");
    }
}

#[test]
fn an_envelope_is_strict_but_for_text_and_size() {
    let tape =
        read_envelope(r#"{"a":"x\ud800y","b":"\udc00","c":[1e999,-1e999],"d":"\ud800\ud83d\ude00"}"#, &[], 8).unwrap();
    assert_eq!(
        tape.root().to_value(),
        json!({"a": "x\u{fffd}y", "b": "\u{fffd}", "c": [f64::MAX, f64::MIN], "d": "\u{fffd}😀"})
    );
    for (source, kind) in [
        (r#"{"a":1,"a":2}"#, FaultKind::DuplicateKey),
        (r#"{"a":NaN}"#, FaultKind::NotFinite),
        (r#"{"a":1,}"#, FaultKind::TrailingComma),
        ("", FaultKind::Empty),
        ("[[[[[[[[[]]]]]]]]]", FaultKind::TooDeep),
    ] {
        assert_eq!(read_envelope(source, ARGUMENTS, 8).unwrap_err().kind(), kind, "{source}");
    }
}

#[test]
fn only_the_places_of_the_paths_are_captured() {
    let source = r#"{"input":{"a":1},"content":{"input":{}},"call":{"content":[{"input":{}}],"arguments":{}}}"#;
    let tape = read_envelope(source, ARGUMENTS, 8).unwrap();
    let root = tape.root();
    assert!(root.get("input").unwrap().captured().is_none());
    assert!(root.get("content").unwrap().get("input").unwrap().captured().is_none());
    let call = root.get("call").unwrap();
    assert!(call.get("content").unwrap().elements().next().unwrap().get("input").unwrap().captured().is_none());
    assert!(call.get("arguments").unwrap().captured().is_some());

    let root: &[&[Step]] = &[&[]];
    assert_eq!(text(read_envelope(" NaN ", root, 0).unwrap().root().captured()), "NaN");
}

#[test]
fn a_view_captures_the_same_places() {
    let value =
        json!({"content": [{"input": {"a": [1, 2]}, "id": "x"}, {"input": "text"}], "call": {"arguments": null}});
    let tape = view(&value, ARGUMENTS, 8).unwrap();
    let root = tape.root();
    assert!(matches!(input(root, 0), Some(Captured::Value(input)) if *input == json!({"a": [1, 2]})));
    assert!(matches!(input(root, 1), Some(Captured::Value(Value::String(_)))));
    assert!(root.get("call").unwrap().get("arguments").unwrap().is_null());
    assert_eq!(root.to_value(), value);
    assert_eq!(view(&value, &[], 8).unwrap().root().to_value(), value);
    assert_eq!(view(&value, &[], 3).unwrap_err().kind(), FaultKind::TooDeep);
    assert!(view(&value, ARGUMENTS, 3).is_ok());
}

#[test]
fn a_captured_value_has_a_kind_and_a_value() {
    let source = r#"[{"a":1},[1],"x\n",true,false,null,-5,nul,NaN,'x']"#;
    let tape = read_envelope(source, &[&[Step::Each]], 1).unwrap();
    let found: Vec<(Kind, Value)> = tape.root().elements().map(|leaf| (leaf.kind(), leaf.to_value())).collect();
    let expected = [
        (Kind::Object, json!({"a": 1})),
        (Kind::Array, json!([1])),
        (Kind::String, json!("x\n")),
        (Kind::Bool, json!(true)),
        (Kind::Bool, json!(false)),
        (Kind::Null, json!(null)),
        (Kind::Number, json!(-5)),
        (Kind::Null, json!(null)),
        (Kind::Number, json!(null)),
        (Kind::String, json!(null)),
    ];
    assert_eq!(found, expected);
    let nulls: Vec<bool> = tape.root().elements().map(Node::is_null).collect();
    assert_eq!(nulls.iter().filter(|null| **null).count(), 1, "`nul` is not null");
}

#[test]
fn a_node_shows_its_members_and_elements_in_order() {
    let tape = read(r#"{"b":[1,[2,3],{"x":[]}],"a":{"y":"\u00e9"},"":null}"#, 8).unwrap();
    let root = tape.root();
    let keys: Vec<&str> = root.members().map(|(key, _)| key).collect();
    assert_eq!(keys, ["b", "a", ""]);
    assert_eq!((root.len(), root.get("b").unwrap().len(), root.get("").unwrap().len()), (3, 3, 0));
    assert_eq!(root.get("a").unwrap().get("y").unwrap().as_str(), Some("é"));
    assert_eq!(root.get("b").unwrap().elements().nth(1).unwrap().elements().count(), 2);
    assert!(root.get("c").is_none() && root.get("a").unwrap().elements().next().is_none());
    assert_eq!(format!("{root:?}"), "Node(Object)");
}

#[test]
fn a_document_is_measured_by_its_strings_and_a_flat_rate() {
    let value = serde_json::json!({"key": ["text", 1, null, {}]});
    assert_eq!(view(&value, &[], 8).unwrap().bytes(), 3 + 6 + 3 + 7 + 8 + 5 + 3);
}
