//! What the page reads of an answer: the same as `serde_json`, whatever the answer is.

use checkout_widget::host::HostMessage;
use checkout_widget::json::{Read, read};
use checkout_widget::page_data::{Found, LanguageData, PageData};
use checkout_widget::words::find;
use checkout_wire::checkout_view::{CheckoutView, TestNetwork};
use checkout_wire::payment::{PaymentStatus, RefundStatus};
use checkout_wire::update_payment::UpdatedPayment;
use serde::Serialize;
use serde_json::{Value, json};

use crate::payments::{counted, new, overpaid, paid, partial, pending_xrp, seen, view, with};

#[test]
fn what_the_gateway_writes_is_read() {
    fn check<T: Serialize + Read + PartialEq + core::fmt::Debug>(written: &T) {
        let text = serde_json::to_string(written).expect("JSON");
        assert_eq!(read::<T>(&text).as_ref(), Some(written), "{text}");
    }
    let payments = [
        new(),
        seen(),
        partial(),
        paid(),
        pending_xrp(),
        overpaid(Some(RefundStatus::Confirmed)),
        overpaid(None),
    ];
    for payment in payments {
        check(&UpdatedPayment { payment_info: payment.clone(), rate: None });
        check(&counted(payment, &[(1, 12)]));
    }
    let test_networks = vec![TestNetwork {
        network: "ETH".into(),
        name: "Sepolia".into(),
        own_addresses: true,
        chain_id: Some(11_155_111),
    }];
    check(&CheckoutView {
        test_networks,
        sandbox: true,
        ..view(with(new(), PaymentStatus::New, Vec::new()))
    });
    for found in [Found::View(Box::new(view(paid()))), Found::Nothing, Found::Unavailable] {
        check(&PageData {
            server_time: u64::MAX,
            found,
            language: LanguageData::of(find(&[Some("ja-JP")]), true),
        });
    }
}

#[test]
fn fields_of_a_newer_gateway_are_ignored_and_anything_else_is_refused() {
    let valid = serde_json::to_value(view(partial())).expect("JSON");
    let with = |pointer: &str, value: Value| {
        let mut changed = valid.clone();
        let (object, name) = pointer.rsplit_once('/').expect("a pointer");
        changed.pointer_mut(object).expect("an object")[name] = value;
        changed
    };
    let check = |value: Value, readable: bool| {
        let text = value.to_string();
        let one = serde_json::from_str::<CheckoutView>(&text).ok();
        assert_eq!((read(&text), one.is_some()), (one, readable), "{text}");
    };
    check(with("/payment/newer", json!({"of": ["any", 1.5, null]})), true);
    check(with("/payment/status", json!("NEWER")), true);
    check(with("/rate", Value::Null), true);
    check(with("/payment/deposits", json!([])), true);
    check(with("/claims", json!([])), true);
    check(with("/claims", Value::Null), false);
    check(with("/transferVanished", Value::Null), false);
    check(with("/payment/deposits/0/refund", json!({})), false);
    check(with("/payment/status", json!(1)), false);
    check(with("/payment/status", Value::Null), false);
    check(with("/payment/deposits", json!({})), false);
    check(with("/payment/deposits", json!([{}])), false);
    check(with("/payment/expirationMinutes", json!(-1)), false);
    check(with("/payment/expirationMinutes", json!(1.5)), false);
    check(with("/payment/expirationMinutes", json!(u64::MAX)), false);
    check(with("/payment/expirationMinutes", json!("15")), false);
    check(with("/sandbox", json!("yes")), false);
    check(with("/payment", json!([])), false);
    for whole in [Value::Null, json!("text"), json!(1), json!({})] {
        check(whole, false);
    }
    for text in ["", "{", "<html>", "{\"payment\":", "[]x"] {
        assert_eq!(read::<CheckoutView>(text), None, "{text}");
    }
}

#[test]
fn a_message_has_all_its_fields() {
    let check = |text: &str, expected: Option<&str>| {
        assert_eq!(read::<HostMessage>(text).map(|message| message.kind).as_deref(), expected, "{text}");
    };
    let whole = r#"{"protocol":"crypto-checkout","version":1,"instance":"i","type":"hello","origin":"https://liar.example"}"#;
    check(whole, Some("hello"));
    assert_eq!(read::<HostMessage>(whole).expect("a message").origin, "", "the browser says it");
    check(r#"{"protocol":"crypto-checkout","version":1,"instance":"i"}"#, None);
    check(r#""hello""#, None);
}
