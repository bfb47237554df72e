//! The gateway's answers, read by serde over a tree that the browser's `JSON.parse` has built.
//!
//! Far smaller than a JSON parser of our own. `JSON.parse` rounds whole numbers above 2^53; that is
//! why money and tags are strings on the wire, and such a number here is an error.

use core::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{self, DeserializeOwned, IntoDeserializer, Visitor};

/// One value of a parsed JSON document.
pub trait Node: Sized {
    fn read(self) -> Shape<Self>;
}

pub enum Shape<N> {
    Null,
    Bool(bool),
    Whole(u64),
    Text(String),
    List(Vec<N>),
    Map(Vec<(String, N)>),
    /// Anything else, such as a number with a fraction.
    Other,
}

/// The document is not what was expected. It carries no text: that alone would link 15 KB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the answer is not readable")
    }
}

impl core::error::Error for Unreadable {}

impl de::Error for Unreadable {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

pub fn decode<T: DeserializeOwned, N: Node>(node: N) -> Result<T, Unreadable> {
    T::deserialize(Tree(node.read()))
}

/// Each kind of request visits only what it asked for: the ways to visit everything, for every
/// type, would be most of this module's code.
struct Tree<N>(Shape<N>);

impl<N: Node> IntoDeserializer<'_, Unreadable> for Tree<N> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de, N: Node> de::Deserializer<'de> for Tree<N> {
    type Error = Unreadable;

    /// For values that nobody wants.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match self.0 {
            Shape::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match self.0 {
            Shape::Bool(value) => visitor.visit_bool(value),
            _ => Err(Unreadable),
        }
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match self.0 {
            Shape::Whole(value) => visitor.visit_u64(value),
            _ => Err(Unreadable),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match self.0 {
            Shape::Text(text) => visitor.visit_string(text),
            _ => Err(Unreadable),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match self.0 {
            Shape::List(list) => {
                visitor.visit_seq(SeqDeserializer::new(list.into_iter().map(|node| Tree(node.read()))))
            }
            _ => Err(Unreadable),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match self.0 {
            Shape::Map(map) => {
                let entries = map.into_iter().map(|(key, node)| (key, Tree(node.read())));
                visitor.visit_map(MapDeserializer::new(entries))
            }
            _ => Err(Unreadable),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        self.deserialize_map(visitor)
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u128 f32 f64 char bytes byte_buf unit unit_struct newtype_struct
        tuple tuple_struct enum identifier ignored_any
    }
}
