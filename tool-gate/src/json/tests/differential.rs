//! Every text is taken or refused as `serde_json` does, and means the same; duplicate keys apart.

use crate::json::{FaultKind, Node, read, read_envelope, view};
use proptest::prelude::*;
use serde_json::{Map, Value};

/// What `serde_json` takes, and so what both are asked for.
const DEPTH: usize = 127;

fn agree(text: &str) -> Result<(), TestCaseError> {
    let theirs = serde_json::from_str::<Value>(text);
    match read(text, DEPTH) {
        Ok(tape) => {
            let theirs = theirs.map_err(|error| TestCaseError::fail(format!("only we take {text:?}: {error}")))?;
            prop_assert_eq!(tape.root().to_value(), theirs, "{:?}", text);
            consistent(tape.root())?;
        }
        Err(fault) => {
            prop_assert!(text.is_char_boundary(fault.at()), "{text:?}: {fault}");
            prop_assert!(
                theirs.is_err() || fault.kind() == FaultKind::DuplicateKey,
                "only serde_json takes {:?}: {}",
                text,
                fault
            );
        }
    }
    Ok(())
}

/// Whether what is said about the numbers fits together.
fn consistent(node: Node<'_>) -> Result<(), TestCaseError> {
    for value in node.elements().chain(node.members().map(|(_, value)| value)) {
        consistent(value)?;
    }
    let Some(number) = node.as_number() else { return Ok(()) };
    let (unsigned, signed, float) = (number.as_u64(), number.as_i64(), number.as_f64());
    prop_assert!(float.is_finite());
    prop_assert!(number.is_integer() || (unsigned.is_none() && signed.is_none() && !number.written_as_integer()));
    prop_assert!(!number.is_integer() || float.fract() == 0.0);
    if let (Some(unsigned), Some(signed)) = (unsigned, signed) {
        prop_assert_eq!(i128::from(unsigned), i128::from(signed));
    }
    Ok(())
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i32>().prop_map(|number| Value::from(f64::from(number))),
        "[a-z]{0,12}".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(5, 80, 24, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec(("[a-c]{0,2}|\\PC{0,4}", inner), 0..24)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// What a text can be spoilt with.
fn fragment() -> impl Strategy<Value = String> {
    let fragments = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "'",
        " ",
        "\n",
        "\t",
        "\u{0}",
        "\u{a0}",
        "\u{feff}",
        "é",
        "😀",
        "0",
        "1",
        "-",
        "+",
        ".",
        "e",
        "E5",
        "1.5",
        "00",
        "1e400",
        "-0",
        "9007199254740993.0",
        "18446744073709551616",
        "true",
        "nul",
        "null",
        "NaN",
        "Infinity",
        "\"a\"",
        "\"a\":",
        "\"a\":1,",
        "\\n",
        "\\u0041",
        "\\u00",
        "\\ud83d",
        "\\ude00",
        "\\ud83d\\ude00",
        "\\x",
        "/*",
        "[]",
        "{}",
        ",}",
        ",]",
    ];
    prop::sample::select(fragments.to_vec()).prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_serde_json_prints_is_read_back(value in value()) {
        let compact = serde_json::to_string(&value).unwrap();
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        for text in [&compact, &pretty] {
            let tape = read(text, DEPTH).unwrap();
            // `serde_json` reads some floats back as integers, and so do we.
            prop_assert_eq!(tape.root().to_value(), serde_json::from_str::<Value>(text).unwrap());
            prop_assert_eq!(read_envelope(text, &[], DEPTH).unwrap().root().to_value(), tape.root().to_value());
        }
        prop_assert_eq!(view(&value, &[], DEPTH).unwrap().root().to_value(), value);
    }

    #[test]
    fn arbitrary_text_is_judged_alike(text in any::<String>()) {
        agree(&text)?;
    }

    #[test]
    fn fragments_of_json_are_judged_alike(fragments in prop::collection::vec(fragment(), 0..12)) {
        agree(&fragments.concat())?;
    }

    #[test]
    fn strings_of_fragments_are_judged_alike(fragments in prop::collection::vec(fragment(), 0..8)) {
        agree(&format!("\"{}\"", fragments.concat()))?;
        agree(&format!("{{\"{}\":1}}", fragments.concat()))?;
    }

    #[test]
    fn numbers_are_judged_alike(text in "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{0,25})?([eE][-+]?[0-9]{0,4}|[eE]-?[0-9]{17,22})?") {
        agree(&text)?;
        agree(&format!("[{text},{text} ]"))?;
    }

    #[test]
    fn spoilt_documents_are_judged_alike(
        value in value(),
        spoils in prop::collection::vec((any::<prop::sample::Index>(), 0..3_u8, fragment()), 1..4),
    ) {
        let mut text = serde_json::to_string(&value).unwrap();
        for (place, how, with) in spoils {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let at = *place.get(&places);
            let behind = text[at..].chars().next().map_or(at, |character| at + character.len_utf8());
            match how {
                0 => text.insert_str(at, &with),
                1 => text.replace_range(at..behind, &with),
                _ => text.replace_range(at..behind, ""),
            }
        }
        agree(&text)?;
    }

    #[test]
    fn exactness_agrees_with_integer_arithmetic(digits in 0_u64.., zeros in 0_usize..6, shift in 0_usize..6) {
        // The same integer with a fraction of zeros, and with its point moved.
        let plain = format!("{digits}.{}", "0".repeat(zeros + 1));
        let moved = format!("{digits}{}e-{shift}", "0".repeat(shift));
        for text in [plain, moved] {
            let tape = read(&text, 0).unwrap();
            prop_assert_eq!(tape.root().as_number().unwrap().as_u64(), Some(digits), "{}", text);
        }
    }
}

#[test]
fn escapes_and_the_words_scanned_at_once_meet_at_every_offset() {
    for length in 0..40 {
        for special in ["\"", "\\n", "\\\"", "\\u00e9", "\\ud83d\\ude00", "\u{1f}", "\u{7f}", "é", "😀", "\u{80}"] {
            for tail in 0..10 {
                agree(&format!("\"{}{special}{}\"", "a".repeat(length), "b".repeat(tail))).unwrap();
            }
        }
    }
}
