//! A press that was meant for what stood there a moment ago decides nothing.

use checkout_core::{Currency, Network};
use checkout_widget::effect::Effect;
use checkout_widget::event::{Act, Body, What};
use checkout_widget::host::HostEvent;

use crate::embedding::greeted;
use crate::payments::{TRX, expired, new, pending, quoted, view};
use crate::player::{Player, chosen, page_url};

/// Brings a screen.
type Comes = fn(&mut Player);

/// Longer than between the two clicks of a double click.
const HALF_A_SECOND: u64 = 500;

fn choosing() -> Player {
    let mut player = Player::open(new());
    player.wait(2_000);
    player
}

#[test]
fn the_second_click_of_a_double_click_does_not_choose_the_network() {
    for pause in [0, 40, 120, 250, 499] {
        let mut player = choosing();
        player.act_at_once(Act::ChooseCurrency(Currency::Usdt));
        player.wait(pause);
        player.act_at_once(Act::ChooseNetwork(Network::Trx));
        assert_eq!(player.call(), None, "after {pause} ms");
        assert!(player.model().settling, "after {pause} ms");
    }
    let mut player = choosing();
    player.act_at_once(Act::ChooseCurrency(Currency::Usdt));
    player.wait(HALF_A_SECOND);
    assert!(!player.model().settling);
    player.act_at_once(Act::ChooseNetwork(Network::Trx));
    assert!(player.call().is_some_and(|call| call.method == "PATCH"));
}

/// The machine stood still between the clicks: the page handles the second one late.
#[test]
fn a_press_counts_when_it_was_made_and_not_when_it_is_handled() {
    for (pressed, counts) in
        [(0, false), (120, false), (499, false), (500, true), (900, true), (60_000, true)]
    {
        let mut player = choosing();
        player.act_at_once(Act::ChooseCurrency(Currency::Usdt));
        let pressed = player.now + pressed;
        player.wait(900);
        player.play(What::Did { act: Act::ChooseNetwork(Network::Trx), pressed });
        assert_eq!(
            player.call().is_some_and(|call| call.method == "PATCH"),
            counts,
            "pressed at {pressed} ms"
        );
    }
}

/// Nobody sees a screen before it is painted.
#[test]
fn no_press_counts_before_the_screen_is_painted() {
    let mut player = choosing();
    player.paints = false;
    player.act_at_once(Act::ChooseCurrency(Currency::Usdt));
    assert!(player.effects.contains(&Effect::ReportPaint));
    player.wait(2_000);
    player.act_at_once(Act::ChooseNetwork(Network::Trx));
    assert_eq!(player.call(), None);
    player.play(What::Painted);
    player.wait(HALF_A_SECOND - 1);
    player.act_at_once(Act::ChooseNetwork(Network::Trx));
    assert_eq!(player.call(), None);
    player.wait(1);
    player.act_at_once(Act::ChooseNetwork(Network::Trx));
    assert!(player.call().is_some_and(|call| call.method == "PATCH"));
}

/// A browser that reports no paint, or whose events carry no time.
#[test]
fn a_browser_with_wrong_times_makes_no_page_deaf() {
    let choose = |pressed, paints, wait| {
        let mut player = choosing();
        player.paints = paints;
        player.act_at_once(Act::ChooseCurrency(Currency::Usdt));
        player.wait(wait);
        player.play(What::Did { act: Act::ChooseNetwork(Network::Trx), pressed });
        player.call().is_some_and(|call| call.method == "PATCH")
    };
    assert!(choose(u64::MAX, false, 3_000));
    assert!(!choose(u64::MAX, false, 2_999));
    assert!(choose(0, true, 5_500));
    assert!(choose(0, false, 8_000));
}

/// The page wakes up for it: without an event it would stay closed to presses.
#[test]
fn presses_count_again_after_half_a_second() {
    let mut player = choosing();
    player.act_at_once(Act::ChooseCurrency(Currency::Usdt));
    assert!(player.wake() <= HALF_A_SECOND);
    while player.model().settling {
        player.wait(player.wake());
    }
    assert_eq!(player.now, 100 + 2_000 + HALF_A_SECOND);
}

/// Each press acts half a second after its screen has come, and not before.
#[test]
fn no_screen_takes_a_press_before_the_payer_can_have_seen_it() {
    let back = |player: &mut Player| player.act(Act::ChooseCurrency(Currency::Usdt));
    let list = |_: &mut Player| ();
    let quote = |player: &mut Player| player.watch(pending());
    let ended = |player: &mut Player| player.watch(expired());
    let cases: [(&str, Comes, Act); 6] = [
        ("a currency with one network", list, Act::ChooseCurrency(Currency::Btc)),
        ("back to the currencies", back, Act::GoBack),
        ("a network", back, Act::ChooseNetwork(Network::Bsc)),
        ("another currency", quote, Act::ChangeCurrency),
        ("the code for another device", quote, Act::HandOver),
        ("a new quote", ended, Act::Renew),
    ];
    for (name, comes, act) in cases {
        // The first screen has just come, or the one that the act needs.
        let mut player = Player::open(new());
        comes(&mut player);
        let before = player.model();
        player.act_at_once(act);
        assert_eq!(player.call().filter(|call| call.method == "PATCH"), None, "{name}");
        assert_eq!(player.model(), before, "{name}");
        player.wait(HALF_A_SECOND);
        player.act_at_once(act);
        let asked = player.call().is_some_and(|call| call.method == "PATCH");
        assert!(asked || player.model().body != before.body, "{name} does nothing later, either");
    }
}

/// A refused choice puts a message above the list, which moves every row.
#[test]
fn a_message_above_the_list_moves_it_under_the_finger() {
    let mut player = choosing();
    player.act_at_once(Act::ChooseCurrency(Currency::Btc));
    player.wait(200);
    player.answer(503, Body::Empty);
    player.act_at_once(Act::ChooseCurrency(Currency::Xrp));
    assert_eq!(player.call().filter(|call| call.method == "PATCH"), None);
    player.act(Act::ChooseCurrency(Currency::Xrp));
    assert!(player.call().is_some_and(|call| call.body.as_deref().is_some_and(|body| body.contains("XRP"))));
}

/// Another tab chose another currency: the screen is the same, its wallet link is not.
#[test]
fn a_quote_that_another_tab_changed_is_read_before_it_is_used() {
    let mut player = Player::open(pending());
    player.wait(2_000);
    player.watch(quoted("USDT", "TRX", TRX, "268.523401"));
    assert!(player.model().settling);
}

#[test]
fn a_tick_an_answer_without_news_and_the_servers_page_are_no_changes() {
    let mut player = Player::given(page_url(), view(new()));
    assert!(!player.model().settling, "the payer has seen the server's page");
    player.act_at_once(Act::ChooseCurrency(Currency::Btc));
    assert!(player.call().is_some());
    player.answer(200, chosen(pending()));
    player.wait(HALF_A_SECOND);
    for _ in 0..20 {
        player.wait(player.wake());
        assert!(!player.model().settling);
        if player.call().is_some() {
            player.see(pending());
            assert!(!player.model().settling);
        }
    }
}

#[test]
fn an_embedded_page_can_always_be_closed() {
    let mut player = greeted(new());
    player.act_at_once(Act::ChooseCurrency(Currency::Usdt));
    player.act_at_once(Act::Close);
    assert!(player.told().contains(&HostEvent::Close));
}
