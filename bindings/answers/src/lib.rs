//! The answers of the core as JSON, the same in each language. Texts come as bytes: what is no UTF-8 is refused, never changed.

use std::str;

use crypto_checkout_core::{Network, Options, Reason, TagRule, Verdict, Warning, validate_with};
use serde_json::{Value, json};

/// The verdict on an address and its tag: the JSON form of the core's `Verdict`, with the sentence of its reason as `message`. Each
/// of `options` names one; an unknown one gives the error `unknown_option`.
pub fn validate<'a>(
    currency: &[u8],
    network: &[u8],
    address: &[u8],
    tag: Option<&[u8]>,
    options: impl IntoIterator<Item = &'a [u8]>,
) -> String {
    let Some(options) = read_options(options) else {
        return json!({"error": "unknown_option", "supported": false, "valid": false}).to_string();
    };
    // Codes are ASCII.
    let code = |bytes| str::from_utf8(bytes).unwrap_or_default();
    let verdict = check(code(currency), code(network), address, tag, &options);
    let message = verdict.reason.map(Reason::message);
    let mut answer = serde_json::to_value(verdict).unwrap_or_default();
    if let (Some(message), Value::Object(fields)) = (message, &mut answer) {
        fields.insert("message".to_owned(), message.into());
    }
    answer.to_string()
}

/// `None` if one is no name of an option. A comma would make two of it.
fn read_options<'a>(names: impl IntoIterator<Item = &'a [u8]>) -> Option<Options> {
    let name = |bytes| str::from_utf8(bytes).ok().filter(|name| !name.contains(','));
    let names: Vec<&str> = names.into_iter().map(name).collect::<Option<_>>()?;
    names.join(",").parse().ok()
}

fn check(currency: &str, network: &str, address: &[u8], tag: Option<&[u8]>, options: &Options) -> Verdict {
    let validate = |address, tag| validate_with(currency, network, address, tag, options);
    match (str::from_utf8(address), tag.map(str::from_utf8).transpose()) {
        (Ok(address), Ok(tag)) => validate(address, tag),
        (Ok(address), Err(_)) => unreadable_tag(validate(address, None), network),
        (Err(error), _) => {
            let mut verdict = validate("", None);
            if verdict.supported {
                verdict.reason = Some(Reason::BadCharacter);
                verdict.positions = vec![error.valid_up_to()];
            }
            verdict
        }
    }
}

/// The verdict on an address whose tag is no text. Only a network without tags ignores it.
fn unreadable_tag(mut verdict: Verdict, network: &str) -> Verdict {
    if !verdict.valid {
        return verdict;
    }
    if network.parse().is_ok_and(|network: Network| network.tag_rule() == TagRule::None) {
        verdict.warnings.push(Warning::TagIgnored);
        return verdict;
    }
    let kind = verdict.kind;
    verdict = Verdict::default();
    (verdict.supported, verdict.kind, verdict.reason) = (true, kind, Some(Reason::TagNotDigits));
    verdict
}

#[cfg(test)]
mod tests {
    use super::validate;

    #[test]
    fn an_answer_is_json() {
        let check = |network: &str, options: &[&str], expected: &str| {
            let options = options.iter().map(|option| option.as_bytes());
            assert_eq!(validate(b"XRP", network.as_bytes(), b"r", None, options), expected);
        };
        check(
            "XRP",
            &["allow_mweb", "memo_type=id", ""],
            r#"{"message":"the address is too short or too long","reason":"bad_length","supported":true,"valid":false}"#,
        );
        check("TRX", &[], r#"{"supported":false,"valid":false}"#);
        let unknown = r#"{"error":"unknown_option","supported":false,"valid":false}"#;
        check("XRP", &["allow_all"], unknown);
        check("XRP", &["allow_mweb,allow_icap"], unknown);
    }
}
