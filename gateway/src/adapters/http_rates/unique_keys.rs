//! Rejects JSON with duplicate keys at any depth: parsers differ in which value they use.

use std::collections::BTreeSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Parses any JSON and discards it.
pub(super) struct UniqueKeys;

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Look)
    }
}

struct Look;

macro_rules! any_scalar {
    ($($visit:ident: $type:ty),+) => {$(
        fn $visit<E: Error>(self, _: $type) -> Result<UniqueKeys, E> {
            Ok(UniqueKeys)
        }
    )+};
}

impl<'de> Visitor<'de> for Look {
    type Value = UniqueKeys;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    any_scalar!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str);

    fn visit_unit<E: Error>(self) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<UniqueKeys, A::Error> {
        while list.next_element::<UniqueKeys>()?.is_some() {}
        Ok(UniqueKeys)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<UniqueKeys, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some((key, _)) = map.next_entry::<String, UniqueKeys>()? {
            if let Some(key) = keys.replace(key) {
                return Err(A::Error::custom(format_args!("the key {key:?} is there twice")));
            }
        }
        Ok(UniqueKeys)
    }
}
