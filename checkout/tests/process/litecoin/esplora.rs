//! The gateway without a node: an Esplora server over `litecoind`.

use checkout_chain_doubles::{Esplora, Fault};
use serde_json::{Value, json};

use super::shop::{LITECOIN, Shop};
use crate::gateway::run;
use crate::support::eventually;

#[test]
fn a_payment_through_an_esplora_server() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let shop = Shop::open(&LITECOIN, "");
    let server = runtime.block_on(Esplora::start(shop.node.rpc()));
    let section = format!("esplora = \"{}\"\npoll_seconds = 1\nrequests_per_second = 50\n", server.url);
    shop.replace_section(&section);
    let checks = run(&["chains", "check", "--config", shop.config()]);
    let said = String::from_utf8(checks.stdout).unwrap();
    assert!(checks.status.success() && said.contains("LTC  ok       network        LTC regtest"), "{said}");
    assert!(said.contains("LTC  warning  payouts"), "{said}");

    let gateway = shop.gateway();
    let (id, address, amount) = shop.order(&gateway, "order-1", "40");
    assert!(said.contains(&format!("the first address is {address}")), "{said}");
    let transaction = shop.node.send(&address, &amount);
    eventually("the transfer is seen", || gateway.payment(&id)["status"] == "AWAITING");
    assert_eq!(gateway.payment(&id)["deposits"][0]["transactionId"], json!(transaction));
    shop.confirm_twice(&gateway, &id);

    let ready = |expected: u16| gateway.call("GET", "/readyz", &Value::Null).0 == expected;
    server.set_fault(Fault::Down);
    eventually("the gateway is not ready", || ready(503));
    assert_eq!(gateway.payment(&id)["status"], "DEPOSITED", "an error removes nothing");
    server.set_fault(Fault::None);
    eventually("the network is back", || ready(200));

    // During downtime, and to an address of another payment.
    let (other, address, amount) = shop.order(&gateway, "order-2", "80");
    gateway.stop("-KILL");
    shop.node.send(&address, &amount);
    shop.node.mine(3);
    let gateway = shop.gateway();
    eventually("the transfer during downtime counts", || gateway.payment(&other)["status"] == "DEPOSITED");
    assert_eq!(gateway.payment(&id)["deposits"].as_array().unwrap().len(), 1);
    eventually("each deposit has its callback", || shop.inbox.count() == 2);
}
