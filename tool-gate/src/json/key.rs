//! The keys of a map, as the type that the map has for them.

use serde::{
    Deserializer,
    de::{Error as _, Unexpected, Visitor},
    forward_to_deserialize_any,
};

use super::{
    Number, Refused,
    de::{Result, Variant},
};

/// A key, which is a string and stands for whatever the key type of a map is.
pub(super) struct Key<'de>(pub(super) &'de str);

impl<'de> Key<'de> {
    /// The number this key is, to the letter.
    fn number(&self) -> Option<Number<'de>> {
        let (number, behind) = Number::scan(self.0, 0).ok()?;
        (behind == self.0.len() && number.is_finite()).then_some(number)
    }

    fn mismatch<V: Visitor<'de>>(&self, visitor: &V) -> Refused {
        Refused::invalid_type(Unexpected::Str(self.0), visitor)
    }
}

macro_rules! number_keys {
    ($visit:ident: $($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.number() {
                Some(number) => number.$visit(visitor),
                None => Err(self.mismatch(&visitor)),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = Refused;

    // A key is an integer only where it is written as one: `1` and `1.0` are two keys of an object.
    number_keys!(visit_number: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64);
    number_keys!(visit_number: deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f64);
    number_keys!(visit_f32: deserialize_f32);

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.number().filter(|number| number.written_as_integer()) {
            Some(number) => number.visit_i128(visitor),
            None => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.number().filter(|number| number.written_as_integer() && !number.is_negative()) {
            Some(number) => number.visit_u128(visitor),
            None => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_enum(Variant { name: self.0, content: None })
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(self.0.as_bytes())
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    forward_to_deserialize_any! {
        char str string unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
