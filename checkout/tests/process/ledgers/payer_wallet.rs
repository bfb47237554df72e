//! A wallet in the payer's browser signs on TRON, and the gateway sends.

use checkout_chain_doubles::TronGrid;
use checkout_chain_doubles::trongrid::chain::USDT;
use checkout_chain_tron::{Key, account};
use checkout_domain::ports::clock::Clock as _;
use checkout_domain::ports::system_clock::SystemClock;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::runtime::Runtime;

use super::{Order, TRON_KEY, USDT_RATES};
use crate::support::eventually;

#[test]
fn a_signed_transaction_pays_once() {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(TronGrid::start());
    server.chain().set_time(SystemClock.now_millis());
    let section = format!("url = \"{}\"\npoll_seconds = 0", server.url);
    let choice = json!({"depositCurrency": "USDT", "network": "TRX"});
    let order = Order::new("TRX", &section, TRON_KEY, USDT_RATES, &choice);
    let (path, query) = order.link.split_once('?').unwrap();
    let route = format!("{path}/wallet?{query}");
    let ask = |more: &str| -> Value {
        serde_json::from_str(&order.gateway.text(&format!("{route}{more}"))).expect("it is JSON")
    };
    let send = |unsigned: &str, signature: &str| {
        let sent = order.gateway.form(&route, &format!("unsigned={unsigned}&signature={signature}"));
        sent["state"].as_str().unwrap().to_owned()
    };

    // Before an account is known.
    let payment = &ask("")["payment"];
    assert_eq!((&payment["chainId"], &payment["atoms"]), (&json!("0x2b6653dc"), &json!("0x2625a00")));
    assert_eq!((&payment["unsigned"], &payment["obstacle"]), (&Value::Null, &Value::Null));
    let text = &ask("&account=nonsense")["payment"];
    assert_eq!((&text["unsigned"], &text["obstacle"]), (&Value::Null, &Value::Null));

    let key = Key::from_secret(&[7; 32]).unwrap();
    let owner = account::to_text(key.account());
    let look = || ask(&format!("&account={owner}"))["payment"].clone();
    assert_eq!(look()["obstacle"], "tooLittle");
    server.chain().give(&account::to_hex(key.account()), USDT, 100_000_000);
    assert_eq!(look()["obstacle"], "noFee");
    server.chain().fund(&account::to_hex(key.account()), 100_000_000);

    let unsigned = look()["unsigned"].as_str().expect("it can pay").to_owned();
    let bytes = hex::decode(&unsigned).unwrap();
    let signature = hex::encode(key.sign(&Sha256::digest(&bytes).into()));
    assert_eq!(send(&unsigned, &"11".repeat(65)), "NOT_SENT");
    assert_eq!(send(&unsigned.replace("2625a00", "0000001"), &signature), "NOT_SENT");
    assert!(!server.chain().waits());
    assert_eq!(send(&unsigned, &signature), "SENT");
    assert_eq!(send(&unsigned, &format!("0x{signature}")), "SENT", "the network has it");
    // Its block leaves the chain, and the next one has it again.
    server.chain().produce();
    eventually("it is seen", || order.payment()["status"] == "AWAITING");
    server.chain().reorganise(1, &[]);
    eventually("it is gone", || order.payment()["status"] == "PENDING");
    assert_eq!(look()["unsigned"], unsigned, "it may come back");
    for _ in 0..20 {
        server.chain().close();
    }
    eventually("the payment is paid", || order.payment()["status"] == "DEPOSITED");
    assert_eq!(order.payment()["actualDepositAmount"], "40");

    // What is paid asks for nothing.
    assert_eq!(ask(&format!("&account={owner}"))["payment"], Value::Null);
    assert_eq!(send(&unsigned, &signature), "NOT_SENT");
}
