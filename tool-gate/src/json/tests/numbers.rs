use crate::json::{Node, Number, read, view};
use serde_json::{Value, json};

fn number(text: &str) -> Number<'_> {
    let (number, end) = Number::scan(text, 0).unwrap();
    assert_eq!(end, text.len());
    number
}

#[test]
fn integers_are_exact_however_they_are_written() {
    let table: &[(&str, Option<u64>, Option<i64>)] = &[
        ("0", Some(0), Some(0)),
        ("-0", Some(0), Some(0)),
        ("-0.0e5", Some(0), Some(0)),
        ("5.0", Some(5), Some(5)),
        ("1e2", Some(100), Some(100)),
        ("1.50e1", Some(15), Some(15)),
        ("1.5e0", None, None),
        ("1200e-2", Some(12), Some(12)),
        ("1250e-2", None, None),
        ("0.00001e5", Some(1), Some(1)),
        ("-12.0", None, Some(-12)),
        ("9007199254740993.0", Some((1 << 53) + 1), Some((1 << 53) + 1)),
        ("9007199254740992.5", None, None),
        ("18446744073709551615", Some(u64::MAX), None),
        ("18446744073709551615.0", Some(u64::MAX), None),
        ("1.8446744073709551615e19", Some(u64::MAX), None),
        ("18446744073709551616", None, None),
        ("18446744073709551616.0", None, None),
        ("9223372036854775807.0", Some(i64::MAX as u64), Some(i64::MAX)),
        ("-9223372036854775808", None, Some(i64::MIN)),
        ("-9223372036854775808.0", None, Some(i64::MIN)),
        ("-9223372036854775809", None, None),
        ("1e-400", None, None),
        ("0e1000000000", Some(0), Some(0)),
        ("0.0e-99999999999999999999", Some(0), Some(0)),
        ("1e-99999999999999999999", None, None),
        ("1.5e-99999999999999999999", None, None),
        ("10e-9223372036854775808", None, None),
        ("1e308", None, None),
    ];
    for &(text, unsigned, signed) in table {
        assert_eq!(number(text).as_u64(), unsigned, "{text} as u64");
        assert_eq!(number(text).as_i64(), signed, "{text} as i64");
    }
}

#[test]
fn being_an_integer_is_mathematical_and_so_bounded_in_work() {
    for text in ["7", "-7", "-0", "7.000", "7e300", "123456789012345678901234567890", "70e-1", "0e-5"] {
        assert!(number(text).is_integer(), "{text}");
    }
    for text in ["7.5", "75e-1", "1e-1000000000", "9007199254740992.5", "0.1e0", "100e-3"] {
        assert!(!number(text).is_integer(), "{text}");
    }
    // A quarter of a megabyte of zeros.
    let long = format!("1{}e-262144", "0".repeat(262_144));
    assert_eq!(number(&long).as_u64(), Some(1));
    let long = format!("0.{}1e262145", "0".repeat(262_144));
    assert_eq!(number(&long).as_u64(), Some(1));
}

#[test]
fn how_a_number_is_written_is_kept() {
    for text in ["7", "-7", "-0", "18446744073709551616", "-9223372036854775809"] {
        assert!(number(text).written_as_integer(), "{text}");
    }
    for text in ["7.0", "7e0", "7E0", "7.5"] {
        assert!(!number(text).written_as_integer(), "{text}");
    }
    for text in ["7", "-7", "-0", "7.50", "1E+2", "18446744073709551616"] {
        assert_eq!(number(text).text(), text);
        assert_eq!(number(text).to_json(), serde_json::from_str::<serde_json::Number>(text).unwrap());
    }
}

#[test]
fn the_range_ends_where_floats_end() {
    assert!(read("1.7976931348623157e308", 0).is_ok());
    assert!(read(&"9".repeat(308), 0).is_ok());
    assert!(read(&"9".repeat(310), 0).is_err());
    assert!(read(&format!("0.{}", "9".repeat(1000)), 0).is_ok());
    assert!(read("1e309", 0).is_err());
    assert!(read("-1e99999999999999999999", 0).is_err());
    assert!(read("1e-99999999999999999999", 0).is_ok());
    assert!(read("0e99999999999999999999", 0).is_ok());
    assert!(read(&format!("{}e-310", "9".repeat(600)), 0).is_ok());
    assert!(read(&format!("0.{}1e400", "0".repeat(100)), 0).is_ok());
    assert!(read(&format!("0.{}1e410", "0".repeat(100)), 0).is_err());
}

#[test]
fn integral_decimals_are_seen_and_rewritten_where_asked() {
    for text in ["[1,-2,3.5,1.25,18446744073709551616]", r#"["1.0",true,null]"#] {
        assert!(!read(text, 1).unwrap().has_integral_decimal(), "{text}");
    }
    for text in ["[5.0]", "[1e2]", "[-0]", "[1.50e1]"] {
        assert!(read(text, 1).unwrap().has_integral_decimal(), "{text}");
    }

    let mut tape = read(r#"{"a":5.0,"b":5.0,"c":[-0,-3.0,2.5,1e30,"x"]}"#, 2).unwrap();
    let root = tape.root();
    let mut slots = vec![root.get("a").unwrap().index()];
    slots.extend(root.get("c").unwrap().elements().map(Node::index));
    tape.integers_exact(&slots);
    assert_eq!(tape.root().to_value(), json!({"a": 5, "b": 5.0, "c": [0, -3, 2.5, 1e30, "x"]}));
}

#[test]
fn floats_of_a_parsed_value_are_taken_at_their_word() {
    let value = json!([5.0, 1.5, -2.0, 1e300, u64::MAX, i64::MIN, -0.0]);
    let tape = view(&value, &[], 1).unwrap();
    assert!(tape.has_integral_decimal());
    let numbers: Vec<Number<'_>> = tape.root().elements().map(|element| element.as_number().unwrap()).collect();
    let unsigned: Vec<Option<u64>> = numbers.iter().map(|number| number.as_u64()).collect();
    assert_eq!(unsigned, [Some(5), None, None, None, Some(u64::MAX), None, Some(0)]);
    let signed: Vec<Option<i64>> = numbers.iter().map(|number| number.as_i64()).collect();
    assert_eq!(signed, [Some(5), None, Some(-2), None, None, Some(i64::MIN), Some(0)]);
    assert!(numbers[3].is_integer());
    assert_eq!(numbers[0].text(), "5.0");
    assert_eq!(tape.root().to_value(), value);
    assert!(!view(&Value::from(1.5), &[], 0).unwrap().has_integral_decimal());
}

#[test]
#[cfg(target_pointer_width = "64")]
fn a_number_takes_no_more_room_than_a_string() {
    assert_eq!(size_of::<crate::json::tape::Slot<'_>>(), 24);
}
