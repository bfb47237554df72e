//! What the page asks a wallet in the payer's browser.

use checkout_widget::page_url::PageUrl;
use checkout_widget::render::wallet_page;
use checkout_widget::words::LANGUAGES;
use checkout_wire::checkout_view::{CheckoutView, TestNetwork};
use checkout_wire::wallet_page::WalletPage;
use checkout_wire::{DepositStatus, Payment, PaymentStatus};

use crate::payments::{BTC, END, START, TRX, deposit, new, quoted, view, with};
use crate::player::page_url;

const TO: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const ACCOUNT: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const NOW: u64 = (START + 60) * 1_000;

fn ask(payment: Payment) -> WalletPage {
    wallet_page(page_url(), Box::new(view(payment)), None, NOW)
}

#[test]
fn the_transaction_is_what_the_page_shows() {
    let answer = ask(quoted("ETH", "ETH", TO, "0.02"));
    let ether = answer.payment.expect("it can be paid");
    assert_eq!((&*ether.currency, &*ether.network), ("ETH", "ETH"));
    assert_eq!((&*ether.amount, &*ether.address), ("0.02", TO));
    assert_eq!((&*ether.chain_id, &*ether.atoms), ("0x1", "0x470de4df820000"));
    let sent = ether.transaction;
    assert_eq!((&*sent.to, &*sent.value, &*sent.data), (TO, "0x470de4df820000", "0x"));
    assert_eq!((ether.balance, ether.chain), (None, None), "every wallet knows Ethereum");
    assert_eq!(ether.explorer.as_deref(), Some("https://etherscan.io/tx/"));

    let view = Box::new(view(quoted("USDT", "BSC", TO, "25.5")));
    let token = wallet_page(page_url(), view, Some(ACCOUNT), NOW).payment.expect("it can be paid");
    assert_eq!((&*token.chain_id, &*token.atoms), ("0x38", "0x161e232e52c760000"));
    let sent = token.transaction;
    assert_eq!((&*sent.to, &*sent.value), ("0x55d398326f99059fF775485246999027B3197955", "0x0"));
    let word = "0000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
    let amount = "00000000000000000000000000000000000000000000000161e232e52c760000";
    assert_eq!(sent.data, ["0xa9059cbb", word, amount].concat());
    let balance = token.balance.expect("a token has one");
    assert_eq!(balance.to, sent.to);
    assert_eq!(balance.data, "0x70a08231000000000000000000000000fb6916095ca1df60bb79ce92ce3ea74c37c5d359");
    let chain = token.chain.expect("a wallet may not know it");
    assert_eq!((&*chain.chain_id, &*chain.chain_name), ("0x38", "BNB Smart Chain"));
    assert_eq!((&*chain.native_currency.symbol, chain.native_currency.decimals), ("BNB", 18));
    assert_eq!(chain.rpc_urls, ["https://bsc-dataseed.bnbchain.org"]);
    assert_eq!(chain.block_explorer_urls, ["https://bscscan.com"]);
}

#[test]
fn the_rest_is_asked_for() {
    let part = deposit("0.5", "ETH", DepositStatus::Confirmed);
    let mut payment = with(quoted("ETH", "ETH", TO, "2"), PaymentStatus::Pending, vec![part]);
    payment.wallet_address = Some(TO.to_owned());
    let rest = ask(payment).payment.expect("something is left");
    assert_eq!((&*rest.amount, &*rest.atoms), ("1.5", "0x14d1120d7b160000"));
}

/// Nothing is asked for that would be lost, or paid twice.
#[test]
fn nothing_is_asked_for_when_nothing_is_to_be_sent() {
    #[track_caller]
    fn check(view: CheckoutView, now: u64) {
        let answer = wallet_page(page_url(), Box::new(view), Some(ACCOUNT), now);
        assert_eq!(answer, WalletPage::default());
    }
    let ether = || quoted("ETH", "ETH", TO, "0.02");
    check(view(new()), NOW);
    check(view(ether()), END * 1_000);
    check(CheckoutView { sandbox: true, ..view(ether()) }, NOW);
    for status in [DepositStatus::Unconfirmed, DepositStatus::Confirmed] {
        let seen = with(ether(), PaymentStatus::Awaiting, vec![deposit("0.02", "ETH", status)]);
        check(CheckoutView { remaining_amount: Some("0".into()), ..view(seen) }, NOW);
    }
    check(
        view(with(ether(), PaymentStatus::Deposited, vec![deposit("0.02", "ETH", DepositStatus::Confirmed)])),
        NOW,
    );
    check(view(quoted("ETH", "ETH", &TO.replace("5aA", "5aa"), "0.02")), NOW);
    check(view(quoted("USDT", "ETH", "0xdAC17F958D2ee523a2206206994597C13D831ec7", "25")), NOW);
    // No wallet in a browser is asked there.
    assert_eq!(ask(quoted("BTC", "BTC", BTC, "1")).payment, None);
}

/// A wallet with real coins does not know the chain.
#[test]
fn in_a_sandbox_only_a_rehearsed_page_asks() {
    #[track_caller]
    fn check(query: &str, payment: Payment, chain_id: Option<&str>) {
        let url = PageUrl { query: query.to_owned(), ..page_url() };
        let view = CheckoutView { sandbox: true, ..view(payment) };
        let asked = wallet_page(url, Box::new(view), None, NOW).payment;
        assert_eq!(asked.as_ref().map(|asked| &*asked.chain_id), chain_id);
        assert!(asked.is_none_or(|asked| asked.chain.is_none() && asked.explorer.is_none()));
    }
    let rehearsed = [&*page_url().query, "&wallet=simulated"].concat();
    check(&rehearsed, quoted("ETH", "ETH", TO, "0.02"), Some("0x73616e64626f78"));
    check(&rehearsed, quoted("USDT", "BSC", TO, "25.5"), Some("0x73616e64626f78"));
    check(&rehearsed, quoted("USDT", "TRX", TRX, "25.5"), None);
    check(&page_url().query, quoted("ETH", "ETH", TO, "0.02"), None);
    check(&[&*page_url().query, "&wallet=other"].concat(), quoted("ETH", "ETH", TO, "0.02"), None);
}

/// The account is asked for by the gateway, which knows the network.
#[test]
fn the_call_on_tron_is_what_the_page_shows() {
    let view = Box::new(view(quoted("USDT", "TRX", TRX, "25.5")));
    let answer = wallet_page(page_url(), view, Some("TDhuJ9S34RgZpg2a3LPWs6W8WJ9ch66KbH"), NOW);
    let token = answer.payment.expect("it can be paid");
    assert_eq!((&*token.currency, &*token.network), ("USDT", "TRX"));
    assert_eq!((&*token.amount, &*token.address), ("25.5", TRX));
    assert_eq!((&*token.chain_id, &*token.atoms), ("0x2b6653dc", "0x1851960"));
    assert_eq!(
        (&*token.transaction.to, &*token.transaction.value),
        ("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "0x0")
    );
    assert!(token.transaction.data.starts_with("0xa9059cbb"), "{}", token.transaction.data);
    assert_eq!((token.unsigned, token.obstacle, token.balance, token.chain), (None, None, None, None));
    assert_eq!(token.explorer.as_deref(), Some("https://tronscan.org/#/transaction/"));
    assert!(answer.texts["noFee"].contains("TRX") && answer.texts["wrongNetwork"].contains("TRON"));

    let network =
        TestNetwork { network: "TRX".into(), name: "Nile".into(), own_addresses: false, chain_id: None };
    let view = CheckoutView {
        test_networks: vec![network],
        ..crate::payments::view(quoted("USDT", "TRX", TRX, "2"))
    };
    assert_eq!(
        wallet_page(page_url(), Box::new(view), None, NOW).payment,
        None,
        "the contract is another one there"
    );
}

/// Its coins are sent on the test network that is configured, never on the main network. The contracts of tokens are known for the main
/// networks only.
#[test]
fn on_a_test_network() {
    let check = |currency, chain_id, expected: Option<&str>| {
        let network =
            TestNetwork { network: "ETH".into(), name: "Sepolia".into(), own_addresses: false, chain_id };
        let view = CheckoutView { test_networks: vec![network], ..view(quoted(currency, "ETH", TO, "2")) };
        let answer = wallet_page(page_url(), Box::new(view), Some(ACCOUNT), NOW);
        let facts = answer.payment.as_ref().map(|payment| &*payment.chain_id);
        assert_eq!(facts, expected, "{currency} {chain_id:?}");
        if let Some(payment) = answer.payment {
            assert_eq!((payment.chain, payment.explorer), (None, None), "they are those of the main network");
            assert!(answer.texts["wrongNetwork"].contains("Ethereum (Sepolia)"));
        }
    };
    check("ETH", Some(11_155_111), Some("0xaa36a7"));
    check("ETH", None, None);
    check("USDT", Some(11_155_111), None);
}

#[test]
fn an_account_that_is_none_reads_no_balance() {
    for account in [None, Some(""), Some("0x"), Some(BTC), Some("0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d358")]
    {
        let view = Box::new(view(quoted("USDT", "ETH", TO, "25")));
        let payment = wallet_page(page_url(), view, account, NOW).payment.expect("it can be paid");
        assert_eq!(payment.balance, None, "{account:?}");
    }
}

/// The script of the page finds each text that it may say, in every language.
#[test]
fn the_texts_are_those_of_the_script() {
    let script = include_str!("../../../www/wallet/texts.ts");
    let names: Vec<&str> = script.split('"').skip(1).step_by(2).collect();
    assert!(names.contains(&"sent") && names.len() > 20, "{names:?}");
    for (tag, _) in LANGUAGES {
        let url = PageUrl { query: format!("?sessionToken=abc&locale={tag}"), ..page_url() };
        let answer = wallet_page(url, Box::new(view(quoted("USDT", "BSC", TO, "1.5"))), None, NOW);
        let mut known: Vec<&str> = answer.texts.keys().map(String::as_str).collect();
        let mut used = names.clone();
        known.sort_unstable();
        used.sort_unstable();
        assert_eq!(known, used, "{tag}");
        for (name, text) in &answer.texts {
            assert!(!text.is_empty() && !text.contains('{'), "{tag} {name}: {text}");
        }
        assert!(answer.texts["noFee"].contains("BNB"), "{tag}");
        assert!(answer.texts["unknownNetwork"].contains("BNB Smart Chain (BEP-20)"), "{tag}");
    }
}
