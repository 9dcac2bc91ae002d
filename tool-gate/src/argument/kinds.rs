//! Which options apply to which types, and what can be lent.

use std::{
    borrow::Cow,
    collections::{BTreeSet, BinaryHeap, HashSet, LinkedList, VecDeque},
    num::NonZero,
    path::{Path, PathBuf},
    rc::Rc,
    sync::Arc,
};

use super::{Argument, bounds::Primitive};

/// A type that a tool may take by reference: the call owns an [`Owned`](Lent::Owned) and lends it to the tool.
///
/// `&str`, `&[T]`, `&Path` and `&T` work. Implement it to lend an unsized type of your own.
#[diagnostic::on_unimplemented(
    message = "`&{Self}` cannot be a tool argument",
    label = "the model cannot fill this in",
    note = "`&str`, `&[T]` and `&T` work where `T` derives serde's `Deserialize` and schemars' `JsonSchema`; mark state with `#[state]`"
)]
pub trait Lent {
    /// What is read from the call.
    type Owned: Argument;

    /// What the tool sees of it.
    fn lend(owned: &Self::Owned) -> &Self;
}

/// Lends a bound argument to the tool.
pub fn lend<T: Lent + ?Sized>(owned: &T::Owned) -> &T {
    T::lend(owned)
}

#[diagnostic::do_not_recommend]
impl Lent for str {
    type Owned = String;

    fn lend(owned: &String) -> &str {
        owned
    }
}

#[diagnostic::do_not_recommend]
impl Lent for Path {
    type Owned = PathBuf;

    fn lend(owned: &PathBuf) -> &Path {
        owned
    }
}

#[diagnostic::do_not_recommend]
impl<T: Argument> Lent for [T] {
    type Owned = Vec<T>;

    fn lend(owned: &Vec<T>) -> &[T] {
        owned
    }
}

#[diagnostic::do_not_recommend]
impl<T: Argument> Lent for T {
    type Owned = T;

    fn lend(owned: &T) -> &T {
        owned
    }
}

/// A type that is a number in JSON: `range` applies to it.
///
/// The integers, the floats, `NonZero` and `Option` of them are. Implement it for a newtype, and write the range in what
/// it wraps:
///
/// ```
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Cents(u32);
///
/// impl tool_gate::Number for Cents {
///     type Primitive = u32;
/// }
///
/// /// Pay that much back.
/// #[tool_gate::tool]
/// fn refund(#[arg(range = 1..=50_000)] amount: Cents) -> u32 {
///     amount.0
/// }
/// # assert_eq!(refund(Cents(5)), 5);
/// ```
#[diagnostic::on_unimplemented(
    message = "`range` does not apply to `{Self}`",
    label = "not a number",
    note = "`length` bounds a text and `items` a list; for a number of your own, implement `tool_gate::Number`"
)]
pub trait Number {
    /// What its range is written in.
    type Primitive: Primitive;
}

macro_rules! integers {
    ($($integer:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Number for $integer {
            type Primitive = $integer;
        }

        #[diagnostic::do_not_recommend]
        impl Number for NonZero<$integer> {
            type Primitive = $integer;
        }
    )*};
}

integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

#[diagnostic::do_not_recommend]
impl Number for i128 {
    type Primitive = i64;
}

#[diagnostic::do_not_recommend]
impl Number for u128 {
    type Primitive = u64;
}

#[diagnostic::do_not_recommend]
impl Number for f32 {
    type Primitive = f32;
}

#[diagnostic::do_not_recommend]
impl Number for f64 {
    type Primitive = f64;
}

#[diagnostic::do_not_recommend]
impl<T: Number> Number for Option<T> {
    type Primitive = T::Primitive;
}

#[diagnostic::do_not_recommend]
impl<T: Number> Number for Box<T> {
    type Primitive = T::Primitive;
}

/// A type that is a string in JSON: `length`, `pattern` and `format` apply to it.
///
/// `String`, `&str`, paths, and `Option` of them are. Implement it for a newtype.
#[diagnostic::on_unimplemented(
    message = "`length`, `pattern` and `format` do not apply to `{Self}`",
    label = "not text",
    note = "`range` bounds a number and `items` a list; for a text of your own, implement `tool_gate::Text`"
)]
pub trait Text {}

#[diagnostic::do_not_recommend]
impl Text for String {}
#[diagnostic::do_not_recommend]
impl Text for Box<str> {}
#[diagnostic::do_not_recommend]
impl Text for Arc<str> {}
#[diagnostic::do_not_recommend]
impl Text for Cow<'_, str> {}
#[diagnostic::do_not_recommend]
impl Text for PathBuf {}
#[diagnostic::do_not_recommend]
impl Text for Box<Path> {}
#[diagnostic::do_not_recommend]
impl Text for char {}
#[diagnostic::do_not_recommend]
impl<T: Text> Text for Option<T> {}

/// A type that is an array of any length in JSON: `items` applies to it.
///
/// The lists and sets of the standard library, and `Option` of them, are. Implement it for a newtype.
#[diagnostic::on_unimplemented(
    message = "`items` does not apply to `{Self}`",
    label = "not a list",
    note = "`range` bounds a number and `length` a text; for a list of your own, implement `tool_gate::Items`"
)]
pub trait Items {}

#[diagnostic::do_not_recommend]
impl<T> Items for Vec<T> {}
#[diagnostic::do_not_recommend]
impl<T> Items for Box<[T]> {}
#[diagnostic::do_not_recommend]
impl<T> Items for Arc<[T]> {}
#[diagnostic::do_not_recommend]
impl<T> Items for VecDeque<T> {}
#[diagnostic::do_not_recommend]
impl<T> Items for LinkedList<T> {}
#[diagnostic::do_not_recommend]
impl<T> Items for BinaryHeap<T> {}
#[diagnostic::do_not_recommend]
impl<T> Items for BTreeSet<T> {}
#[diagnostic::do_not_recommend]
impl<T, H> Items for HashSet<T, H> {}
#[diagnostic::do_not_recommend]
impl<T: Items> Items for Option<T> {}

/// A type that a text literal is a default of.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not default to text",
    label = "expected a value of type `{Self}`"
)]
pub trait DefaultText {
    /// The value of that text.
    fn default_text(text: &'static str) -> Self;
}

/// A type that has a default of its own: a name of ours for `Default`, for the sake of the error.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no default of its own",
    label = "`default` alone takes the type's own",
    note = "derive `Default` for `{Self}`, or write the value: `#[arg(default = …)]`"
)]
pub trait OwnDefault: Default {}

#[diagnostic::do_not_recommend]
impl<T: Default> OwnDefault for T {}

/// The value of `default` alone.
pub fn own_default<T: OwnDefault>() -> T {
    T::default()
}

/// The value of `default = "…"`.
pub fn text_default<T: DefaultText>(text: &'static str) -> T {
    T::default_text(text)
}

macro_rules! texts {
    ($($text:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl DefaultText for $text {
            fn default_text(text: &'static str) -> Self {
                text.into()
            }
        }
    )*};
}

texts!(String Box<str> Rc<str> Arc<str> Cow<'static, str> PathBuf);

#[diagnostic::do_not_recommend]
impl<T: DefaultText> DefaultText for Option<T> {
    fn default_text(text: &'static str) -> Self {
        Some(T::default_text(text))
    }
}
