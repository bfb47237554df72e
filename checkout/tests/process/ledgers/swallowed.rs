//! A server takes the transaction of a withdrawal and loses it. It is signed again once no ledger can include it, also when the
//! gateway dies meanwhile, and the recipient is paid once.

use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use checkout_chain_doubles::{Horizon, Rippled, SignerServer};
use checkout_chain_stellar::Key as StellarKey;
use checkout_chain_xrp::Key as XrpKey;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::runtime::Runtime;

use super::{OURS, Order};
use crate::support::eventually;

const XRP_SEED: &str = "sEdTM1uX8pu2do5XvTnutH6HsouMaM2";
const XRP_RECIPIENT: &str = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";
const XLM_OURS: &str = "GDAO7QLKQJFKNJN6OYBG6LCXEQD3TXBC2WGXX7J7AN5LGXMKDOHOYQ6M";
const XLM_SEED: &str = "SAAZIQLXORXE4VVQ5CHS4BU2LTVOWYWLATOZAHDFPGIRDL6A4RNONRS3";
const XLM_RECIPIENT: &str = "GC2KB7QT6KKBRYOYPUJVCPGNFHR4TBY4XLUPKZ24YATPXOSTU7K67WI7";
const RATES: &str = r#"{"XRP": {"EUR": 0.2, "USD": 0.22}, "XLM": {"EUR": 0.2, "USD": 0.22}}"#;

/// A network that a test controls.
struct Ledgers<'a> {
    /// Whether submitted transactions are lost.
    lose: &'a dyn Fn(bool),
    close: &'a dyn Fn(u32),
    /// The transactions to the recipient.
    received: &'a dyn Fn() -> Vec<String>,
}

/// `life`: ledgers after which a payment has expired.
fn pays_once(mut order: Order, currency: &str, recipient: &str, life: u32, ledgers: &Ledgers<'_>) {
    let body = json!({
        "clientWithdrawalId": "w-1", "recipientAddress": recipient, "withdrawCurrency": currency, "network": currency,
        "displayCurrency": "EUR", "targetAmountPolicy": "CRYPTO", "targetAmount": "20", "withdrawalAccount": "FIAT"
    });
    (ledgers.lose)(true);
    order.restart("broadcast.after/1");
    // The first rates arrive a moment after the start.
    eventually("it is submitted", || {
        let answer = order.gateway.try_call("POST", "/api/v1/withdrawals", &body);
        assert!(answer.as_ref().is_none_or(|(status, _)| matches!(status, 200 | 201 | 503)), "{answer:?}");
        !order.gateway.is_running()
    });

    // The next one finds the payment expired, signs again, and dies before it sends that.
    (ledgers.close)(life);
    (ledgers.lose)(false);
    order.restart("broadcast.before/2");
    eventually("it is signed again", || !order.gateway.is_running());
    assert!((ledgers.received)().is_empty());

    order.restart("");
    eventually("it is sent", || {
        sleep(Duration::from_millis(400));
        (ledgers.close)(1);
        !(ledgers.received)().is_empty()
    });
    let status = || order.column("SELECT status FROM withdrawals");
    eventually("it counts as sent", || status() != ["NEW"]);
    (ledgers.close)(life);
    sleep(Duration::from_secs(2));
    assert_eq!((ledgers.received)().len(), 1);
    assert_eq!(order.column("SELECT transaction_id FROM payouts"), (ledgers.received)());
    assert_eq!(status(), ["COMPLETED"]);
}

#[test]
fn a_withdrawal_of_xrp_that_a_server_lost_is_sent_once() {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(Rippled::start());
    let key = Arc::new(XrpKey::from_seed(XRP_SEED).unwrap());
    server.ledger().fund(OURS, 100_000_000);
    server.ledger().fund(&key.account(), 100_000_000);
    let public = hex::encode_upper(key.public());
    let signer = runtime.block_on(SignerServer::start(move |message| Some(key.sign(message))));
    let section = format!(
        "url = \"{}\"\npoll_seconds = 1\nsigner_url = \"{}\"\nsigner_public_key = \"{public}\"",
        server.url, signer.url
    );
    let order = Order::new("XRP", &section, OURS, RATES, &json!({"depositCurrency": "XRP"}));
    let tag: u32 = order.quote["destinationTag"].as_str().unwrap().parse().unwrap();
    let tx = json!({"Destination": OURS, "DestinationTag": tag, "Amount": "100000000"});
    server.ledger().put(tx, json!({"delivered_amount": "100000000"}));
    server.ledger().close();
    eventually("the payment is paid", || order.payment()["status"] == "DEPOSITED");
    let received = || {
        let ledger = server.ledger();
        let to = |tx: &serde_json::Map<String, Value>| tx["Destination"] == XRP_RECIPIENT;
        ledger.validated.iter().filter(|entry| to(&entry.tx)).map(|entry| entry.hash.clone()).collect()
    };
    let ledgers = Ledgers {
        lose: &|does| server.ledger().forgets = does,
        close: &|count| server.ledger().close_many(count),
        received: &received,
    };
    pays_once(order, "XRP", XRP_RECIPIENT, 21, &ledgers);
}

#[test]
fn a_withdrawal_of_xlm_that_a_server_lost_is_sent_once() {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(Horizon::start());
    let key = Arc::new(StellarKey::from_seed(XLM_SEED).unwrap());
    let account = key.account();
    server.ledger().fund(XLM_OURS, 100_000_000);
    server.ledger().fund(&account, 1_000_000_000);
    let signer = runtime
        .block_on(SignerServer::start(move |message| Some(key.sign(&Sha256::digest(message)).to_vec())));
    let section = format!(
        "url = \"{}\"\npoll_seconds = 1\nsigner_url = \"{}\"\nsigner_account = \"{account}\"",
        server.url, signer.url
    );
    let order = Order::new("XLM", &section, XLM_OURS, RATES, &json!({"depositCurrency": "XLM"}));
    let operation = json!({
        "type": "payment", "type_i": 1, "asset_type": "native", "to": XLM_OURS, "amount": "100.0000000",
        "from": "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ"
    });
    let memo = json!({"memo_type": "id", "memo": order.quote["destinationTag"]});
    server.ledger().put(operation, vec![], memo);
    server.ledger().close();
    eventually("the payment is paid", || order.payment()["status"] == "DEPOSITED");
    let received = || {
        let ledger = server.ledger();
        let to =
            |operation: &Value| operation["to"] == XLM_RECIPIENT || operation["account"] == XLM_RECIPIENT;
        let all = ledger.operations.iter().filter(|operation| to(&operation.fields));
        all.map(|operation| operation.hash.clone()).collect()
    };
    let ledgers = Ledgers {
        lose: &|does| server.ledger().forgets = does,
        close: &|count| server.ledger().close_many(count),
        received: &received,
    };
    pays_once(order, "XLM", XLM_RECIPIENT, 49, &ledgers);
}
