//! Wallets that do not send, do not answer, or cannot be believed.

use serde_json::{Value, json};

use super::browser_wallet::{asks, is_locked, press_all, refused, sent_once, with_wallet};
use crate::support::snapshot::Snapshot;
use crate::support::wallet::{Call, ICON, Reply, info};

const AMOUNT: &str = "0x470de4df820000";

const ICONS: &str =
    "return [...document.querySelectorAll('[data-part=wallet] img')].map((image) => image.src)";

/// Each is told in words, nothing is sent, and the payer can press again.
#[test]
fn every_refusal_before_the_wallet_is_to_send() {
    with_wallet("browser-wallet-refusals", async |_, _, page, mut wallet, payment| {
        wallet.offer().await;
        let mut check = async |method: &str, reply: fn() -> Reply, state: &str, words: &str| {
            refused(&mut wallet, (method, reply), (state, words)).await;
            assert_eq!(wallet.sent(), Vec::<Value>::new(), "{state}");
        };
        check("eth_requestAccounts", || Reply::Error(-32002), "busy", "already has an open request").await;
        check("eth_requestAccounts", || Reply::Result(json!([])), "locked", "Unlock it").await;
        check("eth_requestAccounts", || Reply::Error(4001), "rejected", "Nothing was sent").await;
        check("eth_requestAccounts", || Reply::Result(json!(["<b>0x</b>"])), "locked", "Unlock it").await;
        check("eth_chainId", || Reply::Result(json!("Ethereum")), "failed", "Nothing was sent").await;
        check("eth_getBalance", || Reply::Error(4900), "disconnected", "not connected to the network").await;
        check("eth_getBalance", || Reply::Result(json!("0x1")), "tooLittle", "less than 0.02").await;
        check(
            "eth_getBalance",
            || Reply::Result(json!(AMOUNT)),
            "noFee",
            "too little ETH for the network fee",
        )
        .await;
        check("eth_estimateGas", || Reply::Error(3), "wouldFail", "would refuse this transaction").await;
        let other = || Reply::Result(json!(["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"]));
        check("eth_accounts", other, "accountChanged", "another account").await;
        check("eth_accounts", || Reply::Result(json!([])), "locked", "Unlock it").await;

        // The page shows something else than the gateway asks for.
        let forge = "document.querySelector('.pay [data-part=amount]').dataset.value = arguments[0]";
        page.browser.run(forge, vec![json!("0.03")]).await;
        wallet.press().await;
        wallet.says("changed").await;
        assert_eq!(wallet.sent(), Vec::<Value>::new());
        page.browser.run(forge, vec![json!("0.02")]).await;

        wallet.press().await;
        wallet.says("sent").await;
        sent_once(&wallet, &payment);
    });
}

/// It may have been sent all the same: whoever could press again would pay twice.
#[test]
fn a_wallet_that_fails_while_it_sends_is_not_asked_again() {
    with_wallet("browser-wallet-unclear", async |visit, node, page, mut wallet, payment| {
        let answers: [fn() -> Reply; 5] = [
            || Reply::Error(4900),
            || Reply::Error(4901),
            || Reply::Error(-32603),
            || Reply::Result(json!("0x1234")),
            || Reply::Result(json!({"hash": "<img src=x>"})),
        ];
        for answer in answers {
            wallet.offer().await;
            wallet.press().await;
            let told =
                wallet.says_after("unclear", |call| asks(call, "eth_sendTransaction").then(answer)).await;
            assert!(is_locked(&told), "{told:#?}");
            assert!(told.text.contains("Look at its activity before you pay again"), "{}", told.text);
            assert!(told.shown("wallet-hash").is_none(), "{told:#?}");
            press_all(page).await;
            sent_once(&wallet, &payment);
            wallet.asked.clear();
            page.reload().await;
            page.until_alive().await;
            visit.stage.browser.until_live().await;
        }
        // The wallet lost its connection, and had sent before.
        wallet.offer().await;
        wallet.press().await;
        let mut sent = None;
        let loses = |call: &Call| {
            asks(call, "eth_sendTransaction").then(|| {
                sent = Some(node.ask("eth_sendTransaction", &call.params));
                Reply::Error(4900)
            })
        };
        wallet.says_after("unclear", loses).await;
        node.mine(1);
        let seen = page.until_screen("seen").await;
        let shown: String = seen.text.split_whitespace().collect();
        assert!(shown.contains(sent.unwrap().as_str().unwrap()), "{}", seen.text);
    });
}

/// A late answer counts, and leads to one transaction.
#[test]
fn a_wallet_that_does_not_answer() {
    with_wallet("browser-wallet-silent", async |_, _, page, mut wallet, payment| {
        wallet.offer().await;
        wallet.press().await;
        let holds = |call: &Call| asks(call, "eth_requestAccounts").then_some(Reply::Held);
        let told = wallet.says_after("silent", holds).await;
        assert!(told.text.contains("has not answered yet"), "{}", told.text);
        assert!(!is_locked(&told), "the payer may try again");
        let late = wallet.asked.pop().unwrap();

        wallet.press().await;
        let holds = |call: &Call| asks(call, "eth_sendTransaction").then_some(Reply::Held);
        let told = wallet.says_after("silent", holds).await;
        assert!(is_locked(&told), "it may still send");
        let sending = wallet.asked.last().unwrap().clone();
        assert_eq!(sending.method, "eth_sendTransaction");
        press_all(page).await;
        let accounts = Reply::Result(json!(wallet.accounts));
        wallet.answer(&late, accounts).await;
        let answer = wallet.honest(&sending);
        wallet.answer(&sending, answer).await;
        let told = wallet.says("sent").await;
        assert!(is_locked(&told) && told.shown("wallet-hash").is_some(), "{told:#?}");
        sent_once(&wallet, &payment);
    });
}

/// Extensions share a page with others, and say of themselves what they like.
#[test]
fn wallets_that_nobody_should_believe() {
    with_wallet("browser-wallet-hostile", async |_, _, page, mut wallet, _| {
        wallet.announce(info("<img src=x onerror=alert(1)>", "https://evil.example/icon.png")).await;
        wallet.announce(info("\u{202e}eteliw\u{0} ", "javascript:alert(1)")).await;
        wallet.announce(info("data", "data:text/html,<script>alert(1)</script>")).await;
        wallet.announce(info("   ", ICON)).await;
        wallet.announce(info(&"long".repeat(100), ICON)).await;
        // The same again, and events that are none.
        wallet.announce(info("data", ICON)).await;
        let nonsense = "for (const detail of [null, 1, {}, {info: {name: 'x'}}, {info: {name: 'x', uuid: 'y'}, provider: 1}])
            dispatchEvent(new CustomEvent('eip6963:announceProvider', {detail}));";
        page.browser.run(nonsense, vec![]).await;
        let names = |page: &Snapshot| -> Vec<String> {
            let wallets = page.parts.get("wallet").map(Vec::as_slice).unwrap_or_default();
            wallets.iter().map(|wallet| wallet.text.trim().to_owned()).collect()
        };
        let shown = page.until("offers four", |page| names(page).len() == 4).await;
        let long = format!("{}…", &"long".repeat(100)[..31]);
        assert_eq!(names(&shown), ["<img src=x onerror=alert(1)>", "eteliw", "data", &*long]);
        assert_eq!(page.browser.run(ICONS, vec![]).await, json!([ICON]));

        let flood = "for (let at = 0; at < 1000; at += 1) dispatchEvent(new CustomEvent('eip6963:announceProvider', {
            detail: {info: {uuid: `u${at}`, name: `W${at}`}, provider: {request: () => Promise.reject()}}}));";
        page.browser.run(flood, vec![]).await;
        let shown = page.until("offers eight", |page| names(page).len() == 8).await;
        assert_eq!(names(&shown)[4..], ["W0", "W1", "W2", "W3"]);

        // One at a time: the second waits for the first.
        wallet.press().await;
        wallet.says_after("connect", |_| Some(Reply::Held)).await;
        press_all(page).await;
        let page = page.until("is locked", is_locked).await;
        assert_eq!(page.value("wallet-state"), Some("connect"));
        assert_eq!(wallet.asked.iter().filter(|call| call.wallet != wallet.asked[0].wallet).count(), 0);
    });
}
