//! A gateway on litecoind loses its database after it sent money that the backup does not know.

use serde_json::{Value, json};

use super::shop::{FINAL, LITECOIN, Shop};
use crate::gateway::{Gateway, run};
use crate::support::eventually;

fn withdraw(gateway: &Gateway, name: &str, recipient: &str, amount: &str) {
    let body = json!({
        "clientWithdrawalId": name, "recipientAddress": recipient, "withdrawCurrency": "LTC", "network": "LTC",
        "displayCurrency": "EUR", "targetAmountPolicy": "CRYPTO", "targetAmount": amount
    });
    let (status, answer) = gateway.call("POST", "/api/v1/withdrawals", &body);
    assert!(status < 300, "{status} {answer}");
}

fn command(arguments: &[&str]) -> String {
    let output = run(arguments);
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    assert!(output.status.success(), "{arguments:?}: {said}");
    said
}

fn held(database: &str) -> Vec<Value> {
    serde_json::from_str(&command(&["payouts", "held", "--json", "--database", database])).unwrap()
}

/// Three withdrawals: one is in the backup and was sent after it, one is in the backup and was never sent, and one was
/// requested and sent after the backup, and is requested again.
#[test]
fn a_withdrawal_that_was_sent_after_the_backup_is_not_sent_again() {
    let shop = Shop::open(&LITECOIN, "payout_wallet = \"till\"");
    shop.node.call("", "createwallet", &json!(["till"]));
    let till = shop.node.text("till", "getnewaddress", &json!([]));
    let gateway = shop.gateway();
    let (id, address, amount) = shop.order(&gateway, "order-1", "800");
    shop.node.send(&address, &amount);
    shop.node.mine(FINAL);
    eventually("the payment is paid", || gateway.payment(&id)["status"] == "DEPOSITED");
    gateway.until_all_is_final();

    // The till is empty: what is requested waits.
    let recipients = [shop.node.address(), shop.node.address(), shop.node.address()];
    withdraw(&gateway, "w-0", &recipients[0], "0.5");
    withdraw(&gateway, "w-1", &recipients[1], "3");
    let backup = shop.file("backup.db");
    command(&["backup", &backup, "--database", &shop.database()]);
    withdraw(&gateway, "w-2", &recipients[2], "0.7");
    shop.node.send(&till, "2");
    shop.node.mine(1);
    let received = |at: usize| shop.node.received(&recipients[at]);
    eventually("two are sent", || received(0).len() == 1 && received(2).len() == 1);
    shop.node.mine(1);
    gateway.stop("-KILL");

    let restored = format!("sqlite:{}", shop.file("restored.db"));
    let said = command(&["restore", "--from", &backup, "--database", &restored, "--reserve", "20"]);
    assert!(said.contains("2 unsigned payouts") && said.contains("A gateway can start."), "{said}");
    shop.node.send(&till, "8");
    shop.node.mine(1);
    shop.use_database(&restored);
    let gateway = shop.gateway();
    withdraw(&gateway, "w-2", &recipients[2], "0.7");
    eventually("what was not sent is sent", || received(1).len() == 1);
    let reasons = || held(&restored).iter().filter(|held| held["reason"].is_string()).count();
    eventually("what was sent is held", || reasons() == 2);
    std::thread::sleep(std::time::Duration::from_secs(3));
    assert_eq!([0, 1, 2].map(|at| received(at).len()), [1, 1, 1], "nothing is sent twice");

    let listed = held(&restored);
    let first = listed.iter().find(|held| held["amount"] == "0.5").unwrap();
    let again = listed.iter().find(|held| held["amount"] == "0.7").unwrap();
    let (reason, id) = (first["reason"].as_str().unwrap(), first["payoutId"].as_str().unwrap());
    let transaction = reason.rsplit(' ').next().unwrap();
    command(&["payouts", "sent", id, "--transaction", transaction, "--database", &restored]);
    let ended = || shop.inbox.bodies().iter().filter(|body| body["clientWithdrawalId"] == "w-0").count();
    let before = ended();
    eventually("the merchant is told of it", || ended() > before);
    // The operator finds that the merchant wants the third a second time.
    let id = again["payoutId"].as_str().unwrap();
    command(&["payouts", "release", id, "--database", &restored]);
    eventually("it is sent again", || received(2).len() == 2);
    assert_eq!((received(0).len(), held(&restored).len()), (1, 0));
    command(&["restore", "--check", "--database", &restored]);
}

/// The machine of the node is lost, too: its wallet has never heard of the addresses.
#[test]
fn one_command_restores_and_finds_what_was_paid_since_the_backup() {
    let shop = Shop::open(&LITECOIN, "");
    let gateway = shop.gateway();
    let (id, address, amount) = shop.order(&gateway, "order-1", "40");
    let backup = shop.file("backup.db");
    command(&["backup", &backup, "--database", &shop.database()]);
    gateway.stop("-KILL");
    shop.node.send(&address, &amount);
    shop.node.mine(2);
    let config = std::fs::read_to_string(shop.config()).unwrap();
    let config = config.replace("network = \"regtest\"", "network = \"regtest\"\nwallet = \"second\"");
    std::fs::write(shop.config(), config).unwrap();
    let restore = ["restore", "--from", &backup, "--replace", "--config", shop.config(), "--reserve", "20"];
    let said = command(&restore);
    assert!(said.contains("was set aside as") && said.contains("A gateway can start."), "{said}");
    assert!(said.contains("LTC: searched blocks") && said.contains("(100 %)"), "{said}");
    let gateway = shop.gateway();
    eventually("the payment is paid", || gateway.payment(&id)["status"] == "DEPOSITED");
}
