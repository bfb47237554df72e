//! The memo of a transaction.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checkout_chain_http::Fields;

/// As payments store it: digits and text unchanged, a hash in hexadecimal digits. A payment whose memo cannot be read cannot be
/// assigned.
pub(super) fn memo(transaction: &Fields) -> Result<Option<String>, String> {
    let kind: String = transaction.need("memo_type")?;
    let memo = match kind.as_str() {
        // `return` names a transaction that is refunded.
        "none" | "return" => None,
        // Servers leave an empty one out.
        "text" => transaction.get("memo")?,
        "id" => {
            let id: String = transaction.need("memo")?;
            id.parse::<u64>().map_err(|_| "its memo is no number")?;
            Some(id)
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
        check(json!({"memo_type": "id", "memo": "-1"}), Err("its memo is no number"));
        check(json!({"memo_type": "id"}), Err("it has no memo"));
        check(json!({"memo_type": "hash", "memo": "AQ=="}), Err("its memo is no hash"));
        check(json!({"memo_type": "song", "memo": "la"}), Err("its memo_type is not known"));
        check(json!({"memo": "la"}), Err("it has no memo_type"));
    }
}
