//! The fields of a JSON object, each read for itself: an odd one concerns only what is read from it.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Errors are short sentences about the entry that has the fields. `None`: it is there twice, and not the same.
#[derive(Clone, Debug, Default)]
pub struct Fields(BTreeMap<String, Option<Box<RawValue>>>);

impl Fields {
    pub fn of(raw: &RawValue) -> Result<Self, String> {
        serde_json::from_str(raw.get()).map_err(|_| "it is no object".to_owned())
    }

    fn raw(&self, name: &str) -> Result<Option<&RawValue>, String> {
        let Some(raw) = self.0.get(name) else { return Ok(None) };
        raw.as_deref().map(Some).ok_or_else(|| format!("its {name} is there twice"))
    }

    /// `None` if it is missing.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, String> {
        let Some(raw) = self.raw(name)? else { return Ok(None) };
        serde_json::from_str(raw.get()).map(Some).map_err(|_| format!("its {name} cannot be read"))
    }

    pub fn need<T: DeserializeOwned>(&self, name: &str) -> Result<T, String> {
        self.get(name)?.ok_or_else(|| format!("it has no {name}"))
    }

    pub fn object(&self, name: &str) -> Result<Self, String> {
        let raw = self.raw(name)?.ok_or_else(|| format!("it has no {name}"))?;
        Self::of(raw).map_err(|_| format!("its {name} cannot be read"))
    }

    /// Whether it is a text that passes.
    pub fn is(&self, name: &str, passes: impl FnOnce(&str) -> bool) -> bool {
        self.need::<String>(name).is_ok_and(|text| passes(&text))
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OfObject)
    }
}

struct OfObject;

impl<'de> Visitor<'de> for OfObject {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Fields, A::Error> {
        let mut fields = Fields::default();
        while let Some((name, raw)) = object.next_entry::<String, Box<RawValue>>()? {
            let field = fields.0.entry(name).or_insert_with(|| Some(raw.clone()));
            field.take_if(|before| before.get() != raw.get());
        }
        Ok(fields)
    }
}

/// Whether it can be the id of a transaction: 64 hexadecimal digits.
pub fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_odd_field_concerns_only_itself() {
        let text = r#"{"a": "x", "n": null, "huge": 1e999, "half": "\ud800", "o": {"b": 7}, "a2": 5,
            "same": 1, "same": 1, "other": 1, "other": "1"}"#;
        let fields = Fields::of(&RawValue::from_string(text.to_owned()).unwrap()).unwrap();
        assert_eq!(fields.need("a"), Ok("x".to_owned()));
        assert_eq!(fields.object("o").unwrap().get("b"), Ok(Some(7)));
        let check = |name, expected: &str| assert_eq!(fields.need::<String>(name).unwrap_err(), expected);
        check("n", "its n cannot be read");
        check("huge", "its huge cannot be read");
        check("half", "its half cannot be read");
        check("a2", "its a2 cannot be read");
        check("none", "it has no none");
        check("other", "its other is there twice");
        assert_eq!(fields.need("same"), Ok(1));
        assert_eq!(fields.get::<Option<u64>>("n"), Ok(Some(None)));
        assert!(fields.object("a").is_err() && fields.is("a", |a| a == "x") && !fields.is("n", |_| true));
        assert!(Fields::of(&RawValue::from_string("[]".to_owned()).unwrap()).is_err());
    }
}
