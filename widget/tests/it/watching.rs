//! The connection to the gateway: how often and for how long the page polls, and what it shows about the
//! connection.

use checkout_core::Currency;
use checkout_widget::connection::Purpose;
use checkout_widget::event::{Act, Body, Reply, What};
use checkout_widget::present;
use checkout_widget::screen::Problem;
use checkout_wire::checkout_view::CheckoutView;
use checkout_wire::payment::{Deposit, DepositStatus, Payment, PaymentStatus};

use crate::payments::{
    BTC, END, ID, START, TRX, counted, deposit, expired, new, paid, partial, pending, quoted, seen, view,
    with,
};
use crate::player::{Player, chosen, page_url};

#[test]
fn an_unchanged_payment_is_polled_with_its_etag() {
    let mut player = Player::open(pending());
    assert_eq!(player.wait_for_call().etag, None, "the first answer had none");
    player.reply(Reply {
        etag: Some("\"1\"".into()),
        body: Body::View(Box::new(view(pending()))),
        ..player.bare(200)
    });
    assert_eq!(player.wait_for_call().etag.as_deref(), Some("\"1\""));
    player.answer(304, Body::Empty);
    assert_eq!(player.screen(), "pay");
    assert_eq!(player.wait_for_call().etag.as_deref(), Some("\"1\""), "it is still the same");
    player.watch(seen());
    assert_eq!(player.screen(), "seen");
}

#[test]
fn a_wait_of_15_minutes_takes_at_most_120_calls_in_total() {
    let mut player = Player::open(Payment { expiration_minutes: 60, ..pending() });
    let mut calls = 1;
    while player.now < 15 * 60_000 {
        player.wait_for_call();
        calls += 1;
        player.now += 30;
        player.answer(304, Body::Empty);
    }
    assert!((90..=120).contains(&calls), "{calls}");
}

#[test]
fn changes_are_shown_within_three_seconds_while_fresh() {
    let mut player = Player::open(pending());
    let shown = player.now;
    player.wait_for_call();
    assert!(player.now - shown <= 2_600, "{}", player.now - shown);
}

#[test]
fn a_hidden_page_polls_rarely_and_at_once_on_return() {
    let mut player = Player::open(pending());
    player.play(What::Hidden);
    player.wait_for_call();
    player.answer(304, Body::Empty);
    let left = player.now;
    player.wait_for_call();
    assert!(player.now - left >= 30_000);
    player.answer(304, Body::Empty);
    player.now += 10_000;
    player.play(What::Returned);
    assert!(player.call().is_some(), "at once");
    player.answer(304, Body::Empty);
    player.play(What::Returned);
    assert!(player.call().is_none(), "but not twice for one return");
}

#[test]
fn a_call_from_before_a_sleep_does_not_delay_the_next() {
    let mut player = Player::open(pending());
    let old = player.wait_for_call().id;
    player.now += 60_000;
    player.play(What::Returned);
    let new = player.call().expect("a new call").id;
    assert_ne!(old, new);
    player.see(seen());
    assert_eq!(player.screen(), "seen");
}

#[test]
fn going_online_polls_at_once_and_offline_is_shown() {
    let mut player = Player::open(pending());
    player.play(What::Offline);
    let model = player.model();
    assert!(!model.connection.online && model.connection.text.contains("still being watched"));
    assert_eq!(model.announcement, model.connection.text);
    assert_eq!(model.screen, "pay", "the screen stays");
    player.now += 8_000;
    player.play(What::Online);
    assert!(player.call().is_some());
    player.see(paid());
    assert!(player.model().connection.online);
    assert_eq!(player.screen(), "paid");
}

#[test]
fn only_the_second_lost_call_is_shown() {
    let mut player = Player::open(pending());
    player.wait_for_call();
    player.lose();
    assert!(player.model().connection.online);
    player.wait_for_call();
    player.answer(500, Body::Empty);
    assert!(!player.model().connection.online);
    player.wait_for_call();
    player.answer(304, Body::Empty);
    assert!(player.model().connection.online);
    assert_eq!(player.model().announcement, "Connected again");
}

#[test]
fn too_many_requests_is_not_a_failure() {
    let mut player = Player::open(pending());
    for _ in 0..5 {
        player.wait_for_call();
        let asked = player.now;
        player.reply(Reply { retry_after: Some(12), ..player.bare(429) });
        assert!(player.model().connection.online);
        player.wait_for_call();
        assert!(player.now - asked >= 12_000);
        player.answer(304, Body::Empty);
    }
}

#[test]
fn a_token_refused_for_a_minute_counts_as_expired_but_polling_continues() {
    let mut player = Player::open(pending());
    player.wait_for_call();
    let first = player.now;
    while player.page.state.problem().is_none() {
        assert_eq!(player.screen(), "pay", "the cause may be a faulty deployment");
        player.answer(if player.now.is_multiple_of(2) { 404 } else { 401 }, Body::Empty);
        if player.page.state.problem().is_none() {
            player.wait_for_call();
        }
    }
    assert!(player.now - first >= 60_000, "{}", player.now - first);
    assert_eq!(player.page.state.problem().map(Problem::code), Some("link_invalid"));
    for _ in 0..20 {
        let asked = player.now;
        player.wait_for_call();
        assert!(player.now - asked <= 30_000);
        player.answer(404, Body::Empty);
    }
    player.wait_for_call();
    player.see(seen());
    assert_eq!(player.screen(), "seen", "polling never stops");
}

#[test]
fn a_receipt_outlives_its_token() {
    let mut player = Player::open(paid());
    for _ in 0..20 {
        player.wait_for_call();
        player.answer(401, Body::Empty);
        assert_eq!(player.screen(), "paid");
    }
}

#[test]
fn a_hanging_call_is_shown_after_five_seconds() {
    let mut player = Player::open(pending());
    player.wait_for_call();
    let asked = player.now;
    while player.model().connection.online {
        player.wait(player.wake());
    }
    assert_eq!(player.now - asked, 5_000);
    assert!(!player.model().announcement.is_empty());
    player.answer(304, Body::Empty);
    assert!(player.model().connection.online);
}

#[test]
fn a_requested_wait_is_bounded_and_shown() {
    for status in [429, 503] {
        let mut player = Player::open(pending());
        player.wait_for_call();
        player.reply(Reply { retry_after: Some(600), ..player.bare(status) });
        let asked = player.now;
        assert!(player.model().connection.text.contains("within 30 seconds"), "{status}");
        player.wait_for_call();
        assert!((30_000..=31_000).contains(&(player.now - asked)), "{status}: {}", player.now - asked);
        player.answer(304, Body::Empty);
        assert_eq!(player.model().connection.text, "", "{status}");
    }
}

#[test]
fn the_end_of_the_window_is_shown_and_polled() {
    let mut player = Player::open(pending());
    player.wait_for_call();
    player.answer(304, Body::Empty);
    // No more answers until the end.
    player.page.shared.connection.due = Some(u64::MAX);
    let end = (END - START - 20) * 1_000;
    while player.screen() == "pay" {
        player.wait(player.wake());
    }
    assert_eq!(player.screen(), "expired");
    // The first answer took 100 ms; the time is known to within half of that.
    assert!((end - 50..=end + 1_000).contains(&player.now), "{} for {end}", player.now);
    assert_eq!(
        player.call().map(|call| call.purpose),
        Some(Purpose::Watch),
        "the gateway may have newer data"
    );
    player.watch(seen());
    assert_eq!(player.screen(), "seen", "a transfer that was in time");
}

#[test]
fn an_expired_payment_is_still_watched() {
    let mut player = Player::open(expired());
    player.watch(paid());
    assert_eq!(player.screen(), "paid");
}

#[test]
fn a_vanished_transfer_is_due_again() {
    let mut player = Player::open(seen());
    player.watch(pending());
    assert_eq!(player.screen(), "pay");
}

#[test]
fn the_countdown_ticks_every_second_while_visible() {
    let mut player = Player::open(pending());
    player.wait_for_call();
    player.answer(304, Body::Empty);
    let mut last = player.page.shared.seconds_left().unwrap();
    for _ in 0..50 {
        player.wait(player.wake());
        if player.call().is_some() {
            player.answer(304, Body::Empty);
        }
        let left = player.page.shared.seconds_left().unwrap();
        assert!(last - left <= 1, "{last} to {left}");
        last = left;
    }
    player.play(What::Hidden);
    player.page.shared.connection.due = Some(player.now + 1_000_000);
    player.wait(player.wake());
    assert!(player.wake() > 5_000, "a hidden page does not tick");
}

#[test]
fn only_the_marks_of_the_countdown_are_announced() {
    let mut player = Player::open(pending());
    let mut announced = Vec::new();
    while player.page.shared.seconds_left().is_some_and(|left| left > 5) {
        player.wait(player.wake());
        if player.page.shared.connection.in_flight.is_some() {
            player.answer(304, Body::Empty);
        }
        let text = player.model().announcement;
        if text.contains("left") && announced.last() != Some(&text) {
            announced.push(text);
        }
    }
    assert_eq!(announced, ["3 minutes left to pay", "1 minute left to pay", "30 seconds left to pay"]);
}

#[test]
fn a_wrong_device_clock_changes_nothing() {
    let mut player = Player::open(pending());
    let left = player.page.shared.seconds_left();
    for wall in [0, 1_000, u64::from(u32::MAX) * 1_000] {
        player.play(What::Woke { wall });
        player.answer_if_asked();
        assert_eq!(player.page.shared.seconds_left(), left, "the device says {wall}");
        assert_eq!(player.screen(), "pay");
    }
}

#[test]
fn after_a_sleep_the_time_is_requested_before_it_is_shown() {
    let mut player = Player::open(pending());
    player.wait(100);
    player.answer_if_asked();
    // Ten minutes of sleep, during which the page's own clock stopped.
    player.now += 1_000;
    player.play(What::Woke { wall: 1_000_000 + player.now + 600_000 });
    assert_eq!(player.page.shared.seconds_left(), None, "unknown rather than wrong");
    assert_eq!(player.screen(), "pay");
    assert_eq!(player.model().header.and_then(|header| header.countdown).map(|c| c.seconds), Some(None));
    player.offset += 600_000;
    player.answer_if_asked();
    assert_eq!(player.page.shared.seconds_left(), Some(15 * 60 - 20 - 601 - 1));
}

#[test]
fn one_resource_is_polled() {
    let mut player = Player::open(pending());
    assert_eq!(player.wait_for_call().path, format!("/api/v1/checkout/{ID}"));
}

/// Each row: versions of the answers after version 10, and whether the last one is shown.
#[test]
fn an_older_answer_is_ignored() {
    for (versions, shown) in
        [(&[11, 10][..], false), (&[12, 11], false), (&[11, 11], true), (&[11, 12], true)]
    {
        let mut player = Player::open(pending());
        let (last, first) = versions.split_last().expect("answers");
        for version in first {
            player.wait_for_call();
            player.see_version(*version, paid());
        }
        player.wait_for_call();
        player.see_version(*last, pending());
        assert_eq!(player.screen(), if shown { "pay" } else { "paid" }, "{versions:?}");
        assert!(player.model().connection.online);
        assert_eq!(player.wait_for_call().etag, None, "{versions:?}: the newest is requested in full");
        player.see_version(13, expired());
        assert_eq!(player.screen(), "expired", "{versions:?}");
    }
}

#[test]
fn an_answer_from_before_a_choice_does_not_undo_it() {
    let mut player = Player::open(new());
    player.watch(new());
    player.act(Act::ChooseCurrency(Currency::Btc));
    player.answer(200, chosen(pending()));
    player.wait_for_call();
    player.see_version(player.version, new());
    assert_eq!(player.screen(), "pay");
    player.watch(seen());
    assert_eq!(player.screen(), "seen");
}

#[test]
fn a_choice_on_another_page_is_shown() {
    let mut player = Player::open(pending());
    player.watch(quoted("USDT", "TRX", TRX, "268.523401"));
    assert!(news(&player).is_some_and(|text| text.contains("USDT on TRON (TRC-20)")), "{:?}", news(&player));
    player.watch(quoted("USDT", "TRX", TRX, "268.523401"));
    assert!(news(&player).is_some(), "it stays");
    let mut player = Player::open(pending());
    player.watch(pending());
    assert_eq!(news(&player), None);
}

#[test]
fn a_vanished_transfer_is_shown() {
    let vanished = |payment| CheckoutView { transfer_vanished: true, ..view(payment) };
    let is_shown =
        |player: &Player| news(player).is_some_and(|text| text.contains("no longer on the network"));
    for (before, after) in
        [(seen(), pending()), (paid(), pending()), (partial(), pending()), (partial(), partial())]
    {
        let mut player = Player::open(before);
        player.watch_view(vanished(after));
        assert!(is_shown(&player));
        player.watch(pending());
        assert_eq!(news(&player), None, "the transfer is back");
    }
    assert!(is_shown(&Player::open_view(page_url(), vanished(pending()))), "on a page that opens later");
}

/// Not as the screen that it leads to.
#[test]
fn a_vanished_transfer_is_announced_as_what_it_is() {
    let vanished = |payment| CheckoutView { transfer_vanished: true, ..view(payment) };
    for (before, after) in
        [(seen(), pending()), (paid(), pending()), (partial(), pending()), (partial(), partial())]
    {
        let mut player = Player::open(before);
        player.watch_view(vanished(after));
        let said = player.model().announcement;
        assert!(said.contains("no longer on the network. Check your wallet"), "{said}");
        // The next answer repeats it; it is not announced again.
        player.wait(7_000);
        player.watch_view(vanished(pending()));
        assert!(!player.model().announcement.contains("no longer"), "{}", player.model().announcement);
    }
    let opened_later = Player::given(page_url(), vanished(pending()));
    assert_eq!(opened_later.model().announcement, "", "the page has the text from the start");
}

#[test]
fn a_change_of_currency_in_another_tab_is_announced_as_what_it_is() {
    let mut player = Player::open(pending());
    player.wait(7_000);
    player.watch(quoted("USDT", "TRX", TRX, "268.523401"));
    let said = player.model().announcement;
    assert!(said.contains("changed on another page") && said.contains("USDT on TRON (TRC-20)"), "{said}");
    player.wait(7_000);
    player.watch(quoted("USDT", "TRX", TRX, "268.523401"));
    assert_eq!(player.model().announcement, "");
    player.watch(quoted("USDT", "BSC", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "268.5"));
    let said = player.model().announcement;
    assert!(said.contains("USDT on BNB Smart Chain"), "changed once more: {said}");
}

#[test]
fn a_waiting_transfer_shows_its_confirmations() {
    let two = || {
        let second = Deposit { id: "e".into(), ..deposit("0.002", "BTC", DepositStatus::Unconfirmed) };
        let first = deposit("0.003", "BTC", DepositStatus::Unconfirmed);
        with(pending(), PaymentStatus::Awaiting, vec![first, second])
    };
    let one_left = || {
        let mut payment = two();
        payment.deposits[0].status = DepositStatus::Confirmed.into();
        payment
    };
    let check = |payment: Payment, counts: &[(u64, u64)], step: &str, deposits: &[&str], usual: &str| {
        let player = Player::open_view(page_url(), counted(payment, counts));
        let present::Body::Seen(seen) = player.model().body else { panic!("seen") };
        assert_eq!(seen.steps.each_ref().map(|step| &*step.label), ["Seen", step, "Confirmed"], "{counts:?}");
        let lines: Vec<_> = seen.deposits.iter().map(|line| line.time.split_once(" · ")).collect();
        let lines: Vec<_> = lines.into_iter().map(|line| line.map_or("", |(_, count)| count)).collect();
        assert_eq!(lines, deposits, "{counts:?}");
        assert!(seen.steps[1].note.as_ref().is_some_and(|text| text.contains(usual)), "{:?}", seen.steps);
    };
    let (uncounted, plain) = ("Confirming", "");
    check(seen(), &[], uncounted, &[plain], "about 10 minutes");
    check(seen(), &[(0, 1)], uncounted, &[plain], "about 10 minutes");
    check(seen(), &[(0, 2)], "0 of 2 confirmations", &["0 of 2 confirmations"], "about 20 minutes");
    check(seen(), &[(1, 2)], "1 of 2 confirmations", &["1 of 2 confirmations"], "about 20 minutes");
    check(seen(), &[(7, 6)], uncounted, &[plain], "about 10 minutes");
    let both = ["3 of 6 confirmations", "1 of 6 confirmations"];
    check(two(), &[(3, 6), (1, 6)], "1 of 6 confirmations", &both, "about 60 minutes");
    check(two(), &[(1, 2)], uncounted, &["1 of 2 confirmations", plain], "about 10 minutes");
    let last = ["", "1 of 6 confirmations"];
    check(one_left(), &[(6, 6), (1, 6)], "1 of 6 confirmations", &last, "about 60 minutes");
}

/// An answer with an older version changes nothing, and a block changes only the numbers.
#[test]
fn confirmations_rise_and_never_go_back_by_an_older_answer() {
    let mut player = Player::open(pending());
    let mut check = |version, done, expected: &str| {
        player.wait_for_call();
        let view = CheckoutView { version, ..counted(seen(), &[(done, 6)]) };
        player.answer(200, Body::View(Box::new(view)));
        let model = player.model();
        let present::Body::Seen(seen) = model.body else { panic!("seen") };
        assert_eq!(seen.steps[1].label, expected, "{version}");
    };
    check(5, 1, "1 of 6 confirmations");
    check(6, 2, "2 of 6 confirmations");
    check(5, 1, "2 of 6 confirmations");
    check(7, 0, "0 of 6 confirmations");
}

/// Quoted in BTC, changed to USDT, paid to the BTC address.
#[test]
fn a_transfer_keeps_its_own_asset_and_network() {
    let mut player = Player::open(pending());
    let usdt = quoted("USDT", "TRX", TRX, "268.523401");
    player.watch(usdt.clone());
    let deposits = |status| vec![Deposit { to_address: BTC.into(), ..deposit("0.00412345", "BTC", status) }];
    player.watch(with(usdt.clone(), PaymentStatus::Awaiting, deposits(DepositStatus::Unconfirmed)));
    let present::Body::Seen(shown) = player.model().body else { panic!("seen") };
    assert!(shown.text.contains("0.00412345\u{a0}BTC") && shown.text.contains("Bitcoin"), "{}", shown.text);
    assert!(shown.steps[1].note.as_ref().is_some_and(|text| text.contains("10 minutes")));
    let paid = with(usdt, PaymentStatus::Deposited, deposits(DepositStatus::Confirmed));
    player.watch(Payment { actual_deposit_amount: "268.523401".into(), ..paid });
    let present::Body::Done(done) = player.model().body else { panic!("paid") };
    let all = checkout_widget::render::render(player.model());
    let received = &done.rows[0].value;
    assert!(received.contains("0.00412345\u{a0}BTC") && all.contains("Bitcoin"), "{received}");
    assert!(!all.contains("USDT") && !all.contains("TRON"), "{all}");
}

fn news(player: &Player) -> Option<String> {
    match player.model().body {
        present::Body::Pay(pay) => pay.news,
        other => panic!("nothing to pay: {other:?}"),
    }
}

#[test]
fn an_unreadable_poll_keeps_the_screen() {
    let mut player = Player::open(pending());
    player.wait_for_call();
    player.answer(200, Body::Unreadable);
    assert_eq!(player.screen(), "pay");
    assert_eq!(player.wait_for_call().etag, None);
    player.watch(Payment { status: PaymentStatus::Awaiting.into(), ..seen() });
    assert_eq!(player.screen(), "seen");
}

impl Player {
    fn answer_if_asked(&mut self) {
        if self.page.shared.connection.in_flight.is_some() {
            self.answer(304, Body::Empty);
        }
    }
}
