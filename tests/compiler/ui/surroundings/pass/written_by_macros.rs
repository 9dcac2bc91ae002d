//! Tools whose every part comes out of a macro, as one fragment or as loose tokens.
#![deny(warnings)]

#[path = "../../support.rs"]
mod support;

use serde_json::json;
use support::{argument, call, declared};
use tool_gate::{tool, toolbox};

mod facade {
    pub use tool_gate::*;
}

mod rules {
    pub fn even(number: &u8) -> Result<(), &'static str> {
        number.is_multiple_of(2).then_some(()).ok_or("must be even")
    }
}

macro_rules! list {
    ($vis:vis $name:ident of $state:ty) => {
        toolbox! { $vis static $name: $state; }
    };
}

list!(pub(crate) SUPPORT of ());

macro_rules! fragments {
    (
        $(#[$meta:meta])* $vis:vis $name:ident as $marker:ident in $list:path, crate $krate:path, timeout $timeout:literal,
        called $called:literal, text $text:expr, $argument:ident: $ty:ty = $default:expr, $range:expr, check $check:path,
        doc $doc:literal; $output:ty = $body:expr
    ) => {
        $(#[$meta])*
        #[tool(
            in = $list, as = $marker, crate = $krate, timeout = $timeout, name = $called, description = $text,
            requires = $called, check = $check
        )]
        $vis fn $name(
            #[doc = $doc]
            #[arg(default = $default, range = $range, check = $check)]
            $argument: $ty,
        ) -> $output {
            $body
        }
    };
}

fragments! {
    #[must_use] pub(crate) halve as Halve in self::SUPPORT, crate crate::facade, timeout "5s",
    called "half", text "Take half.", number: u8 = 2 + 2, 2..=8, check rules::even,
    doc "An even one."; u8 = number / 2
}

macro_rules! whole {
    ($item:item) => {
        #[tool(in = SUPPORT)]
        $item
    };
}

whole! {
    /// Come as one item.
    pub(self) async fn item(text: &str) -> usize {
        text.len()
    }
}

macro_rules! tokens {
    ($([$($options:tt)*] $($function:tt)*)?) => {$(
        #[tool($($options)*)]
        $($function)*
    )?};
}

tokens! {
    [in = SUPPORT, description = "Come as tokens."]
    fn loose(#[arg(rename = "how-many", range = 1..)] count: u8) -> u8 { count }
}

macro_rules! described {
    ($name:ident, $what:literal, $function:item) => {
        #[doc = concat!("For Rust readers of ", $what)]
        #[tool(description = $what, in = SUPPORT)]
        fn $name() -> &'static str {
            $function
            inner()
        }
    };
}

described!(
    with_inner,
    "Have a function inside.",
    fn inner() -> &'static str {
        "inner"
    }
);

fn main() {
    assert_eq!(declared::<Halve, ()>()["name"], "half");
    assert_eq!(declared::<Halve, ()>()["description"], "Take half.");
    let number = argument::<Halve, ()>("number");
    assert_eq!(
        (&number["description"], &number["default"], &number["maximum"]),
        (&json!("An even one."), &json!(4), &json!(8))
    );
    assert_eq!(call::<Halve, ()>(&(), json!({"number": 6})), "3");
    assert_eq!(halve(8), 4);
    assert_eq!(call::<item, ()>(&(), json!({"text": "abc"})), "3");
    assert_eq!(call::<loose, ()>(&(), json!({"how-many": 3})), "3");
    assert_eq!(call::<with_inner, ()>(&(), json!({})), "inner");
    assert_eq!(SUPPORT.tool_names(), ["half", "item", "loose", "with_inner"]);
}
