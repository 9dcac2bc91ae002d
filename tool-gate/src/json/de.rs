//! Binding: a node as a `serde` deserializer that lends its strings.

use serde::{
    Deserializer,
    de::{self, Error as _, Unexpected, Visitor, value::BorrowedStrDeserializer},
};

use super::{Elements, Node, Number, Refused, Tape, key::Key, number::Whole, tape::Slot};

pub(super) type Result<T> = std::result::Result<T, Refused>;

impl<'de> Node<'de> {
    /// The answer where the value is not of the kind that was asked for.
    #[cold]
    fn mismatch<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.captured().is_some() {
            return self.to_value().deserialize_any(visitor).map_err(Refused::custom);
        }
        Err(Refused::invalid_type(self.unexpected(), &visitor))
    }

    fn unexpected(self) -> Unexpected<'de> {
        match *self.slot() {
            Slot::Null => Unexpected::Unit,
            Slot::Bool(value) => Unexpected::Bool(value),
            Slot::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => Unexpected::Unsigned(number),
                (None, Some(number)) => Unexpected::Signed(number),
                (None, None) => Unexpected::Float(number.as_f64()),
            },
            Slot::Plain(_) | Slot::Unescaped { .. } => Unexpected::Str(self.as_str().unwrap_or_default()),
            Slot::Array { .. } => Unexpected::Seq,
            Slot::Object { .. } => Unexpected::Map,
            Slot::Raw(_) | Slot::Value(_) => Unexpected::Other("captured value"),
        }
    }

    fn visit_array<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let mut array = Array { elements: self.elements(), index: 0 };
        let value = visitor.visit_seq(&mut array)?;
        match array.elements.len() {
            0 => Ok(value),
            _ => Err(Refused::invalid_length(self.len(), &"fewer elements in array")),
        }
    }

    fn visit_object<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let mut object = Object { tape: self.tape(), key: self.index() + 1, left: self.len() };
        let value = visitor.visit_map(&mut object)?;
        match object.left {
            0 => Ok(value),
            _ => Err(Refused::invalid_length(self.len(), &"fewer elements in map")),
        }
    }
}

impl<'de> Number<'de> {
    /// As an integer where it is one, however it is written.
    pub(super) fn visit_integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Self::Unsigned(number) => visitor.visit_u64(number),
            Self::Negative(number) => visitor.visit_i64(number),
            Self::Fraction(_) => visitor.visit_f64(self.as_f64()),
            Self::Decimal(_) | Self::Float(_) => match self.to_integer() {
                integer @ (Self::Unsigned(_) | Self::Negative(_)) => integer.visit_integer(visitor),
                // As a float it would be refused for its type, which is not what is wrong with it.
                _ if self.is_integer() => Err(self.out_of_range("integer", &visitor)),
                _ => visitor.visit_f64(self.as_f64()),
            },
        }
    }

    /// As an integer of up to 128 bits without a sign where it is one.
    pub(super) fn visit_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.whole().and_then(Whole::as_u128) {
            Some(number) if u64::try_from(number).is_err() => visitor.visit_u128(number),
            _ => self.visit_integer(visitor),
        }
    }

    /// As an integer of up to 128 bits where it is one.
    pub(super) fn visit_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.whole().and_then(Whole::as_i128) {
            Some(number) if i64::try_from(number).is_err() => visitor.visit_i128(number),
            _ => self.visit_integer(visitor),
        }
    }

    /// As it is written.
    pub(super) fn visit_number<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Self::Unsigned(number) => visitor.visit_u64(number),
            Self::Negative(number) => visitor.visit_i64(number),
            Self::Fraction(_) | Self::Decimal(_) | Self::Float(_) => visitor.visit_f64(self.as_f64()),
        }
    }

    /// As it is written, rounded once and not by way of an `f64`.
    pub(super) fn visit_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        #[expect(clippy::cast_possible_truncation, reason = "the nearest float is what is asked for")]
        let float = match self {
            Self::Fraction(text) | Self::Decimal(text) => text.parse().unwrap_or(f32::NAN),
            Self::Float(number) => number as f32,
            Self::Unsigned(_) | Self::Negative(_) => return self.visit_number(visitor),
        };
        if float.is_finite() { visitor.visit_f32(float) } else { Err(self.out_of_range("floating point", &visitor)) }
    }

    #[cold]
    fn out_of_range<V: Visitor<'de>>(self, what: &str, visitor: &V) -> Refused {
        Refused::invalid_value(Unexpected::Other(&format!("{what} `{}`", self.text())), visitor)
    }
}

macro_rules! numbers {
    ($visit:ident: $($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match *self.slot() {
                Slot::Number(number) => number.$visit(visitor),
                _ => self.mismatch(visitor),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Node<'de> {
    type Error = Refused;

    numbers!(visit_integer: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64);
    numbers!(visit_integer: deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64);
    numbers!(visit_i128: deserialize_i128);
    numbers!(visit_u128: deserialize_u128);
    numbers!(visit_number: deserialize_f64);
    numbers!(visit_f32: deserialize_f32);

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match *self.slot() {
            Slot::Null => visitor.visit_unit(),
            Slot::Bool(value) => visitor.visit_bool(value),
            Slot::Number(number) => number.visit_number(visitor),
            Slot::Plain(_) | Slot::Unescaped { .. } => self.deserialize_str(visitor),
            Slot::Array { .. } => self.visit_array(visitor),
            Slot::Object { .. } => self.visit_object(visitor),
            Slot::Raw(_) | Slot::Value(_) => self.mismatch(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.as_bool() {
            Some(value) => visitor.visit_bool(value),
            None => self.mismatch(visitor),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.as_str() {
            Some(string) => visitor.visit_borrowed_str(string),
            None => self.mismatch(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.as_str() {
            Some(string) => visitor.visit_borrowed_bytes(string.as_bytes()),
            None => self.deserialize_seq(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match *self.slot() {
            Slot::Null => visitor.visit_unit(),
            _ => self.mismatch(visitor),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        // `RawValue` asks for JSON text under this name, and only serde_json knows how it wants it.
        if name == "$serde_json::private::RawValue" {
            return self.to_value().deserialize_newtype_struct(name, visitor).map_err(Refused::custom);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match *self.slot() {
            Slot::Array { .. } => self.visit_array(visitor),
            _ => self.mismatch(visitor),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(self, _: &'static str, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match *self.slot() {
            Slot::Object { .. } => self.visit_object(visitor),
            _ => self.mismatch(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match *self.slot() {
            Slot::Object { .. } => self.visit_object(visitor),
            _ => self.deserialize_seq(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match *self.slot() {
            Slot::Plain(_) | Slot::Unescaped { .. } => {
                visitor.visit_enum(Variant { name: self.as_str().unwrap_or_default(), content: None })
            }
            Slot::Object { .. } => {
                let mut members = self.members();
                match (members.next(), members.next()) {
                    (Some((name, content)), None) => visitor.visit_enum(Variant { name, content: Some(content) }),
                    _ => Err(Refused::invalid_value(Unexpected::Map, &"map with a single key")),
                }
            }
            Slot::Raw(_) | Slot::Value(_) => {
                self.to_value().deserialize_enum(name, variants, visitor).map_err(Refused::custom)
            }
            _ => Err(Refused::invalid_type(self.unexpected(), &"string or map")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

/// The elements of an array, one after the other.
struct Array<'de> {
    elements: Elements<'de>,
    index: usize,
}

impl<'de> de::SeqAccess<'de> for Array<'de> {
    type Error = Refused;

    fn next_element_seed<T: de::DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(element) = self.elements.next() else { return Ok(None) };
        let index = self.index;
        self.index += 1;
        seed.deserialize(element).map(Some).map_err(|refused| refused.in_element(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.elements.len())
    }
}

/// The members of an object, one after the other.
struct Object<'de> {
    tape: &'de Tape<'de>,
    /// The slot of the key that comes next, or whose value does.
    key: usize,
    /// How many values are still to come.
    left: usize,
}

impl<'de> de::MapAccess<'de> for Object<'de> {
    type Error = Refused;

    fn next_key_seed<K: de::DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.left == 0 {
            return Ok(None);
        }
        seed.deserialize(Key(self.tape.key(self.key))).map(Some)
    }

    fn next_value_seed<T: de::DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let (key, value) = (self.key, self.key + 1);
        self.left = self.left.checked_sub(1).ok_or_else(|| Refused::custom("there is no such value"))?;
        self.key = self.tape.behind(value);
        seed.deserialize(Node::new(self.tape, value)).map_err(|refused| refused.in_member(self.tape.key(key)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// An enum: the name of a variant, and its content where it stands in an object.
pub(super) struct Variant<'de> {
    pub(super) name: &'de str,
    pub(super) content: Option<Node<'de>>,
}

impl<'de> de::EnumAccess<'de> for Variant<'de> {
    type Error = Refused;
    type Variant = Self;

    fn variant_seed<V: de::DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let variant = seed.deserialize(BorrowedStrDeserializer::<Refused>::new(self.name))?;
        Ok((variant, self))
    }
}

impl<'de> Variant<'de> {
    /// Reads the content, of which a unit variant has none.
    fn content<T>(self, expected: &str, read: impl FnOnce(Node<'de>) -> Result<T>) -> Result<T> {
        let content = self.content.ok_or_else(|| Refused::invalid_type(Unexpected::UnitVariant, &expected))?;
        read(content).map_err(|refused| refused.in_member(self.name))
    }
}

impl<'de> de::VariantAccess<'de> for Variant<'de> {
    type Error = Refused;

    fn unit_variant(self) -> Result<()> {
        if self.content.is_none() { Ok(()) } else { self.content("unit variant", de::Deserialize::deserialize) }
    }

    fn newtype_variant_seed<T: de::DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.content("newtype variant", |content| seed.deserialize(content))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.content("tuple variant", |content| content.deserialize_seq(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value> {
        self.content("struct variant", |content| content.deserialize_struct("", fields, visitor))
    }
}
