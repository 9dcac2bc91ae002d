//! A key in snake case.

use crate::schema::MAX_KEY;

/// The key in snake case, where that is another: its words in lower case, joined by `_`. A word ends at `_` and at `-`, and
/// where a capital follows a small letter or a digit, or begins a word after capitals: `iCalUID` is `i_cal_uid`.
pub(super) fn snake(key: &str) -> Option<String> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if key.len() > MAX_KEY || !key.bytes().all(is_letter) {
        return None;
    }
    let bytes = key.as_bytes();
    let mut snake = String::with_capacity(key.len() + 4);
    for (at, &byte) in bytes.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| bytes[before]);
        let follows_small = before.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        let follows_capital = before.is_some_and(|byte| byte.is_ascii_uppercase());
        let begins = bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        if byte.is_ascii_uppercase() && (follows_small || (follows_capital && begins)) {
            snake.push('_');
        }
        snake.push(if byte == b'-' { '_' } else { char::from(byte.to_ascii_lowercase()) });
    }
    (snake != key).then_some(snake)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snake_case_is_of_the_same_words() {
        for (key, expected) in [
            ("orderId", "order_id"),
            ("OrderId", "order_id"),
            ("orderID", "order_id"),
            ("ORDER_ID", "order_id"),
            ("order-id", "order_id"),
            ("iCalUID", "i_cal_uid"),
            ("iCalUid", "i_cal_uid"),
            ("HTTPServer", "http_server"),
            ("line2Text", "line2_text"),
            ("Command", "command"),
        ] {
            assert_eq!(snake(key).as_deref(), Some(expected), "{key}");
        }
        for key in ["order_id", "orderid", "order", "", "order id", "order.id", "órderId", "__a", &"aB".repeat(40)] {
            assert_eq!(snake(key), None, "{key}");
        }
    }
}
