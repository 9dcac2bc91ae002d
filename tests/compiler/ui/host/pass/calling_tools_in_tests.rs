use std::error::Error;

use tool_gate::{Tell, ToolError, tool};

/// Look an order up.
#[tool(read_only)]
fn status(order_id: &str) -> Result<u32, ToolError> {
    let number: u32 = order_id.parse()?;
    (number < 9).then_some(number).tell("There is no such order.")
}

fn boxed(order_id: &str) -> Result<u32, Box<dyn Error>> {
    Ok(status(order_id)?)
}

fn shared(order_id: &str) -> Result<u32, Box<dyn Error + Send + Sync>> {
    Ok(status(order_id).map_err(ToolError::into_error)?)
}

fn main() {
    assert_eq!(boxed("1").unwrap(), 1);
    assert_eq!(shared("1").unwrap(), 1);
    for error in [boxed("10").unwrap_err(), shared("10").unwrap_err() as Box<dyn Error>] {
        assert_eq!(error.to_string(), "There is no such order.");
        assert!(error.source().is_none());
    }
    let error = boxed("x").unwrap_err();
    assert!(error.source().expect("what `parse` said").is::<std::num::ParseIntError>());
    assert!(!format!("{error} {error:?}").contains("invalid digit"), "the source stays underneath");
}
