//! `POST /api/v1/payments/{id}/refunds`: the merchant gives a payer money back.

use std::sync::Arc;

use axum::http::StatusCode;
use checkout_core::{Currency, decimal};
use serde_json::{Value, json};

use super::golden::check_fields;
use super::merchant_refund_stage::{BTC, EVM, check_refused, paid, refunding_excess, words, world};
use super::{World, over};
use crate::fixture::Look as _;

const XRP: &str = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";
const TOKEN_CONTRACT: &str = "0xdAC17F958D2ee523a2206206994597C13D831ec7";

#[tokio::test]
async fn a_paid_order_is_refunded_as_a_whole_and_the_merchant_pays_the_fee() {
    let world = world().await;
    let id = paid(&world).await;
    let before = world.balances().await;
    let refund = world.refunded(&id, json!({"address": BTC})).await;
    let own =
        ["clientRefundId", "withdrawalAccount", "settlementCurrency", "settlementDeductedAmount", "address"];
    check_fields(&refund, "ListedRefund", &own);
    assert_eq!(words(&refund), ["PENDING", "-", "0.00166667", BTC]);
    let have =
        ["fee", "feePaidBy", "settlementCurrency", "settlementDeductedAmount", "displayAmount", "displayFee"];
    let have = have.map(|name| refund[name].as_str().unwrap());
    assert_eq!(have, ["0.00003", "MERCHANT", "BTC", "0.00169667", "100.00", "1.80"]);
    assert_eq!(world.balances().await["REFUNDS BTC"], "0.00169667", "it is reserved");
    assert_eq!(world.payment(&id).await["refunds"], json!([refund]));
    let page = world.get(&format!("/api/v1/checkout/{id}"), &world.token).await;
    assert_eq!((page.status, page.json["payment"].get("refunds")), (StatusCode::OK, None), "{}", page.json);
    world.run().await;
    let sent = world.refund_now(&refund).await;
    assert_eq!(sent["status"], "PENDING", "it is in no block");
    assert!(sent["transactionId"].is_string());
    assert_eq!(world.sent().await, [(BTC.to_owned(), None, "166667".to_owned())]);
    world.mine("BTC").await;
    world.run().await;
    let done = world.refund_now(&refund).await;
    assert_eq!((done["status"].as_str(), done["confirmedAt"].is_number()), (Some("CONFIRMED"), true));
    let after = world.balances().await;
    assert!(!after.contains_key("REFUNDS BTC"), "{after:?}");
    assert_eq!(after["COSTS BTC"], "0.00003");
    let units = |text: &str| decimal::parse(text, 8).unwrap();
    assert_eq!(units(&before["CRYPTO BTC"]) - units(&after["CRYPTO BTC"]), units("0.00169667"));
    let payment = world.payment(&id).await;
    assert_eq!(payment["status"], "DEPOSITED", "the order stays paid");
    assert_eq!(payment["refunds"], json!([done]), "the payment shows it as it is");
    check_refused(&world.refund(&id, json!({"clientRefundId": "r-2"})).await, 409, "nothing_to_refund");
    assert_eq!(world.withdraw_list().await, json!([]), "it is no withdrawal");
    assert_eq!(world.database.count("SELECT COUNT(*) FROM callbacks WHERE kind LIKE 'WITHDRAWAL%'").await, 0);
}

impl World {
    async fn withdraw_list(&self) -> Value {
        self.get("/api/v1/withdrawals", &self.token).await.json
    }
}

/// A double click, a retry after a lost answer.
#[tokio::test]
async fn the_same_refund_again_is_the_same_refund() {
    let world = world().await;
    let id = paid(&world).await;
    let first = world.refunded(&id, json!({"amount": "0.001", "address": BTC})).await;
    for fields in [json!({"amount": "0.001", "address": BTC}), json!({"amount": "0.0010", "address": BTC})] {
        let again = world.refund(&id, fields).await;
        assert_eq!((again.status, &again.json), (StatusCode::OK, &first));
    }
    let other = world.deposit("order-2", "100.00").await;
    for (payment, fields) in [
        (&id, json!({"amount": "0.001"})),
        (&id, json!({"amount": "0.0011", "address": BTC})),
        (&id, json!({"address": BTC})),
        (&other, json!({"amount": "0.001", "address": BTC})),
    ] {
        check_refused(&world.refund(payment, fields).await, 409, "client_refund_id_taken");
    }
    let withdrawal =
        world.withdraw(json!({"clientWithdrawalId": "r-1", "withdrawalAccount": "CRYPTO"})).await;
    assert_eq!(withdrawal.status, 201, "ids of withdrawals are others: {}", withdrawal.json);
    world.run().await;
    let again = world.refund(&id, json!({"amount": "0.001", "address": BTC})).await;
    assert_eq!(
        (again.status, again.json["transactionId"].is_string()),
        (StatusCode::OK, true),
        "as it is now"
    );
    assert_eq!(world.sent().await.len(), 2);
}

/// Fifty operators press at once.
#[tokio::test]
async fn refunds_at_once_never_exceed_what_was_paid() {
    let world = Arc::new(world().await);
    let id = world.deposit("order-1", "1000.00").await;
    let refund = |number: usize, client: String, amount: &'static str| {
        let (world, id) = (Arc::clone(&world), id.clone());
        tokio::spawn(async move {
            let fields = json!({"clientRefundId": client, "amount": amount, "address": BTC});
            (number, world.refund(&id, fields).await)
        })
    };
    // Half of them are the same request.
    let tasks = (0..50).map(|number| {
        let client = if number % 2 == 0 { "same".to_owned() } else { format!("r-{number}") };
        refund(number, client, "0.0041")
    });
    let tasks: Vec<_> = tasks.collect();
    let mut made = 0;
    for task in tasks {
        let (_, answer) = task.await.unwrap();
        made += usize::from(answer.status == 201);
        if answer.status != 201 && answer.status != 200 {
            check_refused(&answer, 422, "above_refundable");
        }
    }
    assert_eq!(made, 4, "0.0164 of 0.01666667 BTC");
    world.refunded(&id, json!({"clientRefundId": "rest", "address": BTC})).await;
    world.run().await;
    assert_eq!(world.sent().await.len(), 5);
}

/// An order of a few euros: the minimum of withdrawals is 30 EUR, the fee 1.80 EUR.
#[tokio::test]
async fn a_small_order_is_refunded() {
    let world = world().await;
    for (price, amount, expected) in [
        ("25.00", None, "201 0.00041667"),
        ("25.00", Some("0.00003001"), "201 0.00003001"),
        ("25.00", Some("0.00003"), "0.00003 BTC is less than 0.00003001 BTC"),
        ("2.00", None, "201 0.00003334"),
        ("1.80", None, "0.00003 BTC is less than 0.00003001 BTC"),
    ] {
        let client = format!("{price} {amount:?}");
        let id = world.deposit(&client, price).await;
        let mut fields = json!({"clientRefundId": client, "address": BTC});
        if let Some(amount) = amount {
            fields["amount"] = json!(amount);
        }
        let answer = world.refund(&id, fields).await;
        let made =
            answer.json["amount"].as_str().map(|amount| format!("{} {amount}", answer.status.as_u16()));
        let have = made.unwrap_or_else(|| answer.json["errors"][0]["detail"].as_str().unwrap().to_owned());
        assert_eq!(have, expected, "{client}: {}", answer.json);
    }
    world.run().await;
    assert_eq!(world.sent().await.len(), 3);
}

/// The automatic refund of the excess is no part of the rest.
#[tokio::test]
async fn the_rest_after_an_automatic_refund() {
    let world = World::settling("1", Currency::Btc, refunding_excess()).await;
    world.deposit("float", "5000.00").await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.00266667").await;
    world.mine("BTC").await;
    let refund = world.refunded(&id, json!({"address": BTC})).await;
    assert_eq!(refund["amount"], "0.00166667", "0.001 goes back automatically");
    world.run().await;
    world.mine("BTC").await;
    world.run().await;
    let sent: u64 = world.sent().await.iter().map(|(_, _, atoms)| atoms.parse::<u64>().unwrap()).sum();
    assert_eq!(sent, 266_667 - 3000, "less the fee that the payer pays");
    check_refused(&world.refund(&id, json!({"clientRefundId": "r-2"})).await, 409, "nothing_to_refund");
    let reasons = async |query: &str| {
        let answer = world.get(&format!("/api/v1/refunds?{query}"), &world.token).await;
        assert_eq!(answer.status, 200, "{}", answer.json);
        let reason = |one: &Value| one["reason"].as_str().unwrap().to_owned();
        answer.json.as_array().unwrap().iter().map(reason).collect::<Vec<_>>()
    };
    assert_eq!(reasons(&format!("paymentId={id}")).await, ["MERCHANT", "OVERPAYMENT"]);
}

/// No sender is guessed: the refund waits, and its money with it.
#[tokio::test]
async fn a_refund_without_an_address_waits_for_one() {
    let world = world().await;
    let id = paid(&world).await;
    let refund = world.refunded(&id, json!({})).await;
    assert_eq!(words(&refund), ["PENDING", "ADDRESS", "0.00166667", "-"]);
    world.run().await;
    assert!(world.sent().await.is_empty());
    assert_eq!(world.balances().await["REFUNDS BTC"], "0.00169667");
    let own = world.payment(&id).await["walletAddress"].clone();
    for (address, status, code) in [
        (json!(own), 400, "own_address"),
        (json!(EVM), 422, "bad_address"),
        (json!("bc1q"), 422, "bad_address"),
    ] {
        let refused = world.decide_refund(&refund, "address", Some(json!({"address": address}))).await;
        check_refused(&refused, status, code);
    }
    check_refused(&world.decide_refund(&refund, "approve", None).await, 409, "refund_state");
    for _ in 0..2 {
        let given =
            world.decide_refund(&refund, "address", Some(json!({"address": BTC.to_ascii_uppercase()}))).await;
        assert_eq!((given.status, words(&given.json)[1]), (StatusCode::OK, "-"), "{}", given.json);
    }
    let sender = world.payment(&id).await["deposits"][0]["fromAddress"].clone();
    let other = world.decide_refund(&refund, "address", Some(json!({"address": sender}))).await;
    check_refused(&other, 409, "refund_state");
    world.run().await;
    assert_eq!(world.sent().await, [(BTC.to_owned(), None, "166667".to_owned())]);
    check_refused(&world.decide_refund(&refund, "cancel", None).await, 409, "refund_state");
}

#[tokio::test]
async fn a_cancelled_refund_is_back_on_the_balance() {
    let world = world().await;
    let id = paid(&world).await;
    let before = world.balances().await;
    for (client, fields) in [("a", json!({})), ("b", json!({"address": BTC}))] {
        let refund = world.refunded(&id, over(fields, json!({"clientRefundId": client}))).await;
        for _ in 0..2 {
            let cancelled = world.decide_refund(&refund, "cancel", None).await;
            assert_eq!((cancelled.status, words(&cancelled.json)[0]), (StatusCode::OK, "CANCELLED"));
        }
        assert_eq!(world.balances().await, before);
        let given = world.decide_refund(&refund, "address", Some(json!({"address": BTC}))).await;
        check_refused(&given, 409, "refund_state");
    }
    world.run().await;
    assert!(world.sent().await.is_empty());
    world.refunded(&id, json!({"clientRefundId": "c", "address": BTC})).await;
}

/// Wrong requests.
#[tokio::test]
async fn refused() {
    let world = world().await;
    let (open, _) = world.quoted(json!({"clientPaymentId": "open"}), "BTC", "BTC").await;
    check_refused(&world.refund(&open, json!({})).await, 409, "payment_open");
    world.pay(&open, "0.0005").await;
    world.mine("BTC").await;
    check_refused(&world.refund(&open, json!({})).await, 409, "payment_open");
    check_refused(&world.refund("00000000-0000-0000-0000-000000000000", json!({})).await, 404, "not_found");
    let id = paid(&world).await;
    let own = world.payment(&id).await["walletAddress"].clone();
    let before = world.balances().await;
    for (fields, code) in [
        (json!({"clientRefundId": null}), "required"),
        (json!({"amount": "0.00166668"}), "above_refundable"),
        (json!({"amount": "0"}), "zero"),
        (json!({"amount": "-1"}), "sign"),
        (json!({"amount": "0.000000001"}), "too_many_decimals"),
        (json!({"amount": "0.00000546"}), "below_minimum"),
        (json!({"amount": "0.001", "displayAmount": "1"}), "conflicting_amounts"),
        (json!({"displayAmount": "100.01"}), "above_refundable"),
        (json!({"displayAmount": "0.001"}), "too_many_decimals"),
        (json!({"currency": "ETH"}), "not_received"),
        (json!({"network": "LTC"}), "not_received"),
        (json!({"address": EVM}), "bad_address"),
        (json!({"destinationTag": "1"}), "required"),
        (json!({"withdrawalAccount": "FIAT"}), "insufficient_balance"),
        (json!({"withdrawalAccount": "HELD"}), "unknown_value"),
    ] {
        check_refused(&world.refund(&id, fields).await, 422, code);
    }
    check_refused(&world.refund(&id, json!({"address": own})).await, 400, "own_address");
    assert_eq!(world.balances().await, before);
    assert_eq!(world.database.count("SELECT COUNT(*) FROM withdrawals").await, 0);
}

/// The value in the display currency is that of now.
#[tokio::test]
async fn an_amount_by_its_value() {
    let world = world().await;
    let id = paid(&world).await;
    world.sandbox("rates", json!({"from": "BTC", "to": "EUR", "rate": "80000"})).await;
    let refund = world.refunded(&id, json!({"displayAmount": "80.00", "address": BTC})).await;
    assert_eq!((&refund["amount"], &refund["displayAmount"]), (&json!("0.001"), &json!("80.00")));
    let rest = world.refunded(&id, json!({"clientRefundId": "r-2", "address": BTC})).await;
    assert_eq!((&rest["amount"], &rest["displayAmount"]), (&json!("0.00066667"), &json!("53.33")));
}

/// A balance in EUR pays a refund in coins, by the rate of now; one that does not suffice pays nothing.
#[tokio::test]
async fn a_balance_settled_in_fiat_is_charged() {
    let world = World::new().await;
    let id = paid(&world).await;
    let short = world.refund(&id, json!({"address": BTC})).await;
    check_refused(&short, 422, "insufficient_balance");
    assert!(short.json["detail"].as_str().unwrap().contains("99.50 EUR are there"), "{}", short.json);
    world.deposit("float", "100.00").await;
    let refund = world.refunded(&id, json!({"address": BTC})).await;
    let have = ["withdrawalAccount", "settlementCurrency", "settlementDeductedAmount"]
        .map(|name| refund[name].as_str().unwrap());
    assert_eq!(have, ["FIAT", "EUR", "101.81"], "rounded up");
    world.run().await;
    let balances = world.balances().await;
    assert_eq!((balances["FIAT EUR"].as_str(), balances["CHAIN BTC"].as_str()), ("97.19", "-0.00166667"));
}

#[tokio::test]
async fn tags_are_kept_and_token_contracts_are_refused() {
    let world = World::new().await;
    world.deposit("float", "1000.00").await;
    let (id, _) = world.quoted(json!({}), "XRP", "XRP").await;
    let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    world.pay(&id, &amount).await;
    world.mine("XRP").await;
    let own = world.payment(&id).await["walletAddress"].clone();
    for (fields, status, code) in [
        (json!({"address": own, "destinationTag": "1"}), 400, "own_address"),
        (json!({"address": XRP, "destinationTag": "007"}), 422, "bad_tag"),
    ] {
        check_refused(&world.refund(&id, fields).await, status, code);
    }
    let refund = world.refunded(&id, json!({"address": XRP, "destinationTag": "7", "amount": "20"})).await;
    assert_eq!(refund["address"], format!("{XRP}?dt=7"));
    world.run().await;
    assert_eq!(world.sent().await, [(XRP.to_owned(), Some("7".to_owned()), "20000000".to_owned())]);
    let (id, _) = world.quoted(json!({"clientPaymentId": "order-2"}), "ETH", "ETH").await;
    let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    world.pay(&id, &amount).await;
    world.mine("ETH").await;
    let fields = json!({"clientRefundId": "r-2", "address": TOKEN_CONTRACT});
    check_refused(&world.refund(&id, fields).await, 422, "bad_address");
}
