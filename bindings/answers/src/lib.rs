//! The answers of the core as JSON, the same in each language.

use crypto_checkout_core::{Options, Reason, validate_with};
use serde_json::{Value, json};

/// The verdict on an address and its tag: the JSON form of the core's `Verdict`, with the sentence of its reason as `message`. Unknown
/// options give `{"error":"unknown_option"}`.
pub fn validate(currency: &str, network: &str, address: &str, tag: Option<&str>, options: &str) -> String {
    let Ok(options) = options.parse::<Options>() else {
        return json!({"error": "unknown_option"}).to_string();
    };
    let verdict = validate_with(currency, network, address, tag, &options);
    let message = verdict.reason.map(Reason::message);
    let mut answer = serde_json::to_value(verdict).unwrap_or_default();
    if let (Some(message), Value::Object(fields)) = (message, &mut answer) {
        fields.insert("message".to_owned(), message.into());
    }
    answer.to_string()
}

#[cfg(test)]
mod tests {
    use super::validate;

    #[test]
    fn a_refusal_has_its_sentence() {
        let check = |options, expected: &str| {
            assert_eq!(validate("TRX", "TRX", "", None, options), r#"{"supported":false,"valid":false}"#);
            assert_eq!(validate("XRP", "XRP", "r", None, options), expected);
        };
        check(
            "",
            r#"{"message":"the address is too short or too long","reason":"bad_length","supported":true,"valid":false}"#,
        );
        assert_eq!(validate("XRP", "XRP", "r", None, "allow_all"), r#"{"error":"unknown_option"}"#);
    }
}
