//! From the address to the first screen.

use checkout_widget::effect::Effect;
use checkout_widget::event::{Act, Body, Reply};
use checkout_widget::line::Purpose;
use checkout_widget::place::{Place, Theme};
use checkout_widget::present;
use checkout_widget::state::Problem;

use crate::payments::{ID, new, pending, view};
use crate::player::{Player, place};

#[test]
fn the_token_is_hidden_and_the_payment_asked_for() {
    let player = Player::start_at(place());
    assert_eq!(player.screen(), "loading");
    assert!(player.effects.contains(&Effect::SetTheme(Theme::Light)));
    let hidden = format!("/checkout/{ID}?theme=LIGHT&locale=en-US#sessionToken=abc");
    assert!(player.effects.contains(&Effect::ShowAddress(hidden)));
    let call = player.call().expect("a call");
    assert_eq!((call.method, call.path.as_str()), ("GET", format!("/api/v1/checkout/{ID}").as_str()));
    assert_eq!((call.token.as_str(), call.purpose), ("abc", Purpose::Open));
    assert_eq!((&call.etag, &call.body), (&None, &None));
}

#[test]
fn after_a_reload_the_token_stands_in_the_fragment() {
    let place = Place { query: "?theme=DARK".into(), fragment: "#sessionToken=abc".into(), ..place() };
    let player = Player::start_at(place);
    assert_eq!(player.call().expect("a call").token, "abc");
    assert!(!player.effects.iter().any(|effect| matches!(effect, Effect::ShowAddress(_))));
}

#[test]
fn an_address_that_opens_nothing_makes_no_call() {
    for place in [
        Place { query: String::new(), ..place() },
        Place { query: "?sessionToken=a%0Ab".into(), ..place() },
        Place { path: "/checkout/".into(), ..place() },
    ] {
        let mut player = Player::start_at(place);
        assert_eq!((player.screen(), player.call()), ("problem", None));
        player.wait(3_600_000);
        assert_eq!((player.screen(), player.call()), ("problem", None));
    }
}

#[test]
fn what_the_first_answer_leads_to() {
    //     status, screen, problem, tries again
    let rows = [
        (400, "problem", "link_invalid", false),
        (401, "problem", "link_invalid", false),
        (403, "problem", "link_invalid", false),
        (404, "problem", "link_invalid", false),
        (422, "problem", "link_invalid", false),
        (500, "problem", "unreachable", true),
        (502, "problem", "unreachable", true),
        (503, "problem", "unreachable", true),
        (301, "problem", "unreachable", true),
        (429, "loading", "", true),
    ];
    for (status, screen, problem, tries_again) in rows {
        let mut player = Player::start_at(place());
        player.answer(status, Body::Empty);
        assert_eq!(player.screen(), screen, "{status}");
        assert_eq!(player.state.problem.map_or("", Problem::code), problem, "{status}");
        assert_eq!(player.state.line.due.is_some(), tries_again, "{status}");
        if tries_again {
            assert_eq!(player.wait_for_call().purpose, Purpose::Open, "{status}");
            player.answer(200, Body::View(Box::new(view(new()))));
            assert_eq!(player.screen(), "choose", "after {status}");
        }
    }
}

#[test]
fn a_problem_names_the_answer_for_support() {
    let mut player = Player::start_at(place());
    player.answer(401, Body::Empty);
    let present::Body::Problem(problem) = player.model().body else { panic!("a problem") };
    assert!(problem.reference.is_some_and(|text| text.contains("req-1")));
    assert_eq!((problem.retry, problem.way_back), (None, None));
}

#[test]
fn without_a_network_it_says_so_and_goes_on_by_itself() {
    let mut player = Player::start_at(place());
    player.lose();
    assert_eq!(player.screen(), "problem");
    player.wait_for_call();
    player.lose();
    assert!(!player.model().connection.online);
    player.act(Act::Retry);
    assert!(player.call().is_some(), "trying now");
    player.answer(200, Body::View(Box::new(view(pending()))));
    assert_eq!((player.screen(), player.model().connection.online), ("pay", true));
}

#[test]
fn retry_after_is_kept_to() {
    let mut player = Player::start_at(place());
    player.reply(Reply { retry_after: Some(30), ..player.bare(503) });
    let sent = player.now;
    player.wait_for_call();
    assert!((30_000..=31_500).contains(&(player.now - sent)), "{}", player.now - sent);
}

#[test]
fn an_answer_that_cannot_be_read_stops_nothing_for_good() {
    let mut player = Player::start_at(place());
    player.answer(200, Body::Unreadable);
    assert_eq!(player.state.problem.map(Problem::code), Some("unreadable"));
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
fn the_locale_of_the_address_wins_over_that_of_the_payment() {
    let german = || {
        let mut payment = pending();
        payment.locale = "de-DE".into();
        view(payment)
    };
    let asked = Player::open_view(place(), german());
    assert_eq!(asked.state.locale.as_deref(), Some("en-US"));
    let place = Place { query: "?sessionToken=abc".into(), ..place() };
    let silent = Player::open_view(place, german());
    assert_eq!(silent.state.locale.as_deref(), Some("de-DE"));
    let footer = silent.model().footer;
    assert!(footer.not_translated.is_some_and(|text| text.contains("Deutsch")), "the fallback is told");
    assert_eq!(silent.model().lang, "en-US");
}
