//! A token on a network that the wallet does not know: it is added, and the contract of the table gets the call.

use checkout_core::Network;
use checkout_core::pair::EVERY_PAIR;
use checkout_test_nodes::{Anvil, rates};
use serde_json::{Value, json};

use super::browser_wallet::ACCOUNT;
use crate::on_chain::visit_pair;
use crate::support::wallet::{BrowserWallet, Reply, number};

/// USDT on the main network.
const USDT: &str = "0x55d398326f99059fF775485246999027B3197955";

/// A node that looks like BNB Smart Chain, with the token of the tests in the place of USDT. The funded account has 1,000 of it.
fn bnb_smart_chain() -> Anvil {
    let node = Anvil::with_chain_id(56);
    let contracts = include_str!("../../../chains/evm/tests/contracts/contracts.json");
    let contracts: Value = serde_json::from_str(contracts).expect("the contracts are JSON");
    let token = node.token_of(contracts["Token"].as_str().expect("a contract is its code"), 18);
    let code = node.ask("eth_getCode", &json!([token, "latest"]));
    // The gateway looks at the contract of every pair of the network.
    for pair in EVERY_PAIR.iter().filter(|pair| pair.network == Network::Bsc) {
        node.ask("anvil_setCode", &json!([pair.contract, code]));
    }
    // The mapping of balances has the first slot: https://docs.soliditylang.org/en/latest/internals/layout_in_storage.html
    let place = format!("0x{:0>64}{:064x}", node.rich.trim_start_matches("0x"), 0);
    let slot = node.ask("web3_sha3", &json!([place]));
    let balance = format!("{:#066x}", 1_000_000_000_000_000_000_000_u128);
    node.ask("anvil_setStorageAt", &json!([USDT, slot, balance]));
    node.mine(1);
    node
}

#[test]
fn a_token_on_a_network_that_is_added() {
    let node = bnb_smart_chain();
    let config = format!(
        "rates = {{ url = \"{}\" }}\ncallbacks = {{ private_addresses = true }}\ndeposit_keys = {{ BSC = \"{ACCOUNT}\" }}\n\
         [chains.BSC]\nurl = \"{}\"\npoll_seconds = 1\n",
        rates(r#"{"USDT": {"EUR": 0.8, "USD": 1}, "BNB": {"EUR": 500, "USD": 550}}"#),
        node.url(),
    );
    visit_pair("browser-wallet-token", "USDT", "BSC", &config, async |visit, payment| {
        let page = visit.stage.page();
        visit.stage.browser.until_live().await;
        let mut wallet = BrowserWallet::new(page, &node);
        wallet.chain = 1;
        wallet.known_chains = vec![1];
        wallet.offer().await;
        wallet.press().await;
        // Not one cent is missing: a wallet that has 49.999999 does not pay 50.
        let poor = format!("{:#066x}", 50_000_000_000_000_000_000_u128 - 1);
        let told = wallet
            .says_after("tooLittle", |call| {
                let is_balance = call.method == "eth_call" && call.params[0]["to"] == USDT;
                is_balance.then(|| Reply::Result(json!(poor)))
            })
            .await;
        assert!(
            told.text.contains("less than 50 USDT") || told.text.contains("less than 50\u{a0}USDT"),
            "{}",
            told.text
        );
        let added = wallet.asked.iter().find(|call| call.method == "wallet_addEthereumChain");
        let expected = json!([{
            "chainId": "0x38", "chainName": "BNB Smart Chain",
            "nativeCurrency": {"name": "BNB", "symbol": "BNB", "decimals": 18},
            "rpcUrls": ["https://bsc-dataseed.bnbchain.org"], "blockExplorerUrls": ["https://bscscan.com"],
        }]);
        assert_eq!(added.map(|call| &call.params), Some(&expected));
        assert_eq!(wallet.chain, 56);

        wallet.press().await;
        let told = wallet.says("sent").await;
        let hash = told.value("wallet-hash").expect("the hash").to_owned();
        assert!(told.shown("wallet-explorer").is_some(), "{told:#?}");
        let transaction = node.ask("eth_getTransactionByHash", &json!([hash]));
        assert_eq!(transaction["to"], USDT.to_ascii_lowercase());
        assert_eq!(number(&transaction["value"]), 0);
        node.mine(1);
        // The node says at once that a block is final.
        let paid = page.until_screen("paid").await;
        let shown: String = paid.text.split_whitespace().collect();
        assert!(shown.contains(&hash), "{}", paid.text);
        assert_eq!(wallet.sent().len(), 1);
        let address = payment.wallet_address.unwrap();
        let data = wallet.sent()[0]["data"].as_str().unwrap().to_owned();
        assert!(data.contains(&address.trim_start_matches("0x").to_ascii_lowercase()), "{data}");
    });
}
