//! JSON numbers in callback bodies: exact digits, never floats.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// A decimal text that is written as a JSON number, digit for digit.
#[derive(Clone, Debug)]
pub struct Number(Box<RawValue>);

impl Number {
    /// Texts of the core's amounts are JSON numbers already; of what is none, nothing is claimed.
    pub fn new(text: &str) -> Self {
        let is_plain = checkout_core::decimal::parse(text, 28).is_ok() || is_long_decimal(text);
        let text = if is_plain { text } else { "0" };
        Self(RawValue::from_string(text.to_owned()).expect("a plain decimal is a JSON number"))
    }
}

/// Digits beyond the range of `Decimal`: `0|[1-9][0-9]*` with an optional fraction.
fn is_long_decimal(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && digits(fraction) && (whole == "0" || !whole.starts_with('0'))
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl JsonSchema for Number {
    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "number", "minimum": 0})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digit_is_written() {
        let check = |text: &str, expected: &str| {
            assert_eq!(serde_json::to_string(&Number::new(text)).unwrap(), expected, "{text:?}");
        };
        check("0", "0");
        check("0.00", "0.00");
        check("0.123456789012345678", "0.123456789012345678");
        check("99999999999999999999.999999999999999999", "99999999999999999999.999999999999999999");
        for broken in ["", "1e5", "-1", "01", ".5", "5.", "NaN", "1,0", "\"1\"", "1.2.3"] {
            check(broken, "0");
        }
    }
}
