//! Values as a model might write them: the same numbers, in other forms.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{
    Value,
    ser::{CompactFormatter, Formatter, Serializer},
};

/// The value as text. A float that is an integer is written with an exponent (`5e0`, `1e2`), and in full where that would not
/// be the very same number.
pub(super) fn written(value: &Value) -> String {
    let mut text = Vec::new();
    // A `Value` is always serialisable, and a vector takes all of it.
    let _ = value.serialize(&mut Serializer::with_formatter(&mut text, Otherwise));
    String::from_utf8(text).unwrap_or_default()
}

struct Otherwise;

impl Formatter for Otherwise {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        /// Up to here every integer is a float, and a float's shortest digits are the integer's.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if value.fract() != 0.0 {
            CompactFormatter.write_f64(writer, value)
        } else if value.abs() < EXACT {
            write!(writer, "{value:e}")
        } else {
            write!(writer, "{value:.1}")
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn floats_that_are_integers_are_written_otherwise_and_exactly() {
        let value = json!([5.0, 100.0, -0.0, 0.5, -9.223_372_036_854_776e18, 7, "1.0"]);
        assert_eq!(written(&value), r#"[5e0,1e2,-0e0,0.5,-9223372036854775808.0,7,"1.0"]"#);
    }
}
