//! A payer presses once: the wallet in the browser sends, and the page follows the chain.

use checkout_test_nodes::{Anvil, rates};
use checkout_wire::Payment;
use serde_json::{Value, json};

use crate::on_chain::{Visit, visit};
use crate::support::frame;
use crate::support::gateway::{Gateway, order};
use crate::support::merchant::Merchant;
use crate::support::page::Page;
use crate::support::sandbox::expected;
use crate::support::snapshot::Snapshot;
use crate::support::stage::{Stage, with_browser};
use crate::support::wait::eventually;
use crate::support::wallet::{BrowserWallet, Call, Reply, number};

/// An account key from BIP-84's vectors; on EVM networks any key has addresses.
pub(super) const ACCOUNT: &str = "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V";

fn config(node: &Anvil) -> String {
    format!(
        "rates = {{ url = \"{}\" }}\ncallbacks = {{ private_addresses = true }}\ndeposit_keys = {{ ETH = \"{ACCOUNT}\" }}\n\
         [chains.ETH]\nurl = \"{}\"\npoll_seconds = 1\nchain_id = 31337\nname = \"anvil\"\nconfirmations = 2\n",
        rates(r#"{"ETH": {"EUR": 2000, "USD": 2200}}"#),
        node.url(),
    )
}

/// The page of a payment of 0.02 ether, and a wallet on the network of the node.
pub(crate) fn with_wallet(
    name: &'static str,
    run: impl AsyncFnOnce(&Visit<'_>, &Anvil, Page<'_>, BrowserWallet<'_>, Payment),
) {
    let node = Anvil::start();
    let config = config(&node);
    visit(name, "ETH", &config, async |visit, payment| {
        let page = visit.stage.page();
        visit.stage.browser.until_live().await;
        run(visit, &node, page, BrowserWallet::new(page, &node), payment).await;
    });
}

/// The wallet was asked once to send exactly this.
pub(super) fn sent_once(wallet: &BrowserWallet<'_>, payment: &Payment) {
    let address = payment.wallet_address.as_deref().expect("a page that asks has an address");
    let transaction = json!({
        "from": wallet.accounts[0], "to": address, "value": "0x470de4df820000", "data": "0x", "chainId": "0x7a69",
    });
    assert_eq!(expected(payment), "0.02");
    assert_eq!(wallet.sent(), [transaction]);
}

pub(super) fn is_locked(page: &Snapshot) -> bool {
    page.shown("wallet").is_some_and(|button| !button.enabled)
}

/// Presses both wallets with whatever the page has in store for it, without waiting for it.
pub(super) async fn press_all(page: Page<'_>) {
    let script = "for (const button of document.querySelectorAll('[data-part=wallet]')) button.click()";
    page.browser.run(script, vec![]).await;
}

#[test]
fn one_press_pays() {
    with_wallet("browser-wallet", async |visit, node, page, mut wallet, payment| {
        wallet.offer().await;
        let offered = page.until("offers the wallet", |page| page.shown("wallet").is_some()).await;
        assert_eq!(offered.shown("wallet").map(|wallet| wallet.text.trim()), Some("Test Wallet"));
        wallet.press().await;
        // A double tap.
        press_all(page).await;
        press_all(page).await;
        let told = wallet.says("sent").await;
        assert!(is_locked(&told), "{told:#?}");
        sent_once(&wallet, &payment);
        assert_eq!(wallet.asked[0].method, "eth_requestAccounts", "nothing before the press");
        let hash = told.value("wallet-hash").expect("the hash").to_owned();
        let found = node.ask("eth_getTransactionByHash", &json!([hash]));
        assert_eq!(number(&found["value"]), 20_000_000_000_000_000);
        assert!(told.shown("wallet-explorer").is_none(), "no explorer knows a test network");

        press_all(page).await;
        node.mine(1);
        let seen = wallet.until("shows the transaction", |_| None, |page| page.is("seen")).await;
        assert!(seen.shown("wallet").is_none(), "nothing is left to send");
        sent_once(&wallet, &payment);
        node.mine(1);
        visit.is_paid().await;
    });
}

#[test]
fn a_wallet_on_another_network_changes_to_this_one_or_sends_nothing() {
    with_wallet("browser-wallet-network", async |_, _, _, mut wallet, payment| {
        wallet.chain = 1;
        wallet.known_chains = vec![1];
        wallet.offer().await;
        wallet.press().await;
        let told = wallet.says("unknownNetwork").await;
        assert!(told.text.contains("does not know the Ethereum (anvil) network"), "{}", told.text);

        // A wallet that says it has changed.
        let lies =
            |call: &Call| asks(call, "wallet_switchEthereumChain").then_some(Reply::Result(Value::Null));
        wallet.press().await;
        wallet.says_after("wrongNetwork", lies).await;
        // One that changes again before it is to send.
        wallet.chain = 31337;
        wallet.press().await;
        wallet.says("checking").await;
        wallet
            .says_after("wrongNetwork", |call| asks(call, "eth_chainId").then(|| Reply::Result(json!("0x1"))))
            .await;
        wallet.chain = 1;
        assert_eq!(wallet.sent(), Vec::<Value>::new());

        wallet.known_chains.push(31337);
        wallet.press().await;
        wallet.says("sent").await;
        sent_once(&wallet, &payment);
    });
}

/// Presses the wallet, which answers `method` so: the page says why nothing was sent, and can be pressed again.
pub(super) async fn refused(
    wallet: &mut BrowserWallet<'_>,
    (method, reply): (&str, fn() -> Reply),
    (state, words): (&str, &str),
) {
    wallet.press().await;
    let told = wallet.says_after(state, |call| asks(call, method).then(reply)).await;
    assert!(told.text.contains(words), "{state}: {}", told.text);
    assert!(told.is("pay") && !is_locked(&told), "{state}");
}

pub(super) fn asks(call: &Call, method: &str) -> bool {
    call.method == method
}

#[test]
fn a_payer_who_declines_can_press_again() {
    with_wallet("browser-wallet-declined", async |_, _, _, mut wallet, payment| {
        wallet.offer().await;
        for method in ["eth_requestAccounts", "eth_sendTransaction"] {
            wallet.press().await;
            let declines = |call: &Call| asks(call, method).then_some(Reply::Error(4001));
            let told = wallet.says_after("rejected", declines).await;
            assert!(!is_locked(&told), "{told:#?}");
            assert!(told.is("pay") && told.text.contains("You declined in your wallet"), "{}", told.text);
        }
        let asked = wallet.sent().len();
        assert_eq!(asked, 1);
        wallet.asked.clear();
        wallet.press().await;
        wallet.says("sent").await;
        sent_once(&wallet, &payment);
    });
}

/// The page keeps nothing. What the account has sent, and no block has, warns the payer.
#[test]
fn after_a_reload_an_unfinished_transaction_is_told() {
    with_wallet("browser-wallet-reload", async |visit, node, page, mut wallet, payment| {
        wallet.offer().await;
        wallet.press().await;
        wallet.says("sent").await;
        page.reload().await;
        page.until_alive().await;
        visit.stage.browser.until_live().await;
        wallet.offer().await;
        wallet.press().await;
        let told = wallet.says("unfinished").await;
        assert!(told.text.contains("If that was this payment, do not pay again"), "{}", told.text);
        sent_once(&wallet, &payment);
        node.mine(1);
        page.until_screen("seen").await;
    });
}

/// The wallet replaces its transaction: the page follows the chain, not the hash.
#[test]
fn a_replaced_transaction_is_seen_under_its_own_hash() {
    with_wallet("browser-wallet-replaced", async |_, node, page, mut wallet, payment| {
        wallet.offer().await;
        wallet.press().await;
        let told = wallet.says("sent").await;
        let hash = told.value("wallet-hash").unwrap().to_owned();
        let first = node.ask("eth_getTransactionByHash", &json!([hash]));
        let price = u128::from(number(&first["gasPrice"])) * 2;
        let mut again = wallet.sent().remove(0);
        again["nonce"] = first["nonce"].clone();
        again["gasPrice"] = json!(format!("{price:#x}"));
        let replaced = node.ask("eth_sendTransaction", &json!([again]));
        node.mine(1);
        let seen = page.until_screen("seen").await;
        let shown: String = seen.text.split_whitespace().collect();
        assert!(shown.contains(replaced.as_str().unwrap()) && !shown.contains(&hash), "{}", seen.text);
        sent_once(&wallet, &payment);
    });
}

/// Wallets are not reliable in frames, and another page could lie over the button.
#[test]
fn in_a_frame_the_button_opens_the_page_in_a_tab() {
    let node = Anvil::start();
    with_browser(async |browser| {
        let mut gateway = Gateway::start_on_chains(&config(&node));
        eventually("the gateway has rates", async || gateway.has_rate("ETH")).await;
        let (listener, origin) = Merchant::reserve();
        gateway.become_business(&["--origin", &origin]);
        let created = gateway.create(&order());
        let stage = Stage { gateway, browser };
        let frame = format!(
            "<title>shop</title><iframe id=f height=1500 width=700 src=\"{}\"></iframe>",
            created.payment_url.replace('&', "&amp;")
        );
        let shop = Merchant::open_at(listener, &frame);
        browser.goto(&shop.origin).await;
        frame::enter(browser, "document.getElementById('f')").await;
        let page = stage.page();
        // The page takes a single offer itself.
        page.until_screen("pay").await;
        browser.until_live().await;
        let wallet = BrowserWallet::new(page, &node);
        wallet.offer().await;
        let shown = page.until("offers a tab", |page| page.shown("wallet-tab").is_some()).await;
        assert!(shown.shown("wallet").is_none(), "{shown:#?}");
        let link = browser.run("return document.querySelector('[data-part=wallet-tab]').href", vec![]).await;
        assert_eq!(link, shown.url);
        let asked = browser.run("return window.testWallet.answers.length", vec![]).await;
        assert_eq!(asked, 0);
    });
}
