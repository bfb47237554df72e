//! Currency, network, and the quote.

use checkout_core::{Currency, Network};
use checkout_widget::connection::Purpose;
use checkout_widget::effect::Effect;
use checkout_widget::event::{Act, Body, Reply, What};
use checkout_widget::page_url::PageUrl;
use checkout_widget::present::{self, Choose};
use checkout_widget::screen::Problem;
use checkout_wire::PaymentStatus;
use checkout_wire::payment::DepositStatus;

use crate::payments::{END, ID, START, TRX, deposit, expired, new, option, pending, quoted, view, with};
use crate::player::{Player, chosen, page_url};

fn list(player: &Player) -> Choose {
    match player.model().body {
        present::Body::Choose(choose) => choose,
        other => panic!("not a choice: {other:?}"),
    }
}

fn codes(player: &Player) -> Vec<&'static str> {
    list(player).choices.iter().map(|choice| choice.code).collect()
}

#[test]
fn the_list_has_the_supported_currencies() {
    let player = Player::open(new());
    assert_eq!(codes(&player), ["BTC", "USDT", "XRP"]);
    let choose = list(&player);
    assert_eq!(choose.choices[0].note, "≈\u{a0}0.0041235 BTC");
    assert_eq!(choose.choices[2].note, "XRP", "no estimate");
    let networks = choose.choices[1].networks.as_ref().expect("several");
    assert_eq!(networks.codes, ["TRX", "BSC"]);
    assert_eq!((choose.back, choose.warns), (None, false));
}

#[test]
fn one_network_is_chosen_automatically() {
    let mut player = Player::open(new());
    player.act(Act::ChooseCurrency(Currency::Btc));
    let call = player.call().expect("a call");
    assert_eq!((call.method, call.purpose), ("PATCH", Purpose::Quote));
    assert_eq!(call.path, format!("/api/v1/payments/{ID}"));
    assert_eq!(call.body.as_deref(), Some(r#"{"depositCurrency":"BTC","network":"BTC"}"#));
    assert!(list(&player).choices[0].asking && list(&player).choices[1].disabled);

    player.act(Act::ChooseCurrency(Currency::Xrp));
    assert_eq!(player.call(), None, "one choice at a time");
    player.answer(200, chosen(pending()));
    assert_eq!(player.screen(), "pay");
    assert!(player.effects.contains(&Effect::Focus { asked: true }));
}

/// As on the page that the server draws; before the next poll.
#[test]
fn the_exchange_rate_is_there_with_the_address() {
    let mut player = Player::open(new());
    player.act(Act::ChooseCurrency(Currency::Btc));
    player.answer(200, chosen(pending()));
    let present::Body::Pay(pay) = player.model().body else { panic!("it asks for the payment") };
    assert!(pay.worth.is_some_and(|worth| worth.contains("60386.41")));
}

#[test]
fn several_networks_are_shown_with_their_standard() {
    let mut player = Player::open(new());
    player.act(Act::ChooseCurrency(Currency::Usdt));
    assert_eq!(player.call(), None);
    let choose = list(&player);
    let names: Vec<_> = choose.choices.iter().map(|choice| choice.name.as_str()).collect();
    assert_eq!(names, ["TRON (TRC-20)", "BNB Smart Chain (BEP-20)"]);
    assert!(choose.warns && choose.hint.contains("USDT") && choose.title.contains("USDT"));

    player.act(Act::GoBack);
    assert_eq!(codes(&player), ["BTC", "USDT", "XRP"]);
    player.act(Act::ChooseCurrency(Currency::Usdt));
    player.act(Act::ChooseNetwork(Network::Eth));
    assert_eq!(player.call(), None, "not on offer");
    player.act(Act::ChooseNetwork(Network::Trx));
    let body = player.call().and_then(|call| call.body.clone());
    assert_eq!(body.as_deref(), Some(r#"{"depositCurrency":"USDT","network":"TRX"}"#));
    player.answer(200, chosen(quoted("USDT", "TRX", TRX, "268.523401")));
    assert_eq!(player.screen(), "pay");
}

#[test]
fn networks_have_their_usual_time_and_fee() {
    let mut view = view(new());
    view.options = vec![
        option("USDT", "TRX", Some("268.523401")),
        option("USDT", "ETH", None),
        option("USDT", "BSC", None),
    ];
    view.options[0].required_confirmations = Some(19);
    view.options[1].required_confirmations = Some(96);
    view.options[1].usual_fee = Some("0.4".into());
    let mut player = Player::open_view(page_url(), view);
    player.act(Act::ChooseCurrency(Currency::Usdt));
    let notes: Vec<_> = list(&player).choices.into_iter().map(|choice| choice.note).collect();
    let expected = [
        "≈\u{a0}268.53 USDT\nUsually takes less than a minute. Network fee: varies, can be high.",
        "ETH\nUsually takes about 20 minutes. Network fee: about\u{a0}EUR:0.4.",
        "BSC\nNetwork fee: usually low.",
    ];
    assert_eq!(notes, expected);
    player.act(Act::ChooseNetwork(Network::Trx));
    assert!(!list(&player).choices[0].note.contains('\n'), "while it is asked for");
}

/// A robot that runs scripts starts no quote; a person presses the button.
#[test]
fn a_single_offer_of_a_page_of_its_own_is_a_button() {
    let mut view = view(new());
    view.options = vec![option("BTC", "BTC", None)];
    let mut player = Player::given(page_url(), view);
    for _ in 0..5 {
        assert!(player.call().is_none_or(|call| call.purpose != Purpose::Quote), "nothing is chosen");
        player.wait(player.wake());
    }
    assert_eq!((player.screen(), codes(&player)), ("choose", vec!["BTC"]));
    let choice = &list(&player).choices[0];
    assert_eq!((choice.value.as_str(), choice.asking, choice.disabled), ("BTC.BTC", false, false));
    player.act(Act::ChooseCurrency(Currency::Btc));
    player.answer(200, chosen(pending()));
    assert_eq!(player.screen(), "pay");
}

#[test]
fn a_single_offer_in_a_frame_is_chosen_automatically() {
    let mut view = view(new());
    view.options = vec![option("BTC", "BTC", None)];
    let framed = PageUrl { framed: true, ..page_url() };
    let mut drawn = Player::given(framed.clone(), view.clone());
    assert!(drawn.call().is_none() && !list(&drawn).choices[0].asking, "as the server draws it: a button");
    drawn.wait(drawn.wake());
    assert_eq!(drawn.call().map(|call| (call.purpose, drawn.now)), Some((Purpose::Quote, 900)), "at once");

    let mut hidden = Player::start_at(framed.clone());
    hidden.play(What::Hidden);
    hidden.answer(200, Body::View(Box::new(view.clone())));
    assert!(hidden.call().is_none(), "nobody sees it yet");
    hidden.play(What::Returned);
    assert_eq!(hidden.call().map(|call| call.purpose), Some(Purpose::Quote));

    let mut player = Player::open_view(framed.clone(), view.clone());
    assert_eq!(player.call().map(|call| call.purpose), Some(Purpose::Quote));
    player.answer(503, Body::Empty);
    assert_eq!((player.screen(), list(&player).notice.is_some()), ("choose", true));
    assert!(player.call().is_none(), "it does not repeat the request");
    player.act(Act::ChooseCurrency(Currency::Btc));
    player.answer(200, chosen(pending()));
    assert_eq!(player.screen(), "pay");

    view.options.clear();
    let player = Player::open_view(framed, view);
    assert_eq!(player.page.state.problem().map(Problem::code), Some("nothing_offered"));
}

#[test]
fn a_currency_fixed_by_the_merchant_cannot_be_changed() {
    let mut payment = new();
    payment.deposit_currency = Some("USDT".into());
    let player = Player::open(payment.clone());
    assert_eq!(codes(&player), ["USDT"]);
    payment.expected_network = Some("BSC".into());
    let mut player = Player::open(payment);
    player.act(Act::ChooseCurrency(Currency::Usdt));
    let body = player.call().and_then(|call| call.body.clone());
    assert_eq!(body.as_deref(), Some(r#"{"depositCurrency":"USDT","network":"BSC"}"#));
}

#[test]
fn a_refused_choice_shows_the_reason_and_keeps_the_list() {
    let rows = [(409, "cannot be changed"), (422, "not possible"), (503, "no exchange rate"), (429, "again")];
    for (status, words) in rows {
        let mut player = Player::open(new());
        player.act(Act::ChooseCurrency(Currency::Btc));
        player.reply(Reply { retry_after: Some(5), ..player.bare(status) });
        let busy = !player.model().connection.text.is_empty();
        assert_eq!(busy, status == 429, "{status}: a missing rate or network makes no gateway busy");
        let choose = list(&player);
        assert!(choose.notice.is_some_and(|notice| notice.contains(words)), "{status}: {:?}", choose.notice);
        assert!(!choose.choices[0].disabled, "{status}");
        assert!(!player.model().announcement.is_empty(), "{status}");
    }
    let mut player = Player::open(new());
    player.act(Act::ChooseCurrency(Currency::Btc));
    player.lose();
    assert!(list(&player).notice.is_some());
    player.watch(pending());
    assert_eq!(player.screen(), "pay", "the gateway had accepted the choice");
}

#[test]
fn a_hanging_choice_is_shown_after_five_seconds() {
    let mut player = Player::open(new());
    player.wait(1_000);
    player.act(Act::ChooseCurrency(Currency::Btc));
    let asked = player.now;
    while player.model().connection.online {
        player.wait(player.wake());
    }
    assert_eq!(player.now - asked, 5_000);
}

#[test]
fn a_late_poll_does_not_undo_a_choice() {
    let mut player = Player::open(new());
    player.wait_for_call();
    let look = player.page.shared.connection.in_flight.expect("a look").id;
    player.act(Act::ChooseCurrency(Currency::Btc));
    let reply = checkout_widget::event::Reply { body: Body::View(Box::new(view(new()))), ..player.bare(200) };
    player.play(checkout_widget::event::What::Answered {
        call: look,
        answer: checkout_widget::event::Answer::Reply(Box::new(reply)),
    });
    assert!(list(&player).choices[0].asking, "the older answer is ignored");
}

#[test]
fn the_currency_can_be_changed_until_a_transfer_is_seen() {
    let mut player = Player::open(pending());
    player.act(Act::ChangeCurrency);
    assert_eq!(player.screen(), "choose");
    assert!(list(&player).back.is_some());
    player.act(Act::GoBack);
    assert_eq!(player.screen(), "pay");
    player.act(Act::ChangeCurrency);
    player.watch(with(
        pending(),
        PaymentStatus::Awaiting,
        vec![deposit("0.00412345", "BTC", DepositStatus::Unconfirmed)],
    ));
    assert_eq!(player.screen(), "seen", "a transfer ends the choice");
    player.act(Act::ChangeCurrency);
    assert_eq!(player.screen(), "seen");
}

#[test]
fn an_expired_payment_gets_a_new_quote_in_one_action() {
    let mut player = Player::open(expired());
    player.act(Act::Renew);
    let body = player.call().and_then(|call| call.body.clone());
    assert_eq!(body.as_deref(), Some(r#"{"depositCurrency":"BTC","network":"BTC"}"#));
    let mut renewed = pending();
    renewed.payment_requested_at = Some((END + 5).into());
    player.offset = (END + 5) * 1_000 - player.now;
    player.answer(200, chosen(renewed));
    assert_eq!(player.screen(), "pay");
    assert_eq!(player.page.shared.seconds_left(), Some(15 * 60), "a whole new window");
}

#[test]
fn the_choice_is_possible_after_the_window() {
    let mut payment = new();
    payment.status = PaymentStatus::Expired.into();
    let mut player = Player::open(payment);
    assert_eq!(player.screen(), "expired");
    player.act(Act::Renew);
    assert_eq!(player.screen(), "choose");
    player.act(Act::ChooseCurrency(Currency::Btc));
    assert_eq!(player.call().map(|call| call.method), Some("PATCH"));
    player.answer(409, Body::Empty);
    assert!(list(&player).notice.is_some());
}

#[test]
fn the_countdown_is_hidden_while_the_payer_chooses() {
    let mut player = Player::open(new());
    assert_eq!(player.model().header.expect("a header").countdown, None);
    player.offset += (END - START - 20 - 299) * 1_000;
    player.wait_for_call();
    player.answer(304, Body::Empty);
    assert!(player.model().header.expect("a header").countdown.is_some(), "the last five minutes");
}
