//! The memo of a transaction.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checkout_chain_http::Fields;

/// As payments store it: digits and text unchanged, a hash in hexadecimal digits. A payment whose memo cannot be read cannot be
/// assigned.
pub(super) fn memo(transaction: &Fields) -> Result<Option<String>, String> {
    let kind: String = transaction.need("memo_type")?;
    let memo = match kind.as_str() {
        "none" => match transaction.get::<Option<String>>("memo")? {
            None | Some(None) => None,
            Some(_) => return Err("it has a memo of no type".to_owned()),
        },
        // It names a transaction that is refunded.
        "return" => None,
        // Servers leave an empty one out, and have others as bytes, too.
        "text" => {
            let memo: Option<String> = transaction.get("memo")?;
            let bytes =
                transaction.need::<String>("memo_bytes").ok().and_then(|text| STANDARD.decode(text).ok());
            let whole = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
            if whole.is_some_and(|whole| whole != memo.as_deref().unwrap_or_default()) {
                return Err("its memo and memo_bytes are not the same".to_owned());
            }
            memo
        }
        "id" => {
            let id: String = transaction.need("memo")?;
            let number: u64 = id.parse().map_err(|_| "its memo is no number")?;
            Some(number.to_string())
        }
        "hash" => {
            let hash = STANDARD.decode(transaction.need::<String>("memo")?).ok();
            let hash = hash.filter(|hash| hash.len() == 32).ok_or("its memo is no hash")?;
            Some(hex::encode(hash))
        }
        _ => return Err("its memo_type is not known".to_owned()),
    };
    Ok(memo.filter(|memo: &String| !memo.is_empty()))
}

#[cfg(test)]
mod tests {
    use serde_json::value::to_raw_value;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn memos() {
        let check = |transaction: Value, expected: Result<Option<&str>, &str>| {
            let fields = Fields::of(&to_raw_value(&transaction).unwrap()).unwrap();
            let expected = expected.map(|memo| memo.map(str::to_owned)).map_err(str::to_owned);
            assert_eq!(memo(&fields), expected, "{transaction}");
        };
        check(json!({"memo_type": "none", "memo": null}), Ok(None));
        check(json!({"memo_type": "text", "memo": "order 7"}), Ok(Some("order 7")));
        check(json!({"memo_type": "text"}), Ok(None));
        check(json!({"memo_type": "text", "memo": null}), Err("its memo cannot be read"));
        check(json!({"memo_type": "id", "memo": "18446744073709551615"}), Ok(Some("18446744073709551615")));
        check(json!({"memo_type": "none", "memo": "7"}), Err("it has a memo of no type"));
        check(json!({"memo_type": "text", "memo": "a", "memo_bytes": "YQ=="}), Ok(Some("a")));
        check(json!({"memo_type": "text", "memo": "\u{FFFD}", "memo_bytes": "/w=="}), Ok(Some("\u{FFFD}")));
        check(
            json!({"memo_type": "text", "memo_bytes": "YQ=="}),
            Err("its memo and memo_bytes are not the same"),
        );
        check(json!({"memo_type": "id", "memo": "+07"}), Ok(Some("7")));
        check(json!({"memo_type": "id", "memo": "-1"}), Err("its memo is no number"));
        check(json!({"memo_type": "id"}), Err("it has no memo"));
        check(json!({"memo_type": "hash", "memo": "AQ=="}), Err("its memo is no hash"));
        check(json!({"memo_type": "song", "memo": "la"}), Err("its memo_type is not known"));
        check(json!({"memo": "la"}), Err("it has no memo_type"));
    }
}
