use crate::json::{Fault, FaultKind, FaultKind::*, read};

fn fault(text: &str) -> (FaultKind, usize) {
    let fault = read(text, 64).map(|tape| tape.root().to_value()).unwrap_err();
    (fault.kind(), fault.at())
}

#[test]
fn each_fault_is_told_by_name_and_place() {
    let table: &[(&str, FaultKind, usize)] = &[
        ("", Empty, 0),
        (" \n\t\r", Empty, 4),
        ("NaN", NotFinite, 0),
        ("[Infinity]", NotFinite, 1),
        (r#"{"a": -Infinity}"#, NotFinite, 6),
        ("1e400", OutOfRange, 0),
        (r#"{"a": -1e400}"#, OutOfRange, 6),
        (r#""\ud800""#, LoneSurrogate, 1),
        (r#""a\udc00b""#, LoneSurrogate, 2),
        (r#""\ud800\u0041""#, LoneSurrogate, 1),
        (r#""\ud800\n""#, LoneSurrogate, 1),
        (r#""\ud83dx""#, LoneSurrogate, 1),
        (r#"{"a": 1, "a": 2}"#, DuplicateKey, 9),
        (r#"{"a": 1, "\u0061": 2}"#, DuplicateKey, 9),
        (r#"{"a": {"b": 1, "b": 2}}"#, DuplicateKey, 15),
        ("\"a\nb\"", ControlCharacter, 2),
        ("\"a\\nb\u{0}\"", ControlCharacter, 5),
        (r#""\x41""#, InvalidEscape, 1),
        (r#""ab\u12G4""#, InvalidEscape, 3),
        (r#""\uD800\uzzzz""#, InvalidEscape, 7),
        (r#"{"a":1} x"#, TrailingText, 8),
        ("{}{}", TrailingText, 2),
        ("1 2", TrailingText, 2),
        ("{'a':1}", SingleQuotes, 1),
        (r#"{"a":'b'}"#, SingleQuotes, 5),
        (r#"{"a":1,'b':2}"#, SingleQuotes, 7),
        (r#"{"a":1,}"#, TrailingComma, 6),
        ("[1 , ]", TrailingComma, 3),
        ("[,]", Unexpected, 1),
        ("[1,,2]", Unexpected, 3),
        ("[1}", Unexpected, 2),
        (r#"{"a":1]"#, Unexpected, 6),
        ("[1,}", Unexpected, 3),
        (r#"{"a" 1}"#, Unexpected, 5),
        (r#"{"a":}"#, Unexpected, 5),
        ("{a:1}", Unexpected, 1),
        ("{1:1}", Unexpected, 1),
        ("[1 2]", Unexpected, 3),
        ("01", Unexpected, 1),
        ("-01", Unexpected, 2),
        ("+1", Unexpected, 0),
        (".5", Unexpected, 0),
        ("1.x", Unexpected, 2),
        ("[1.]", Unexpected, 3),
        ("[-]", Unexpected, 2),
        ("1ex", Unexpected, 2),
        ("0x1f", Unexpected, 1),
        ("1_000", Unexpected, 1),
        ("1.5.2", Unexpected, 3),
        ("True", Unexpected, 0),
        ("None", Unexpected, 0),
        ("trux", Unexpected, 3),
        ("nullx", Unexpected, 4),
        ("\u{feff}{}", Unexpected, 0),
        ("\u{a0}1", Unexpected, 0),
        ("// a\n1", Unexpected, 0),
        ("]", Unexpected, 0),
        ("é", Unexpected, 0),
    ];
    for &(text, kind, at) in table {
        assert_eq!(fault(text), (kind, at), "{text:?}");
    }
}

#[test]
fn every_proper_prefix_is_truncated() {
    let documents = [
        r#"{"a":1,"b":[true,false,null],"c":{"d":"e"}}"#,
        r#" { "a" : [ 1.5e-3 , -2 , { } , [ ] ] , "b" : "x\n\u00e9\ud83d\ude00\\" } "#,
        r#"["é\t","\uD83D\uDE00",-0.0,1E+2]"#,
        r#""abc""#,
        r#""\ud83d\ude00""#,
        "true",
        "false",
        "null",
        "-1.5e+10",
        "[[[[[]]]]]",
    ];
    for document in documents {
        read(document, 64).unwrap();
        for end in (0..document.len()).filter(|&end| document.is_char_boundary(end)) {
            let prefix = &document[..end];
            let found = read(prefix, 64).map(|tape| tape.root().to_value());
            let expected = match prefix.trim_ascii() {
                "" => Empty,
                // A number's prefix may be a number, and what only lost white space at its end is whole.
                _ if serde_json::from_str::<serde_json::Value>(prefix).is_ok() => {
                    found.unwrap();
                    continue;
                }
                _ => Truncated,
            };
            assert_eq!(found.map_err(|fault| (fault.kind(), fault.at())), Err((expected, end)), "{prefix:?}");
        }
    }
}

#[test]
fn the_end_inside_a_surrogate_pair_is_truncation() {
    for text in [r#""\ud83d"#, r#""\ud83d\"#, r#""\ud83d\u"#, r#""\ud83d\ude0"#, r#""\u12"#, r#""\"#] {
        assert_eq!(fault(text), (Truncated, text.len()), "{text:?}");
    }
    assert_eq!(fault(r#""\ud83d""#).0, LoneSurrogate);
}

#[test]
fn depth_counts_open_containers() {
    assert!(read("1", 0).is_ok());
    assert_eq!(read("[]", 0).unwrap_err().kind(), TooDeep);
    assert!(read(r#"[{"a":[]},[[]]]"#, 3).is_ok());
    let fault = read(r#"[{"a":[[]]}]"#, 3).unwrap_err();
    assert_eq!((fault.kind(), fault.at()), (TooDeep, 7));
}

#[test]
fn a_million_brackets_cost_no_stack() {
    let text = "[".repeat(1_000_000);
    assert_eq!(read(&text, 64).unwrap_err().kind(), TooDeep);
    assert_eq!(read(&text, usize::MAX).unwrap_err().kind(), Truncated);
    let text = text + &"]".repeat(1_000_000);
    assert!(read(&text, usize::MAX).is_ok());
}

#[test]
fn a_duplicate_is_found_among_many_keys() {
    for count in [2, 15, 16, 17, 18, 40, 1000] {
        for duplicate in [0, count / 3, count - 2] {
            let mut keys: Vec<String> = (0..count).map(|key| format!("\"k{key}\"")).collect();
            assert!(read(&object(&keys), 64).is_ok(), "{count} keys");
            // Written with an escape, to be the same only when it is read.
            keys[count - 1] = format!("\"\\u006b{duplicate}\"");
            let text = object(&keys);
            let fault = read(&text, 64).unwrap_err();
            assert_eq!((fault.kind(), fault.at()), (DuplicateKey, text.rfind("\"\\u").unwrap()));
        }
    }
}

#[test]
fn large_objects_side_by_side_and_nested_keep_their_keys_apart() {
    let keys: Vec<String> = (0..40).map(|key| format!("\"k{key}\"")).collect();
    let inner = object(&keys);
    let nested = format!("[{inner},{}", inner.replace("\"k20\":0", &format!("\"k20\":{inner}"))) + "]";
    assert!(read(&nested, 64).is_ok());
    let broken = nested.replace("\"k39\":0}]", "\"k39\":0,\"k1\":0}]");
    assert_eq!(read(&broken, 64).unwrap_err().kind(), DuplicateKey);
}

fn object(keys: &[String]) -> String {
    let members: Vec<String> = keys.iter().map(|key| format!("{key}:0")).collect();
    format!("{{{}}}", members.join(","))
}

#[test]
fn a_fault_survives_serialisation_and_reads_well() {
    let fault = read("[1,]", 64).unwrap_err();
    let text = serde_json::to_string(&fault).unwrap();
    assert_eq!(text, r#"{"kind":"trailing_comma","at":2}"#);
    assert_eq!(serde_json::from_str::<Fault>(&text).unwrap(), fault);
    assert_eq!(fault.to_string(), "a trailing comma at byte 2");
}
