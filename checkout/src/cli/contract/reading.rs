//! Reads a payment as the page of the kit does (`www/kit/payment.ts`), in every spelling that it takes.

use checkout_wire::Payment;
use serde_json::{Map, Value, json};

pub(super) type PaymentFields = Map<String, Value>;

/// The payment of an answer, with or without its wrapper, and the odd spellings in it.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) fields: PaymentFields,
    pub(super) is_wrapped: bool,
    pub(super) odd: Vec<String>,
}

pub(super) fn read(text: &str) -> Option<Reading> {
    let mut answer: Value = serde_json::from_str(&with_texts_for_numbers(text)).ok()?;
    let raw: Value = serde_json::from_str(text).ok()?;
    let mut odd = Vec::new();
    name_odd(&raw, &mut odd);
    clean(&mut answer);
    let wrapped = answer.get_mut("paymentInfo").map(Value::take);
    let is_wrapped = wrapped.is_some();
    match wrapped.unwrap_or(answer) {
        Value::Object(fields) => Some(Reading { fields, is_wrapped, odd }),
        _ => None,
    }
}

/// An amount keeps its own digits: as a float it could be another one.
fn with_texts_for_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let (mut is_text, mut is_escaped, mut is_number) = (false, false, false);
    for character in text.chars() {
        let belongs = matches!(character, '0'..='9' | '.' | 'e' | 'E' | '+' | '-');
        if is_number && !belongs {
            out.push('"');
            is_number = false;
        } else if !is_text && !is_number && matches!(character, '0'..='9' | '-') {
            out.push('"');
            is_number = true;
        }
        out.push(character);
        if is_escaped {
            is_escaped = false;
        } else if is_text && character == '\\' {
            is_escaped = true;
        } else if character == '"' {
            is_text = !is_text;
        }
    }
    if is_number {
        out.push('"');
    }
    out
}

/// The fields that are whole numbers: times in seconds, minutes, and numbers of blocks.
pub(super) fn is_whole(name: &str) -> bool {
    ["At", "Minutes", "onfirmations"].iter().any(|end| name.ends_with(end))
}

/// What is null or empty is missing, and a time is a number.
fn clean(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null() && *value != "");
            for (name, value) in fields {
                let number =
                    value.as_str().filter(|_| is_whole(name)).and_then(|text| text.parse::<u64>().ok());
                if let Some(number) = number {
                    *value = number.into();
                }
                clean(value);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(clean),
        _ => {}
    }
}

fn name_odd(raw: &Value, odd: &mut Vec<String>) {
    let named = raw.as_object().into_iter().flatten();
    for (name, value) in named {
        match value {
            Value::Number(_) if !is_whole(name) => odd.push(format!("{name} is a number")),
            Value::String(text) if is_whole(name) && !text.is_empty() => {
                odd.push(format!("{name} is a text"));
            }
            Value::Object(_) if ["paymentInfo", "refund"].contains(&name.as_str()) => name_odd(value, odd),
            Value::Array(values) if name == "deposits" => values.iter().for_each(|one| name_odd(one, odd)),
            _ => {}
        }
    }
}

/// With what a server may leave out, because it decides nothing.
pub(super) fn complete(fields: &PaymentFields) -> Value {
    let mut payment = json!({
        "processorType": "BLOCKCHAIN", "locale": "en-US", "actualDepositAmount": "0", "actualDisplayAmount": "0", "deposits": [],
    });
    extend(&mut payment, fields);
    let is_paid = matches!(payment["status"].as_str(), Some("DEPOSITED" | "OVERPAID"));
    let status = if is_paid { "CONFIRMED" } else { "UNCONFIRMED" };
    for deposit in payment["deposits"].as_array_mut().into_iter().flatten() {
        let mut whole = json!({"fromAddress": "", "onChainFee": "0", "status": status});
        if let Value::Object(fields) = &deposit {
            extend(&mut whole, fields);
            *deposit = whole;
        }
    }
    payment
}

fn extend(value: &mut Value, fields: &PaymentFields) {
    if let Value::Object(all) = value {
        all.extend(fields.clone());
    }
}

/// As the module of the page gets it.
pub(super) fn payment(fields: &PaymentFields) -> Result<Payment, String> {
    serde_json::from_value(complete(fields)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_other_servers_write_is_read() {
        let check = |text: &str, expected: Value| {
            let read = read(text).map(|reading| Value::Object(reading.fields));
            assert_eq!(read, Some(expected), "{text}");
        };
        check(r#"{"a": "1"}"#, json!({"a": "1"}));
        check(r#"{"a": 0.10000000000000000001}"#, json!({"a": "0.10000000000000000001"}));
        check(r#"{"a": -1e-8, "b": [1, {"c": 2}]}"#, json!({"a": "-1e-8", "b": ["1", {"c": "2"}]}));
        check(r#"{"a": "say \"7\" 8", "b": "\\", "c": 9}"#, json!({"a": "say \"7\" 8", "b": "\\", "c": "9"}));
        check(r#"{"a": null, "b": "", "c": true}"#, json!({"c": true}));
        check(
            r#"{"readAt": 7, "sentAt": "8", "expirationMinutes": "30", "confirmations": 1, "requiredConfirmations": "3"}"#,
            json!({"readAt": 7, "sentAt": 8, "expirationMinutes": 30, "confirmations": 1, "requiredConfirmations": 3}),
        );
        check(r#"{"readAt": 7.5}"#, json!({"readAt": "7.5"}));
        check(r#"{"paymentInfo": {"a": 1}, "rate": 2}"#, json!({"a": "1"}));
        for wrong in ["", "null", "[]", "7", "{", "<html>"] {
            assert!(read(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn the_examples_of_the_page_are_payments() {
        let page = include_str!("../../../../docs/contract.md");
        let blocks = page.split("\n\n").filter(|block| block.starts_with("    {\"paymentId\""));
        let status = |block: &str| {
            let Reading { fields, odd, .. } = read(block).unwrap_or_else(|| panic!("{block}"));
            assert_eq!(odd, [""; 0], "{block}");
            payment(&fields).expect(block).status.as_str().to_owned()
        };
        assert_eq!(blocks.map(status).collect::<Vec<_>>(), ["NEW", "PENDING", "OVERPAID"]);
    }

    #[test]
    fn odd_spellings_are_named() {
        let text =
            r#"{"amount": 5, "readAt": "7", "deposits": [{"fee": 1}], "points": {"x": 1}, "sentAt": 7}"#;
        let mut odd = read(text).unwrap().odd;
        odd.sort_unstable();
        assert_eq!(odd, ["amount is a number", "fee is a number", "readAt is a text"]);
    }
}
