//! The link to a wallet, and a device that has none.

use checkout_widget::effect::Effect;
use checkout_widget::event::{Act, What};
use checkout_widget::present::{self, Pay};

use crate::payments::{BTC, TRX, pending, pending_xrp, quoted};
use crate::player::Player;

fn pay(player: &Player) -> Pay {
    match player.model().body {
        present::Body::Pay(pay) => *pay,
        other => panic!("it asks for no payment: {other:?}"),
    }
}

const LTC: &str = "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9";
const EVM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

#[test]
fn a_link_that_one_wallet_reads_names_it() {
    let any = |label| (label, true);
    let [metamask, trust, xaman] =
        ["MetaMask", "Trust Wallet", "Xaman"].map(|name| format!("Open in {name}"));
    let [metamask, trust, xaman] = [&metamask, &trust, &xaman].map(|label| (label.as_str(), false));
    for (payment, expected) in [
        (pending(), vec![any("Open in Bitcoin wallet")]),
        (quoted("ETH", "ETH", EVM, "0.1"), vec![metamask, any("Open in Ethereum wallet")]),
        (quoted("USDT", "ETH", EVM, "268.5"), vec![metamask, trust]),
        (quoted("USDC", "BSC", EVM, "268.5"), vec![metamask, trust]),
        (quoted("USDT", "TRX", TRX, "268.5"), vec![trust]),
        (pending_xrp(), vec![xaman]),
        (quoted("LTC", "LTC", LTC, "2"), vec![any("Open in Litecoin wallet")]),
    ] {
        let wallets = pay(&Player::open(payment)).wallets;
        let labels: Vec<_> = wallets.iter().map(|wallet| (wallet.label.as_str(), wallet.is_scheme)).collect();
        assert_eq!(labels, expected);
    }
}

#[test]
fn a_device_without_a_wallet_is_told_so_after_two_seconds() {
    let mut player = Player::open(pending());
    player.act(Act::OpenWallet);
    let link = format!("bitcoin:{BTC}?amount=0.00412345");
    assert!(player.effects.contains(&Effect::OpenWallet(link)), "{:?}", player.effects);
    player.wait(1_999);
    assert_eq!(pay(&player).no_wallet, None);
    player.wait(player.wake());
    assert!(pay(&player).no_wallet.is_some_and(|text| text.starts_with("No wallet opened?")));
    assert!(player.model().announcement.starts_with("No wallet opened?"));
    // It stays while the payer copies, and goes with the next try.
    player.wait(20_000);
    assert!(pay(&player).no_wallet.is_some());
    player.act(Act::OpenWallet);
    assert_eq!(pay(&player).no_wallet, None);
}

#[test]
fn who_comes_back_from_the_error_of_a_link_is_told_at_once() {
    let mut player = Player::open(pending_xrp());
    player.play(What::WalletMissing);
    assert!(pay(&player).no_wallet.is_some_and(|text| text.contains("inside another app")));
    assert!(player.model().announcement.starts_with("No wallet opened?"));
}

/// A wallet that a link names has a web page of its own; what any wallet may have registered is tried by the page.
#[test]
fn the_page_tries_the_link_that_any_wallet_reads() {
    let mut player = Player::open(quoted("ETH", "ETH", EVM, "0.1"));
    player.act(Act::OpenWallet);
    let link = format!("ethereum:{EVM}@1?value=100000000000000000");
    assert!(player.effects.contains(&Effect::OpenWallet(link)), "{:?}", player.effects);
}

#[test]
fn a_wallet_that_comes_to_the_front_is_no_missing_one() {
    let mut player = Player::open(pending());
    player.act(Act::OpenWallet);
    player.wait(400);
    player.play(What::Hidden);
    player.wait(5_000);
    player.play(What::Returned);
    assert_eq!(pay(&player).no_wallet, None);
}
