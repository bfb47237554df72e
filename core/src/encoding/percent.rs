//! Percent-encoding (RFC 3986, section 2.1).

use alloc::string::String;
use alloc::vec::Vec;

use super::hex;

/// Appends `text`, encoding everything except unreserved characters.
pub(crate) fn encode_into(uri: &mut String, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            uri.push(char::from(byte));
        } else {
            let digits = hex::lower_digits(byte).map(|digit| char::from(digit.to_ascii_uppercase()));
            uri.push('%');
            uri.extend(digits);
        }
    }
}

/// Returns `None` if an escape is not two digits or the bytes are not UTF-8. A `+` is a plus sign.
pub(crate) fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte == b'%' {
            let (digits, after) = rest.split_at_checked(2)?;
            bytes.extend(hex::decode_array::<1>(digits)?);
            rest = after;
        } else {
            bytes.push(*byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn broken_escapes_are_refused() {
        for text in ["%", "%4", "%4g", "%+1", "%ff"] {
            assert_eq!(decode(text), None, "{text}");
        }
        assert_eq!(decode("a+b%20c").as_deref(), Some("a+b c"));
    }

    proptest! {
        #[test]
        fn print_then_parse_is_the_identity(text in ".*") {
            let mut encoded = String::new();
            encode_into(&mut encoded, &text);
            prop_assert!(encoded.is_ascii());
            prop_assert_eq!(decode(&encoded), Some(text));
        }
    }
}
