//! Ids in the interface's form: UUIDs with hyphens.

use checkout_domain::ids::PaymentId;
use uuid::Uuid;

/// Parses the id of a payment.
pub fn payment(text: &str) -> Option<PaymentId> {
    parse(text).map(PaymentId)
}

/// Parses a UUID with hyphens; no braces, no `urn:`.
pub fn parse(text: &str) -> Option<Uuid> {
    if text.len() == 36 { Uuid::try_parse(text).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_form_only() {
        let id = Uuid::from_u128(0x0193_4f5a_0000_7000_8000_0000_0000_0001);
        assert_eq!(parse(&id.to_string()), Some(id));
        assert_eq!(parse(&id.to_string().to_ascii_uppercase()), Some(id));
        for text in [
            id.simple().to_string(),
            id.braced().to_string(),
            id.urn().to_string(),
            String::new(),
            "42".into(),
        ] {
            assert_eq!(parse(&text), None, "{text:?}");
        }
    }
}
