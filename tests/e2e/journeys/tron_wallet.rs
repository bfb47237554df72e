//! A payer presses once on TRON: the wallet in the browser signs, the gateway sends, and the page follows the chain.

use checkout_chain_doubles::trongrid::chain::USDT;
use checkout_chain_doubles::{Fault, TronGrid};
use checkout_chain_tron::{Key, account};
use checkout_test_nodes::{Anvil, rates};
use checkout_wire::Payment;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::browser_wallet::{asks, is_locked, press_all, refused};
use crate::on_chain::{Visit, visit_pair};
use crate::support::page::Page;
use crate::support::sandbox::expected;
use crate::support::wallet::{BrowserWallet, Call, Reply, SIGN, signed_by};

/// BIP-32, test vector 1.
const ACCOUNT: &str = "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8";

fn key(byte: u8) -> Key {
    Key::from_secret(&[byte; 32]).expect("a number below the order")
}

/// The account of a key, as servers write it.
fn hex_of(key: &Key) -> String {
    account::to_hex(key.account())
}

/// The page of a payment of 50 USDT, and a wallet with 1,000 USDT and 100 TRX.
fn with_wallet(
    name: &'static str,
    run: impl AsyncFnOnce(&Visit<'_>, &TronGrid, Page<'_>, BrowserWallet<'_>, Payment),
) {
    let runtime = Runtime::new().expect("a runtime");
    let server = runtime.block_on(TronGrid::start());
    {
        let mut chain = server.chain();
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().expect("the clock is right").as_millis();
        chain.set_time(u64::try_from(now).expect("milliseconds"));
        chain.fund(&hex_of(&key(7)), 100_000_000);
        chain.give(&hex_of(&key(7)), USDT, 1_000_000_000);
    }
    let config = format!(
        "rates = {{ url = \"{}\" }}\ncallbacks = {{ private_addresses = true }}\ndeposit_keys = {{ TRX = \"{ACCOUNT}\" }}\n\
         [chains.TRX]\nurl = \"{}\"\npoll_seconds = 1\n",
        rates(r#"{"USDT": {"EUR": 0.8, "USD": 1}, "TRX": {"EUR": 0.25, "USD": 0.3}}"#),
        server.url,
    );
    visit_pair(name, "USDT", "TRX", &config, async |visit, payment| {
        let page = visit.stage.page();
        visit.stage.browser.until_live().await;
        run(visit, &server, page, BrowserWallet::on_tron(page, key(7)), payment).await;
    });
}

/// The wallet was asked to sign exactly this, so often.
fn signed(wallet: &BrowserWallet<'_>, payment: &Payment, times: usize) {
    assert_eq!(expected(payment), "50");
    let address = payment.wallet_address.as_deref().and_then(account::read);
    let address = hex::encode(address.expect("a page that asks has an address"));
    assert_eq!(wallet.sent().len(), times, "{:#?}", wallet.sent());
    for transaction in wallet.sent() {
        let raw = &transaction["raw_data"];
        let value = json!({
            "owner_address": hex_of(&key(7)), "contract_address": USDT,
            "data": format!("a9059cbb{address:0>64}{:064x}", 50_000_000),
        });
        let contract = json!([{
            "type": "TriggerSmartContract",
            "parameter": {"type_url": "type.googleapis.com/protocol.TriggerSmartContract", "value": value},
        }]);
        assert_eq!(raw["contract"], contract);
        assert_eq!((&transaction["visible"], &raw["fee_limit"]), (&json!(false), &json!(50_000_000)));
    }
}

#[test]
fn one_press_pays() {
    with_wallet("tron-wallet", async |visit, server, page, mut wallet, payment| {
        // One of another family is not offered here.
        let node = Anvil::start();
        BrowserWallet::new(page, &node).offer().await;
        wallet.offer().await;
        let offered = page.until("offers the wallet", |page| page.shown("wallet").is_some()).await;
        assert_eq!(offered.parts["wallet"].len(), 1, "{offered:#?}");
        wallet.press().await;
        // A double tap.
        press_all(page).await;
        press_all(page).await;
        let told = wallet.says("sent").await;
        assert!(is_locked(&told), "{told:#?}");
        signed(&wallet, &payment, 1);
        assert_eq!(wallet.asked[0].method, "eth_requestAccounts", "nothing before the press");
        let hash = told.value("wallet-hash").expect("the id").to_owned();
        assert_eq!(wallet.sent()[0]["txID"], hash);
        assert!(told.shown("wallet-explorer").is_some(), "{told:#?}");
        let pending: Vec<String> = server.chain().pending.iter().map(|sent| sent.id.clone()).collect();
        assert_eq!(pending, [hash.as_str()]);

        press_all(page).await;
        server.chain().produce();
        let seen = wallet.until("shows the transaction", |_| None, |page| page.is("seen")).await;
        assert!(seen.shown("wallet").is_none(), "nothing is left to send");
        signed(&wallet, &payment, 1);
        server.chain().pass(60_000);
        visit.is_paid().await;
    });
}

/// The page keeps nothing, and nobody pays twice: what is signed again is the same transaction.
#[test]
fn after_a_reload_the_same_transaction_is_signed() {
    with_wallet("tron-wallet-reload", async |visit, server, page, mut wallet, payment| {
        let mut hashes = Vec::new();
        for _ in 0..2 {
            wallet.offer().await;
            wallet.press().await;
            let told = wallet.says("sent").await;
            hashes.push(told.value("wallet-hash").expect("the id").to_owned());
            page.reload().await;
            page.until_alive().await;
            visit.stage.browser.until_live().await;
        }
        assert_eq!(hashes[0], hashes[1]);
        signed(&wallet, &payment, 2);
        assert_eq!(server.chain().pending.len(), 1);
        server.chain().close();
        page.until_screen("paid").await;
    });
}

/// Each is told in words, nothing is sent, and the payer can press again.
#[test]
fn every_refusal_before_the_signature() {
    with_wallet("tron-wallet-refusals", async |_, server, page, mut wallet, payment| {
        wallet.offer().await;
        let mut check = async |method: &str, reply: fn() -> Reply, state: &str, words: &str| {
            refused(&mut wallet, (method, reply), (state, words)).await;
        };
        let (connect, switch) = ("eth_requestAccounts", "wallet_switchEthereumChain");
        check(connect, || Reply::Error(-32002), "busy", "already has an open request").await;
        check(connect, || Reply::Result(json!([])), "locked", "Unlock it").await;
        check(connect, || Reply::Error(4001), "rejected", "Nothing was sent").await;
        check(
            connect,
            || Reply::Result(json!(["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"])),
            "locked",
            "Unlock it",
        )
        .await;
        check(switch, || Reply::Error(4902), "unknownNetwork", "does not know the TRON").await;
        check(switch, || Reply::Error(4001), "rejected", "Nothing was sent").await;
        check("eth_chainId", || Reply::Result(json!("0xcd8690dc")), "wrongNetwork", "not on the TRON").await;
        check(SIGN, || Reply::Said("Confirmation declined by user"), "rejected", "Nothing was sent").await;
        check(SIGN, || Reply::Error(4001), "rejected", "Nothing was sent").await;
        check(SIGN, || Reply::Said("Invalid transaction provided"), "failed", "Nothing was sent").await;

        // What the gateway says of the account.
        let give = |tokens: u128, sun: u64| {
            let mut chain = server.chain();
            let account = chain.accounts.get_mut(&hex_of(&key(7))).expect("it was funded");
            account.tokens.insert(USDT.to_owned(), tokens);
            account.balance = sun;
        };
        for (tokens, sun, state, words) in [
            (49_999_999, 100_000_000, "tooLittle", "less than 50"),
            (50_000_000, 1_000_000, "noFee", "too little TRX"),
        ] {
            give(tokens, sun);
            wallet.press().await;
            let told = wallet.says(state).await;
            assert!(told.text.contains(words), "{}", told.text);
        }
        give(50_000_000, 100_000_000);
        server.chain().fault = Fault::Down;
        wallet.press().await;
        wallet.says("notReached").await;
        server.chain().fault = Fault::None;

        // The wallet has another account than it said.
        wallet.press().await;
        wallet.says_after("switch", |call| (call.method == switch).then_some(Reply::Held)).await;
        let change =
            "window.testWallet.tronWeb.defaultAddress = { base58: 'TDhuJ9S34RgZpg2a3LPWs6W8WJ9ch66KbH' }";
        page.browser.run(change, vec![]).await;
        let switching = wallet.asked.iter().rev().find(|call| call.method == switch).unwrap().clone();
        wallet.answer(&switching, Reply::Result(Value::Null)).await;
        wallet.says("accountChanged").await;

        assert!(server.chain().pending.is_empty());
        let before = wallet.sent().len();
        wallet.press().await;
        wallet.says("sent").await;
        signed(&wallet, &payment, before + 1);
        assert_eq!(server.chain().pending.len(), 1);
    });
}

/// It is not known whether the network has it: the same transaction is sent again, and no other one is signed.
#[test]
fn a_network_that_does_not_answer_gets_the_same_transaction_again() {
    with_wallet("tron-wallet-unclear", async |_, server, page, mut wallet, payment| {
        wallet.offer().await;
        wallet.press().await;
        let fails = |call: &Call| {
            if asks(call, SIGN) {
                server.chain().fault = Fault::Down;
            }
            None
        };
        let told = wallet.says_after("unclear", fails).await;
        assert!(is_locked(&told), "{told:#?}");
        press_all(page).await;
        server.chain().fault = Fault::None;
        let told = wallet.says("sent").await;
        assert!(is_locked(&told), "{told:#?}");
        signed(&wallet, &payment, 1);
        assert_eq!(server.chain().pending.len(), 1);
        server.chain().close();
        page.until_screen("paid").await;
    });
}

/// It may have sent something by itself, so it is not asked again; the gateway sends nothing.
#[test]
fn a_wallet_that_signs_something_else_is_not_asked_again() {
    with_wallet("tron-wallet-hostile", async |visit, server, page, mut wallet, payment| {
        let lies: [fn(&Value) -> Value; 5] = [
            |asked| signed_by(&key(8), asked),
            |asked| json!({"txID": asked["txID"], "raw_data_hex": asked["raw_data_hex"]}),
            |asked| {
                let mut other = signed_by(&key(7), asked);
                other["txID"] = json!("00".repeat(32));
                other
            },
            |asked| {
                let mut other = asked.clone();
                let bytes = asked["raw_data_hex"].as_str().unwrap_or_default().replace("2faf080", "fffffff");
                other["raw_data_hex"] = json!(bytes);
                signed_by(&key(7), &other)
            },
            |_| json!("<img src=x>"),
        ];
        for lie in lies {
            wallet.offer().await;
            wallet.press().await;
            let told = wallet
                .says_after("unclear", |call| asks(call, SIGN).then(|| Reply::Result(lie(&call.params[0]))))
                .await;
            assert!(is_locked(&told), "{told:#?}");
            assert!(told.text.contains("Look at its activity before you pay again"), "{}", told.text);
            press_all(page).await;
            signed(&wallet, &payment, 1);
            wallet.asked.clear();
            assert!(server.chain().pending.is_empty());
            page.reload().await;
            page.until_alive().await;
            visit.stage.browser.until_live().await;
        }
    });
}
