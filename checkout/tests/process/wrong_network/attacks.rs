//! What a thief, or bad luck, does with one address on two networks.

use serde_json::{Value, json};

use super::{AMOUNT, Networks, OTHER, payment, payment_in, token_code, wait_for};
use crate::gateway::{Gateway, run};
use crate::support::wait;

/// The account of the keystore of `chains/evm/tests`.
const PAYOUTS: &str = "0x008AeEda4D805471dF9b2A5B0f38A0C3bCBA786b";

/// 0.0125 ether from the tenth account of anvil, nonce 0, to [`FIRST`], signed without a chain id (before EIP-155): valid on every chain.
const REPLAYABLE: &str = "0xf86b808502540be400825208941a30a5dca5f1dfca9934a93a2fe590784e029766872c68af0bb14000801ca0b538ddf05272497949250298c158b0fb122a1cde7016d3943b51d3ccfb4e5baba065c1d2f9d1adada4eb9446546de0d3229cab4745e3cff4448f467acd08fe7f7a";

/// The first address of the key.
const FIRST: &str = "0x1a30A5DCA5F1Dfca9934a93A2fE590784E029766";

/// Network, amount and transaction of all deposits, oldest first.
fn deposits(gateway: &Gateway) -> Vec<[String; 3]> {
    let (_, listed) = gateway.call("GET", "/api/v1/deposits", &Value::Null);
    let row = |row: &Value| {
        ["network", "depositAmount", "transactionId"].map(|name| row[name].as_str().unwrap().to_owned())
    };
    listed.as_array().unwrap().iter().rev().map(row).collect()
}

/// Coins really arrive on both, in transactions with one hash: two deposits, each once, also for a gateway that starts again.
#[test]
fn a_transaction_that_is_repeated_on_another_chain_is_another_deposit() {
    let networks = Networks::with("BASE");
    let gateway = networks.gateway(&[]);
    let (id, address) = payment_in(&gateway, "order-1", ("ETH", "ETH"), "0.0125");
    assert_eq!(address, FIRST);
    let mut hashes = Vec::new();
    for (node, seen) in [(&networks.eth, 1), (&networks.other, 2)] {
        hashes.push(node.ask("eth_sendRawTransaction", &json!([REPLAYABLE])));
        node.mine(1);
        wait("a deposit", || (deposits(&gateway).len() == seen).then_some(()));
    }
    assert_eq!(hashes[0], hashes[1]);
    let hash = hashes[0].as_str().unwrap();
    let expected = ["ETH", "BASE"].map(|network| [network, "0.0125", hash].map(str::to_owned));
    assert_eq!(deposits(&gateway), expected);
    wait_for(&gateway, &id, "DEPOSITED");
    let token = gateway.ready["businessToken"].clone();
    drop(gateway);
    for chain in ["ETH", "BASE"] {
        let (exit, said) = networks.chains(&["rescan", chain, "--from", "0"]);
        assert_eq!(exit, Some(0), "{said}");
    }
    let gateway = networks.again(&token);
    // A later deposit shows that the blocks before it were read again.
    let (second, address) = payment(&gateway, "order-2", "ETH");
    networks.pay(&address, AMOUNT);
    wait_for(&gateway, &second, "DEPOSITED");
    assert_eq!(deposits(&gateway).len(), 3);
    assert_eq!(gateway.payment(&id)["deposits"].as_array().unwrap().len(), 2);
}

/// A contract with the code and the symbol of the token, and another address.
#[test]
fn a_false_token_on_the_other_network_is_nothing() {
    let networks = Networks::start();
    let gateway = networks.gateway(&[]);
    let (id, address) = payment(&gateway, "order-1", "ETH");
    let fake = networks.other.token(&token_code());
    assert_ne!(fake, networks.usdc);
    networks.other.pay_token(&fake, &address, AMOUNT);
    networks.other.mine(1);
    networks.pay(&address, AMOUNT);
    wait_for(&gateway, &id, "DEPOSITED");
    assert_eq!(gateway.payment(&id)["deposits"].as_array().unwrap().len(), 1);
}

#[test]
fn a_reorganisation_of_the_other_network_unpays() {
    let networks = Networks::start();
    let gateway = networks.gateway(&[]);
    let (id, address) = payment(&gateway, "order-1", "ETH");
    networks.pay(&address, AMOUNT);
    wait_for(&gateway, &id, "DEPOSITED");
    networks.other.reorganise(1);
    networks.other.mine(1);
    wait_for(&gateway, &id, "PENDING");
    assert_eq!(gateway.payment(&id)["actualDepositAmount"], "0");
    networks.pay(&address, AMOUNT);
    wait_for(&gateway, &id, "DEPOSITED");
    assert_eq!(gateway.payment(&id)["actualDepositAmount"], "25");
}

/// A gateway without the network sees nothing there. Once it is configured, its newest blocks are read, and older ones when the operator
/// asks for them: as often as they are read, they are credited once.
#[test]
fn a_network_that_is_configured_later_is_read_from_where_the_operator_says() {
    let networks = Networks::start();
    networks.configure("");
    let gateway = networks.gateway(&[]);
    let (id, address) = payment(&gateway, "order-1", "ETH");
    networks.pay(&address, AMOUNT);
    networks.other.ask("anvil_mine", &json!(["0x12c"]));
    let token = gateway.ready["businessToken"].clone();
    drop(gateway);

    networks.configure(&networks.section(OTHER, ""));
    let gateway = networks.again(&token);
    let (second, address) = payment(&gateway, "order-2", "ETH");
    networks.pay(&address, AMOUNT);
    wait_for(&gateway, &second, "DEPOSITED");
    assert_eq!(gateway.payment(&id)["status"], "PENDING", "its block was before the first that is read");
    drop(gateway);

    for _ in 0..2 {
        let (exit, said) = networks.chains(&["rescan", "POLYGON", "--from", "0"]);
        assert_eq!(exit, Some(0), "{said}");
        let gateway = networks.again(&token);
        wait_for(&gateway, &id, "DEPOSITED");
        assert_eq!(deposits(&gateway).len(), 2);
    }
}

/// Refunds go back on the network of the deposit, and what the sender is there counts: a smart wallet can be on one network only.
#[test]
fn a_refund_leaves_on_the_network_of_the_deposit_and_goes_to_no_contract_there() {
    let networks = Networks::start();
    let keystore = concat!(env!("CARGO_MANIFEST_DIR"), "/../chains/evm/tests/keystore.json");
    std::fs::write(networks.path("password"), "testpassword").unwrap();
    let payouts = format!(
        "keystore = \"{keystore}\"\npassword_file = \"{}\"\n[finality]\nPOLYGON = 1",
        networks.path("password")
    );
    networks.configure(&networks.section(OTHER, &payouts));
    networks.other.pay(PAYOUTS, "10");
    networks.pay(PAYOUTS, 1_000 * AMOUNT);
    let sender = networks.other.ask("eth_accounts", &json!([]))[0].clone();
    let be_contract = |node: &super::Anvil| node.ask("anvil_setCode", &json!([sender, "0x60806040"]));
    be_contract(&networks.eth);

    let gateway = networks.gateway(&["--overpayment", "EXCESS_REFUND", "--refund-address", "SENDER"]);
    let (id, address) = payment(&gateway, "order-1", "ETH");
    networks.pay(&address, 2 * AMOUNT);
    let refund = wait("the refund", || {
        networks.other.mine(1);
        let refund = gateway.payment(&id)["deposits"][0]["refund"].clone();
        (refund["status"] == "CONFIRMED").then_some(refund)
    });
    let transaction = networks.other.ask("eth_getTransactionByHash", &json!([refund["transactionId"]]));
    assert_eq!(transaction["to"].as_str().unwrap(), networks.usdc);
    let recipient = sender.as_str().unwrap().trim_start_matches("0x");
    assert!(transaction["input"].as_str().unwrap().contains(recipient), "{transaction}");
    assert_eq!(networks.eth.sent(PAYOUTS), 0);

    let (id, address) = payment(&gateway, "order-2", "ETH");
    let token = gateway.ready["businessToken"].clone();
    drop(gateway);
    networks.pay(&address, 2 * AMOUNT);
    be_contract(&networks.other);
    let gateway = networks.again(&token);
    wait("the refund waits for an address", || {
        let refund = &gateway.payment(&id)["deposits"][0]["refund"];
        (refund["waitingFor"] == "ADDRESS").then_some(())
    });
    let listed = run(&["refunds", "list", "--json", "--database", &networks.database()]);
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert!(listed.contains("CONTRACT"), "{listed}");
}

/// Two sections with one chain would both credit its transfers.
#[test]
fn one_chain_is_no_two_networks() {
    let networks = Networks::start();
    networks.configure(&networks.section(31_337, ""));
    let (exit, said) = networks.chains(&["check"]);
    assert!(said.contains("chain_id = 31337 is also that of [chains.ETH]"), "{said}");
    assert_eq!(exit, Some(1));
}
