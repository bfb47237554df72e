//! From the URL to the first screen.

use checkout_core::Currency;
use checkout_widget::connection::Purpose;
use checkout_widget::effect::Effect;
use checkout_widget::event::{Act, Body, Reply, What};
use checkout_widget::json::read;
use checkout_widget::page_data::{Found, PageData};
use checkout_widget::page_url::{PageUrl, Theme};
use checkout_widget::present;
use checkout_widget::render::draw;
use checkout_widget::screen::{Notice, Problem};
use checkout_wire::Payment;

use crate::payments::{ID, START, expired, new, pending, seen, view};
use crate::player::{Player, page_url};

#[test]
fn the_token_stays_in_the_query_and_the_payment_is_requested() {
    let player = Player::start_at(page_url());
    assert_eq!(player.screen(), "loading");
    assert!(player.effects.contains(&Effect::SetTheme(Theme::Light)));
    assert!(!player.effects.iter().any(|effect| matches!(effect, Effect::ShowAddress(_))));
    let call = player.call().expect("a call");
    assert_eq!((call.method, call.path.as_str()), ("GET", format!("/api/v1/checkout/{ID}").as_str()));
    assert_eq!((call.token.as_str(), call.purpose), ("abc", Purpose::Open));
    assert_eq!((&call.etag, &call.body), (&None, &None));
}

#[test]
fn a_token_in_the_fragment_moves_to_the_query() {
    let url = PageUrl { query: "?theme=DARK".into(), fragment: "#sessionToken=abc".into(), ..page_url() };
    let player = Player::start_at(url);
    assert_eq!(player.call().expect("a call").token, "abc");
    let shown = format!("/checkout/{ID}?theme=DARK&sessionToken=abc");
    assert!(player.effects.contains(&Effect::ShowAddress(shown)));
}

#[test]
fn the_servers_data_is_not_requested_again() {
    let mut player = Player::given(page_url(), view(pending()));
    assert_eq!((player.screen(), player.call()), ("pay", None));
    // The server's time lies between the opening of the page and now: half of 900 ms is the best estimate.
    assert_eq!(player.page.shared.seconds_left(), Some(15 * 60 - 22));
    assert!(!player.effects.iter().any(|effect| matches!(effect, Effect::Focus { .. })), "nothing changed");
    assert_eq!(player.model().announcement, "", "nothing is announced");
    let call = player.wait_for_call();
    assert_eq!(call.purpose, Purpose::Watch);
    assert!(player.now <= 900 + 2_600, "{}", player.now);

    let mut other = view(pending());
    other.payment.payment_id = "another".into();
    assert_eq!(Player::given(page_url(), other).screen(), "problem");
}

#[test]
fn a_choice_begun_without_script_continues() {
    let at = |query: &str| PageUrl { query: format!("?sessionToken=abc&{query}"), ..page_url() };
    let chosen = |player: &Player| player.page.state.chosen();
    let networks = Player::given(at("currency=USDT"), view(new()));
    assert_eq!((networks.screen(), chosen(&networks)), ("choose", Some(Currency::Usdt)));
    let one_network = Player::given(at("currency=BTC"), view(new()));
    assert_eq!((one_network.screen(), chosen(&one_network)), ("choose", None));
    let again = Player::given(at("currency=all"), view(pending()));
    assert_eq!((again.screen(), chosen(&again)), ("choose", None));
    assert_eq!(Player::given(at("currency=all"), view(seen())).screen(), "seen");
    let refused = Player::given(at("notice=no_rate"), view(new()));
    assert_eq!(refused.page.state.request().expect("a choice").notice, Some(Notice::NoRate));
}

#[test]
fn an_invalid_url_makes_no_call() {
    for page_url in [
        PageUrl { query: String::new(), ..page_url() },
        PageUrl { query: "?sessionToken=a%0Ab".into(), ..page_url() },
        PageUrl { path: "/checkout/".into(), ..page_url() },
    ] {
        let mut player = Player::start_at(page_url);
        assert_eq!((player.screen(), player.call()), ("problem", None));
        player.wait(3_600_000);
        assert_eq!((player.screen(), player.call()), ("problem", None));
    }
}

#[test]
fn the_first_answer_determines_the_screen() {
    //     status, screen, problem, tries again
    let rows = [
        (400, "problem", "link_invalid", true),
        (401, "problem", "link_invalid", true),
        (403, "problem", "link_invalid", true),
        (404, "problem", "link_invalid", true),
        (422, "problem", "link_invalid", true),
        (500, "problem", "unreachable", true),
        (502, "problem", "unreachable", true),
        (503, "problem", "unreachable", true),
        (301, "problem", "unreachable", true),
        (429, "loading", "", true),
    ];
    for (status, screen, problem, tries_again) in rows {
        let mut player = Player::start_at(page_url());
        player.answer(status, Body::Empty);
        assert_eq!(player.screen(), screen, "{status}");
        assert_eq!(player.page.state.problem().map_or("", Problem::code), problem, "{status}");
        assert_eq!(player.page.shared.connection.due.is_some(), tries_again, "{status}");
        if tries_again {
            assert_eq!(player.wait_for_call().purpose, Purpose::Open, "{status}");
            player.answer(200, Body::View(Box::new(view(new()))));
            assert_eq!(player.screen(), "choose", "after {status}");
        }
    }
}

#[test]
fn a_problem_shows_the_request_id_for_support() {
    let mut player = Player::start_at(page_url());
    player.answer(401, Body::Empty);
    let present::Body::Problem(problem) = player.model().body else { panic!("a problem") };
    assert!(problem.reference.is_some_and(|text| text.contains("req-1")));
    assert_eq!((problem.retry, problem.way_back), (None, None));
}

/// The gateway answers, and there is no payment that is watched.
#[test]
fn a_refused_link_is_no_lost_connection() {
    let mut player = Player::start_at(page_url());
    for _ in 0..4 {
        player.answer(404, Body::Empty);
        let connection = player.model().connection;
        assert_eq!((player.screen(), connection.online, &*connection.text), ("problem", true, ""));
        player.wait_for_call();
    }
}

#[test]
fn the_page_shows_that_it_is_offline_and_recovers() {
    let mut player = Player::start_at(page_url());
    player.lose();
    assert_eq!(player.screen(), "problem");
    player.wait_for_call();
    player.lose();
    let connection = player.model().connection;
    assert_eq!(
        (connection.online, &*connection.text),
        (false, "Connection lost. This page reconnects by itself.")
    );
    player.act(Act::Retry);
    assert!(player.call().is_some(), "trying now");
    player.answer(200, Body::View(Box::new(view(pending()))));
    assert_eq!((player.screen(), player.model().connection.online), ("pay", true));
}

#[test]
fn a_payment_is_watched_once_it_has_an_address() {
    const WATCHED: &str = "Your payment is still being watched.";
    let check = |mut player: Player, is_watched: bool| {
        player.play(What::Offline);
        let offline = player.model().connection.text;
        assert_eq!(offline.ends_with(WATCHED), is_watched, "{}: {offline}", player.screen());
        assert!(offline.starts_with("Connection lost. This page reconnects by itself."), "{offline}");
        player.play(What::Online);
        player.reply(Reply { retry_after: Some(12), ..player.bare(429) });
        let busy = player.model().connection.text;
        assert_eq!(busy.ends_with(WATCHED), is_watched, "{}: {busy}", player.screen());
    };
    let waiting = |payment: Payment| {
        let mut player = Player::open(payment);
        player.wait_for_call();
        player
    };
    check(Player::start_at(page_url()), false);
    check(waiting(new()), false);
    for payment in [pending(), seen(), expired()] {
        check(waiting(payment), true);
    }
}

#[test]
fn retry_after_is_respected() {
    let mut player = Player::start_at(page_url());
    player.reply(Reply { retry_after: Some(30), ..player.bare(503) });
    let sent = player.now;
    player.wait_for_call();
    assert!((30_000..=31_500).contains(&(player.now - sent)), "{}", player.now - sent);
}

#[test]
fn an_unreadable_answer_does_not_stop_polling() {
    let mut player = Player::start_at(page_url());
    player.answer(200, Body::Unreadable);
    assert_eq!(player.page.state.problem().map(Problem::code), Some("unreadable"));
    player.act(Act::Retry);
    assert!(player.effects.contains(&Effect::Reload));
    player.wait_for_call();
    player.answer(200, Body::View(Box::new(view(pending()))));
    assert_eq!(player.screen(), "pay");
}

#[test]
fn a_payment_of_another_id_is_never_shown() {
    let mut foreign = pending();
    foreign.payment_id = "another".into();
    assert_eq!(Player::open(foreign).screen(), "problem");
}

#[test]
fn the_locale_of_the_url_takes_precedence() {
    let check = |query: &str, of_payment: &str, expected| {
        let mut payment = pending();
        payment.locale = of_payment.into();
        let url = PageUrl { query: query.into(), ..page_url() };
        let found = Found::View(Box::new(view(payment)));
        let drawing = draw(url, found, true, (START + 20) * 1_000);
        assert_eq!(drawing.lang, expected, "{query}, {of_payment}");
    };
    check("?sessionToken=abc&locale=en-US", "de-DE", "en-US");
    check("?sessionToken=abc", "de-DE", "de-DE");
    check("?sessionToken=abc&locale=xx", "de-DE", "de-DE");
    check("?sessionToken=abc&locale=fr", "de-DE", "fr-FR");
}

#[test]
fn a_page_has_the_texts_and_the_direction_of_its_language() {
    let check = |locale: &str, dir| {
        let url = PageUrl { query: format!("?sessionToken=abc&locale={locale}"), ..page_url() };
        let drawing = draw(url, Found::Nothing, true, START * 1_000);
        assert_eq!((drawing.lang, drawing.dir), (locale, dir));
        let data: PageData = read(&drawing.data.expect("the page has its data")).expect("the page reads it");
        assert_eq!(data.language.read().map(|language| language.tag), Some(locale));
    };
    check("ja-JP", "ltr");
    check("en-XA", "ltr");
    check("en-XB", "rtl");
}
