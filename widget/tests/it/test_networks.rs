//! Payments on networks whose coins have no value.

use checkout_widget::present;
use checkout_widget::render::render;
use checkout_widget::words::{LANGUAGES, find};
use checkout_wire::Payment;
use checkout_wire::checkout_view::{CheckoutView, TestNetwork};

use crate::payments::{BTC, TRX, XRP, new, option, paid, pending, pending_xrp, quoted, view};
use crate::player::{Player, page_url};

const SIGNET: &str = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx";
const EVM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

fn test(network: &str, name: &str, own_addresses: bool) -> TestNetwork {
    TestNetwork { network: network.into(), name: name.into(), own_addresses, chain_id: None }
}

fn open(payment: Payment, test_networks: Vec<TestNetwork>) -> Player {
    Player::open_view(page_url(), CheckoutView { test_networks, ..view(payment) })
}

/// On a test network with addresses of its own these are drawn, and those of the main network are not.
#[test]
fn only_addresses_of_the_network_in_use_are_drawn() {
    let check = |address: &str, tests: Vec<TestNetwork>, expected: &str| {
        let player = open(quoted("BTC", "BTC", address, "0.004"), tests.clone());
        assert_eq!(player.screen(), expected, "{address} on {tests:?}");
        assert_eq!(render(player.model()).contains(address), expected == "pay");
    };
    check(SIGNET, vec![test("BTC", "signet", true)], "pay");
    check(BTC, vec![test("BTC", "signet", true)], "problem");
    check(SIGNET, vec![], "problem");
    check(BTC, vec![], "pay");
    check(SIGNET, vec![test("LTC", "regtest", true)], "problem");
    check("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsy", vec![test("BTC", "signet", true)], "problem");
}

#[test]
fn every_language_says_that_the_coins_have_no_value() {
    let player = open(quoted("BTC", "BTC", SIGNET, "0.004"), vec![test("BTC", "signet", true)]);
    for (tag, _) in LANGUAGES {
        let model = player.model_in(find(&[Some(tag)]));
        let banner = model.banner.clone().expect("a banner");
        assert!(banner.contains("signet"), "{tag}: {banner}");
        assert!(render(model).contains(&banner), "{tag}");
    }
    assert_eq!(player.model().banner.as_deref(), Some("Test network (signet): its coins have no value"));
}

#[test]
fn the_banner_stands_where_only_tests_are_offered_and_after_the_choice() {
    let options = vec![option("BTC", "BTC", None), option("LTC", "LTC", None)];
    let choosing = |test_networks| {
        let view = CheckoutView { options: options.clone(), test_networks, ..view(new()) };
        Player::open_view(page_url(), view)
    };
    let all = vec![test("BTC", "signet", true), test("LTC", "regtest", true)];
    assert!(choosing(all).model().banner.is_some_and(|text| text.contains("signet, regtest")));
    assert_eq!(choosing(vec![test("BTC", "signet", true)]).model().banner, None, "LTC is real money");
    let tests = || vec![test("XRP", "testnet", false)];
    assert!(open(pending_xrp(), tests()).model().banner.is_some());
    assert_eq!(open(pending(), tests()).model().banner, None, "BTC is real money");
}

#[test]
fn a_network_is_offered_with_the_name_of_its_test_network() {
    let options = vec![option("USDT", "ETH", None), option("USDT", "TRX", None)];
    let view = CheckoutView { options, test_networks: vec![test("ETH", "Sepolia", false)], ..view(new()) };
    let mut player = Player::open_view(page_url(), view);
    if let present::Body::Choose(choose) = player.model().body
        && let Some(present::Choice { pick: present::Pick::Currency(usdt), .. }) = choose.choices.first()
    {
        player.act(checkout_widget::event::Act::ChooseCurrency(*usdt));
    }
    let present::Body::Choose(choose) = player.model().body else { panic!("no networks") };
    let names: Vec<_> = choose.choices.iter().map(|choice| choice.name.as_str()).collect();
    assert_eq!(names, ["Ethereum (ERC-20) · Sepolia", "TRON (TRC-20)"]);
}

/// A wallet opens `ethereum:…` on the main network, where the coins are real.
#[test]
fn no_link_leads_a_wallet_to_the_main_network() {
    let check = |payment: Payment, test_network: TestNetwork, has_link: bool| {
        let player = open(payment, vec![test_network]);
        let present::Body::Pay(pay) = player.model().body else { panic!("nothing to pay") };
        assert_eq!(!pay.wallets.is_empty(), has_link, "{:?}", pay.wallets);
        assert_eq!(pay.qr.switch.is_some(), has_link, "{:?}", pay.qr);
        if !has_link {
            assert!(!pay.qr.payload.contains(':'), "{}", pay.qr.payload);
        }
    };
    check(quoted("ETH", "ETH", EVM, "0.1"), test("ETH", "Sepolia", false), false);
    check(quoted("USDT", "TRX", TRX, "268.5"), test("TRX", "Nile", false), false);
    check(pending_xrp(), test("XRP", "testnet", false), false);
    check(quoted("BTC", "BTC", SIGNET, "0.004"), test("BTC", "signet", true), true);
    assert!(render(open(pending_xrp(), vec![]).model()).contains(XRP));
}

#[test]
fn a_receipt_of_a_test_links_to_no_explorer() {
    let signet = Payment { wallet_address: Some(SIGNET.into()), ..paid() };
    let player = open(signet, vec![test("BTC", "signet", true)]);
    let present::Body::Done(done) = player.model().body else { panic!("not done") };
    assert_eq!(done.explorer, None);
}
