//! How parameters are filled from a checked call.

use std::fmt;

use serde::{
    de::{self, DeserializeOwned, Visitor},
    forward_to_deserialize_any,
};

use super::Parameter;
use crate::json::{Node, Refused};

/// The checked arguments of one call, being bound.
#[derive(Debug)]
pub struct Binding<'t> {
    pub(crate) arguments: Node<'t>,
    /// How many parameters are still to be read where a test asks the types alone: neither their checks nor what comes
    /// behind the last of them.
    types_alone: Option<usize>,
}

impl<'t> Binding<'t> {
    /// Binds what the schema took.
    pub(crate) fn of(arguments: Node<'t>) -> Self {
        Self { arguments, types_alone: None }
    }

    /// Asks so many parameters' types, and no check. It ends in an error in any case: of the type that refuses its value, or,
    /// where none does, of the arguments as a whole.
    #[cfg(feature = "testing")]
    pub(crate) fn of_types_alone(arguments: Node<'t>, parameters: usize) -> Self {
        Self { arguments, types_alone: Some(parameters) }
    }

    /// Takes one out.
    ///
    /// # Errors
    ///
    /// Where the type's own `Deserialize`, or the parameter's check, refuses what the schema takes.
    pub fn take<T>(&mut self, parameter: Parameter<T>) -> Result<T, Unbound> {
        let Parameter { name, default, check, read, absent, .. } = parameter;
        let value = match (self.arguments.get(name), default) {
            (Some(node), _) => read(node),
            (None, Some(default)) => Ok((default.value)()),
            (None, None) => absent().ok_or_else(|| de::Error::custom("is missing")),
        };
        let check = check.filter(|_| self.types_alone.is_none());
        let checked = value.and_then(|value| match check.map_or(Ok(()), |check| check(&value)) {
            Ok(()) => Ok(value),
            Err(reason) => Err(de::Error::custom(reason)),
        });
        let value = checked.map_err(|refused| Unbound::at(name, refused))?;
        if let Some(left) = &mut self.types_alone {
            *left = left.saturating_sub(1);
            if *left == 0 {
                return Err(Unbound { refused: de::Error::custom("every type takes its value") });
            }
        }
        Ok(value)
    }
}

/// A type's own `Deserialize`, or a check, refused what the schema takes.
#[derive(Debug)]
pub struct Unbound {
    pub(crate) refused: Refused,
}

impl Unbound {
    #[cold]
    fn at(name: &'static str, refused: Refused) -> Self {
        Self { refused: refused.in_member(name) }
    }
}

/// The value that a type has for an argument that is left out, by serde's own rule for a field of a struct: the type is
/// asked, so an alias or a newtype of `Option` has one too.
pub(super) fn absent<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Absent).ok()
}

struct Absent;

#[derive(Debug)]
struct NoValue;

impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no value")
    }
}

impl std::error::Error for NoValue {}

impl de::Error for NoValue {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl<'de> de::Deserializer<'de> for Absent {
    type Error = NoValue;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, NoValue> {
        Err(NoValue)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NoValue> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
