//! A payer looks for a transfer: the link on the page, and the form that the server draws with the answer.

use checkout_core::transaction_id::TransactionIdError;
use checkout_core::{Amount, Currency, Network, pair};
use checkout_widget::present::Body;
use checkout_widget::render::draw_lookup;
use checkout_wire::Payment;
use checkout_wire::checkout_view::CheckoutView;
use checkout_wire::rules::{Coins, Finding};

use crate::payments::{expired, new, pending, seen, view};
use crate::player::{Player, page_url};

const ID: &str = "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b";

fn on(currency: &str, network: &str) -> Payment {
    Payment { deposit_currency: Some(currency.into()), expected_network: Some(network.into()), ..pending() }
}

fn drawn(payment: Payment, text: &str, finding: Option<&Finding>) -> Option<String> {
    let view = CheckoutView {
        support_url: Some("https://shop.example/help?o={reference}".to_owned()),
        ..view(payment)
    };
    draw_lookup(page_url(), Box::new(view), (text, finding), 0).map(|drawing| drawing.main)
}

fn link_on(view: CheckoutView) -> Option<String> {
    let player = Player::open_view(page_url(), view);
    let lookup = match player.model().body {
        Body::Pay(pay) => pay.lookup,
        Body::Seen(seen) => seen.lookup,
        Body::Expired(expired) => expired.lookup,
        other => panic!("{other:?}"),
    };
    lookup.map(|lookup| lookup.link.href)
}

#[test]
fn the_link_is_on_every_screen_with_an_address() {
    for payment in [pending(), seen(), expired()] {
        let link = link_on(view(payment)).expect("a link");
        assert!(link.contains("lookup=1") && link.contains("sessionToken="), "{link}");
    }
}

#[test]
fn the_form_needs_a_chosen_network() {
    assert!(drawn(pending(), "", None).is_some());
    assert_eq!(drawn(new(), "", None), None);
}

fn coins(amount: &str, currency: Currency, network: Network) -> Coins {
    let pair = pair::find(currency, network).expect("a pair");
    Coins { pair, amount: Amount::parse(amount, pair.decimals).expect("an amount") }
}

#[test]
fn every_finding_in_words() {
    let btc = || coins("0.001", Currency::Btc, Network::Btc);
    let xrp = || coins("12.5", Currency::Xrp, Network::Xrp);
    let usdc = || coins("2", Currency::Usdc, Network::Polygon);
    let waiting = |coins, confirmations, required| Finding::Waiting { coins, confirmations, required };
    let check = |payment: Payment, text: &str, finding: Finding, expected: &[&str]| {
        let drawn = drawn(payment, text, Some(&finding)).expect("a form");
        let code = format!("data-value=\"{}\"", finding.code());
        for part in expected.iter().copied().chain([&*code, "order-1", "https://shop.example/help?o="]) {
            assert!(drawn.contains(part), "{finding:?} lacks {part}: {drawn}");
        }
    };
    let is_wrong = |error| Finding::NoId(error);
    check(
        pending(),
        "",
        is_wrong(TransactionIdError::Empty),
        &["Enter the transaction ID first", "aria-invalid"],
    );
    check(
        pending(),
        "4a5e…",
        is_wrong(TransactionIdError::Character { position: 4 }),
        &["4a5e<mark>…</mark>", "cannot be in a transaction ID"],
    );
    check(
        pending(),
        &ID[1..],
        is_wrong(TransactionIdError::Length { digits: 63 }),
        &["has 64 characters; this one has 63"],
    );
    check(pending(), "bc1q", is_wrong(TransactionIdError::Address), &["This is an address"]);
    check(pending(), "K", is_wrong(TransactionIdError::Secret), &["private key"]);
    check(
        pending(),
        ID,
        is_wrong(TransactionIdError::OtherNetwork),
        &["not of Bitcoin", "cannot bring back"],
    );
    check(on("ETH", "ETH"), ID, is_wrong(TransactionIdError::OtherNetwork), &["start with 0x"]);
    check(
        pending(),
        ID,
        Finding::Unknown,
        &["do not see this transaction on Bitcoin yet", "Do not send again"],
    );
    check(pending(), ID, Finding::NotAsked, &["cannot be asked at the moment"]);
    check(pending(), ID, Finding::Failed, &["moved no money"]);
    check(pending(), ID, waiting(btc(), 0, 1), &["found your transfer of 0.001\u{a0}BTC", "told good"]);
    check(on("ETH", "ETH"), ID, waiting(usdc(), 3, 64), &["3 of 64 confirmations", "instead of"]);
    check(pending(), ID, Finding::Counted(btc()), &["has arrived and counts", "told good"]);
    check(pending(), ID, Finding::Held(btc()), &["does not count for this payment"]);
    let usdc_e = "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174";
    let not_taken =
        |amount: &str, asset: &str| Finding::NotTaken { asset: asset.into(), amount: amount.into() };
    check(
        on("USDC", "POLYGON"),
        ID,
        not_taken("25", usdc_e),
        &["received 25\u{a0}0x2791Bca1", "has it", "Do not send again"],
    );
    check(on("USDC", "POLYGON"), ID, not_taken("1.5", "POL"), &["received 1.5\u{a0}POL"]);
    check(pending(), ID, Finding::Unclear, &["cannot be read completely", "Do not send again"]);
    check(pending(), ID, Finding::TooSmall(btc()), &["too small to count"]);
    let other = |tag: Option<&str>, reported| Finding::OtherTag {
        coins: xrp(),
        tag: tag.map(str::to_owned),
        reported,
    };
    check(on("XRP", "XRP"), ID, other(None, false), &["without its Destination tag", "12.5\u{a0}XRP"]);
    let told = "The operator of this payment page has been notified";
    check(on("XRP", "XRP"), ID, other(None, true), &["without its Destination tag", told, "not guaranteed"]);
    for silent in [other(None, false), other(Some("4711"), false)] {
        let drawn = drawn(on("XRP", "XRP"), ID, Some(&silent)).expect("a form");
        assert!(!drawn.contains(told), "{silent:?}: {drawn}");
    }
    check(on("XRP", "XRP"), ID, other(Some("47<11"), false), &["another Destination tag (47&lt;11)"]);
    let paid = vec!["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq".to_owned()];
    check(
        pending(),
        ID,
        Finding::OtherAddress(paid.clone()),
        &["pays another address", "bc1q", "cannot bring back"],
    );
    check(pending(), ID, Finding::NoTransfer, &["transfers no coin"]);
}
