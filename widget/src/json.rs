//! Reads the types of the contract from JSON. `serde_json` alone would compile two readers of every type, with sentences for
//! each error; here an answer is read or it is not, which is a third of the module's code for them.

use core::fmt;

use serde::de::value::{MapAccessDeserializer, StringDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value, map};

/// `None` if the text is not JSON, or not that of the type.
pub fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    T::deserialize(Json(serde_json::from_str(text).ok()?)).ok()
}

#[derive(Debug)]
struct Unreadable;

impl fmt::Display for Unreadable {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl core::error::Error for Unreadable {}

impl serde::de::Error for Unreadable {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

struct Json(Value);

impl<'de> Deserializer<'de> for Json {
    type Error = Unreadable;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Unreadable> {
        Err(Unreadable)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_bool(self.0.as_bool().ok_or(Unreadable)?)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_u64(self.0.as_u64().ok_or(Unreadable)?)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match self.0 {
            Value::String(text) => visitor.visit_string(text),
            _ => Err(Unreadable),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match self.0 {
            Value::Array(values) => visitor.visit_seq(Values(values.into_iter())),
            _ => Err(Unreadable),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        match self.0 {
            Value::Object(fields) => visitor.visit_map(Fields::of(fields)),
            _ => Err(Unreadable),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        match self.0 {
            Value::String(word) => word.into_deserializer().deserialize_enum(name, variants, visitor),
            Value::Object(fields) => {
                MapAccessDeserializer::new(Fields::of(fields)).deserialize_enum(name, variants, visitor)
            }
            _ => Err(Unreadable),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u128 f32 f64 char str bytes byte_buf unit unit_struct newtype_struct tuple tuple_struct map
        identifier
    }
}

struct Values(std::vec::IntoIter<Value>);

impl<'de> SeqAccess<'de> for Values {
    type Error = Unreadable;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Unreadable> {
        self.0.next().map(|value| seed.deserialize(Json(value))).transpose()
    }
}

struct Fields {
    rest: map::IntoIter,
    value: Value,
}

impl Fields {
    fn of(fields: Map<String, Value>) -> Self {
        Self { rest: fields.into_iter(), value: Value::Null }
    }
}

impl<'de> MapAccess<'de> for Fields {
    type Error = Unreadable;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Unreadable> {
        let Some((name, value)) = self.rest.next() else { return Ok(None) };
        self.value = value;
        seed.deserialize(StringDeserializer::<Unreadable>::new(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Unreadable> {
        seed.deserialize(Json(self.value.take()))
    }
}
