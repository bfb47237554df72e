//! The differences between a phone and a desktop.

use crate::support::browser::PHONE;
use crate::support::extent::in_turn;
use crate::support::gateway::order;
use crate::support::languages::with_locale;
use crate::support::screenshot::{keep, whole_page};
use crate::support::stage::journey;
use crate::support::wait::eventually;
use crate::support::{axe, qr};

/// The texts that the word "Copied" covers: pairs of the button's part and the covered one's.
const COVERED: &str = "
    const word = (button) => button.querySelector('span:last-child').getBoundingClientRect();
    const lines = [...document.querySelectorAll('[data-part=amount], [data-part=address], [data-part=tag]')]
        .flatMap((text) => [...text.getClientRects()].map((line) => [text.dataset.part, line]));
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return [...document.querySelectorAll('.copy.done')].flatMap((button) =>
        lines.filter(([, line]) => meet(word(button), line)).map(([part]) => [button.dataset.part, part]));";

#[test]
fn on_a_phone_the_wallet_comes_first_and_the_code_is_folded() {
    journey(async |stage| {
        stage.browser.view(PHONE).await;
        let page = stage.page();
        stage.open_and_choose(&order(), "BTC", "BTC").await;
        let pay = page.until("offers the wallet", |page| page.shown("open-wallet").is_some()).await;
        assert!(pay.shown("qr").is_none() && pay.shown("hand-over").is_none(), "{pay:#?}");
        let script = "
            const first = document.querySelector('.pay').querySelectorAll('a, button, input, summary');
            const wallet = [...first].find((element) => element.checkVisibility());
            const box = wallet.getBoundingClientRect();
            return [wallet.dataset.part, getComputedStyle(wallet).backgroundColor !== 'rgba(0, 0, 0, 0)',
                box.bottom < innerHeight];";
        let first = stage.browser.run(script, vec![]).await;
        assert_eq!(first, serde_json::json!(["open-wallet", true, true]), "first, filled, within reach");
        page.click("show-qr").await;
        page.scan().await;
        axe::check(stage.browser, "an unfolded code on a phone").await;
    });
}

/// MetaMask first; a link without its wallet leads to the wallet's own page.
#[test]
fn on_a_phone_a_token_is_offered_in_the_wallets_that_read_its_call() {
    journey(async |stage| {
        stage.browser.view(PHONE).await;
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "USDT", "ETH").await;
        page.until_alive().await;
        let script = "return [...document.querySelectorAll('[data-part=open-wallet]')].flatMap((link) =>
            link.checkVisibility() ? [[link.textContent.trim(), new URL(link.href).host]] : [])";
        let wallets = stage.browser.run(script, vec![]).await;
        let expected = serde_json::json!([
            ["Open in MetaMask", "link.metamask.io"],
            ["Open in Trust Wallet", "link.trustwallet.com"],
        ]);
        assert_eq!(wallets, expected);
        let links =
            "return [...document.querySelectorAll('[data-part=open-wallet]')].map((link) => link.href)";
        let links = stage.browser.run(links, vec![]).await.to_string();
        assert!(links.contains(payment.wallet_address.as_deref().expect("an address")), "{links}");
        assert!(!links.contains("sessionToken") && !links.contains(&*payment.payment_id), "{links}");
        axe::check(stage.browser, "two wallets on a phone").await;
        keep(stage.browser, "phone-two-wallets").await;
    });
}

/// A token on TRON has no link that any wallet opens, and the page advertises none.
#[test]
fn on_a_phone_copy_and_code_come_before_the_only_wallet_that_reads_a_link() {
    journey(async |stage| {
        stage.browser.view(PHONE).await;
        let page = stage.page();
        for (currency, network) in [("USDT", "TRX"), ("XRP", "XRP")] {
            stage.open_and_choose(&order(), currency, network).await;
            page.until_alive().await;
            let script = "const seen = [...document.querySelectorAll('[data-part]')].filter((part) => part.checkVisibility());
                const top = (name) => seen.find((part) => part.dataset.part === name)?.getBoundingClientRect().top;
                const parts = ['copy-amount', 'copy-address', 'qr', 'open-wallet'];
                return parts.every((part) => top(part)) && parts.sort((a, b) => top(a) - top(b))";
            eventually("all four are there, in this order", async || {
                stage.browser.run(script, vec![]).await
                    == serde_json::json!(["copy-amount", "copy-address", "qr", "open-wallet"])
            })
            .await;
            axe::check(stage.browser, "a code above its wallet on a phone").await;
            keep(stage.browser, &format!("phone-one-wallet-{currency}")).await;
        }
    });
}

#[test]
fn on_a_desktop_a_code_opens_the_same_payment_on_the_phone() {
    journey(async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "BTC", "BTC").await;
        page.until("can be continued elsewhere", |page| page.shown("hand-over").is_some()).await;
        page.click("hand-over").await;
        let shown = page.until("shows another code", |page| page.text.contains("camera")).await;
        axe::check(stage.browser, "the code for a phone").await;
        let link = qr::read(&whole_page(stage.browser).await).text;
        assert_eq!(Some(link.as_str()), shown.value("qr"));
        stage.browser.tab(&link).await;
        let there = page.until_screen("pay").await;
        assert_eq!(there.packed("address"), payment.wallet_address);
    });
}

#[test]
fn the_word_for_copied_covers_nothing() {
    journey(async |stage| {
        stage.browser.view(PHONE).await;
        let page = stage.page();
        stage.open_and_choose(&order(), "XRP", "XRP").await;
        let url = page.look().await.expect("a page is open").url;
        for locale in in_turn(&["en-US", "de-DE", "ru-RU", "en-XA"]) {
            page.open(&with_locale(&url, locale)).await;
            page.until_screen("pay").await;
            page.note_tag().await;
            for part in ["copy-amount", "copy-tag", "copy-address"] {
                page.click(part).await;
                page.until("is copied", |page| page.value(part) == Some("done")).await;
                let covered = stage.browser.run(COVERED, vec![]).await;
                assert_eq!(covered, serde_json::json!([]), "{locale}");
            }
        }
    });
}
