use checkout_core::wire::payment::{Deposit, Refund};
use checkout_core::wire::update_payment::UpdatedPayment;
use serde_json::{Value, json};

use super::*;

impl Node for Value {
    fn field(&self, name: &str) -> Option<Self> {
        self.get(name).filter(|value| !value.is_null()).cloned()
    }

    fn text(&self) -> Option<String> {
        self.as_str().map(ToOwned::to_owned)
    }

    fn whole(&self) -> Option<u64> {
        self.as_u64()
    }

    fn flag(&self) -> Option<bool> {
        self.as_bool()
    }

    fn list(&self) -> Option<Vec<Self>> {
        self.as_array().cloned()
    }
}

/// Every field that the wire knows.
fn full() -> Payment {
    let refund = Refund {
        kind: RefundType::Partial,
        status: RefundStatus::Confirmed,
        reason: RefundReason::Overpayment,
        amount: "0.001".into(),
        fee: "0.00001".into(),
        display_currency: "EUR".into(),
        display_amount: "60.00".into(),
        display_fee: "0.60".into(),
        transaction_id: Some("ab".repeat(32)),
        confirmed_at: Some(1_700_000_900),
    };
    let deposit = Deposit {
        id: "0198c5a4-6f0e-7cc1-9c8f-0d4f5a1b2c3d".into(),
        deposit_amount: "0.005".into(),
        deposit_currency: "BTC".into(),
        deposit_received_at: 1_700_000_300,
        display_amount: "300.00".into(),
        display_currency: "EUR".into(),
        status: DepositStatus::Confirmed,
        from_address: "1BoatSLRHtKNngkdXEeobR76b53LETtpyT".into(),
        to_address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4".into(),
        transaction_id: "cd".repeat(32),
        on_chain_fee: "0.00002".into(),
        refund: Some(refund),
    };
    Payment {
        payment_id: "p1".into(),
        client_payment_id: "order-1".into(),
        business_id: "b1".into(),
        status: PaymentStatus::Overpaid,
        kind: PaymentType::OneTime,
        rate_type: RateType::Fixed,
        processor_type: "BLOCKCHAIN".into(),
        locale: "en-US".into(),
        display_currency: "EUR".into(),
        deposit_currency: Some("BTC".into()),
        expected_network: Some("BTC".into()),
        expected_deposit_amount: Some("0.004".into()),
        expected_display_amount: Some("240.00".into()),
        expected_uniform_amount: Some("240.00".into()),
        actual_deposit_amount: "0.005".into(),
        actual_display_amount: "300.00".into(),
        actual_uniform_amount: Some("300.00".into()),
        expiration_minutes: 30,
        payment_initiated_at: 1_700_000_000,
        payment_requested_at: Some(1_700_000_010),
        wallet_address: Some("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4".into()),
        deposits: vec![deposit],
        redirect_url: Some("https://shop.example/thanks".into()),
        overpayment_policy: Some(OverpaymentPolicy::ExcessRefund),
        refund_follow_up_deposits_for_one_time_payments: Some(true),
        destination_tag: Some("104729".into()),
    }
}

/// Only what must be there.
fn bare() -> Payment {
    Payment {
        deposit_currency: None,
        expected_network: None,
        expected_deposit_amount: None,
        expected_display_amount: None,
        expected_uniform_amount: None,
        actual_uniform_amount: None,
        payment_requested_at: None,
        wallet_address: None,
        deposits: Vec::new(),
        redirect_url: None,
        overpayment_policy: None,
        refund_follow_up_deposits_for_one_time_payments: None,
        destination_tag: None,
        ..full()
    }
}

fn view() -> CheckoutView {
    let option = |network: &str, estimate: Option<&str>| DepositOption {
        currency: "USDT".into(),
        network: network.into(),
        estimated_amount: estimate.map(Into::into),
    };
    CheckoutView {
        payment: full(),
        merchant_name: "Kettle & Leaf".into(),
        allowed_origins: vec!["https://shop.example".into(), "http://127.0.0.1:8081".into()],
        options: vec![option("TRX", Some("268.5")), option("ETH", None)],
        sandbox: true,
    }
}

fn written(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

#[test]
fn what_the_wire_types_write_is_read_back() {
    for expected in [full(), bare()] {
        assert_eq!(payment(written(&expected)), Some(expected.clone()));
        let answer = UpdatedPayment { payment_info: expected.clone() };
        assert_eq!(updated_payment(written(&answer)), Some(expected));
    }
    assert_eq!(checkout_view(written(&view())), Some(view()));
}

#[test]
fn absent_and_null_are_the_same() {
    let mut node = written(&full());
    for (name, value) in node.as_object_mut().unwrap() {
        if written(&bare()).get(name).is_none() {
            *value = Value::Null;
        }
    }
    node["deposits"] = json!([]);
    assert_eq!(payment(node), Some(bare()));
    let mut node = written(&view());
    node.as_object_mut().unwrap().remove("allowedOrigins");
    node.as_object_mut().unwrap().remove("sandbox");
    let expected = CheckoutView { allowed_origins: Vec::new(), sandbox: false, ..view() };
    assert_eq!(checkout_view(node), Some(expected));
}

#[test]
fn unknown_fields_and_words_of_a_newer_gateway_are_no_fault() {
    let mut node = written(&full());
    node["ltc3Address"] = json!("3…");
    node["status"] = json!("ON_HOLD");
    let expected = Payment { status: PaymentStatus::Other("ON_HOLD".into()), ..full() };
    assert_eq!(payment(node), Some(expected));
}

/// Spoils every field of every object, one at a time, and asks serde what it thinks of it.
#[test]
fn reader_and_serde_agree_on_every_spoiled_answer() {
    let mut spoiled = 0;
    let spoils = [
        json!(null),
        json!(true),
        json!(1.5),
        json!(-1),
        json!(u64::from(u32::MAX) + 1),
        json!("text"),
        json!([]),
        json!({}),
        json!(["text"]),
    ];
    for pointer in pointers(&written(&view()), "") {
        for spoil in &spoils {
            let mut node = written(&view());
            *node.pointer_mut(&pointer).unwrap() = spoil.clone();
            // serde takes `null` for a list that may be missing as a fault; for us it is missing.
            if pointer == "/allowedOrigins" && spoil.is_null() || pointer == "/sandbox" && spoil.is_null() {
                continue;
            }
            let expected = serde_json::from_value::<CheckoutView>(node.clone()).ok();
            // serde reads a list as a struct of its fields in order; nobody writes that.
            let expected = expected.filter(|_| !spoil.is_array() || pointer.ends_with('s'));
            assert_eq!(checkout_view(node), expected, "{pointer} = {spoil}");
            spoiled += 1;
        }
        let mut node = written(&view());
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        if let Some(parent) = node.pointer_mut(parent).and_then(Value::as_object_mut) {
            parent.remove(name);
            let expected = serde_json::from_value::<CheckoutView>(node.clone()).ok();
            assert_eq!(checkout_view(node), expected, "without {pointer}");
        }
    }
    assert!(spoiled > 400, "{spoiled}");
}

fn pointers(node: &Value, at: &str) -> Vec<String> {
    let children: Vec<(String, &Value)> = match node {
        Value::Object(fields) => fields.iter().map(|(name, value)| (format!("{at}/{name}"), value)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, value)| (format!("{at}/{index}"), value)).collect()
        }
        _ => Vec::new(),
    };
    children.iter().flat_map(|(at, value)| [vec![at.clone()], pointers(value, at)].concat()).collect()
}
