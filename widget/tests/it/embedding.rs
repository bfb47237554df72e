//! The page in a frame: which greetings are answered, and which messages the host receives.

use checkout_widget::effect::Effect;
use checkout_widget::event::{Act, Body, What};
use checkout_widget::host::HostMessage;
use checkout_widget::host::{HostEvent, Peer};
use checkout_widget::page_url::PageUrl;
use checkout_wire::payment::RefundStatus;

use crate::payments::{ID, expired, overpaid, paid, pending, returning, seen, view};
use crate::player::{Player, page_url};

pub(crate) fn framed() -> PageUrl {
    PageUrl { framed: true, ..page_url() }
}

pub(crate) fn hello() -> HostMessage {
    HostMessage {
        origin: "https://shop.example".into(),
        protocol: "crypto-checkout".into(),
        version: 1,
        instance: "5f0c".into(),
        kind: "hello".into(),
    }
}

pub(crate) fn greeted(payment: checkout_wire::Payment) -> Player {
    let mut player = Player::open_view(framed(), view(payment));
    player.play(What::Resized(640));
    player.play(What::Message(hello()));
    player
}

fn status(status: &str) -> HostEvent {
    HostEvent::Status { payment_id: ID.into(), status: status.into() }
}

#[test]
fn a_valid_greeting_receives_all_messages() {
    let player = greeted(pending());
    assert_eq!(player.told(), [HostEvent::Ready, HostEvent::Resize { height: 640 }, status("PENDING")]);
    let peer = Peer { origin: "https://shop.example".into(), instance: "5f0c".into() };
    for effect in &player.effects {
        if let Effect::TellHost { peer: to, .. } = effect {
            assert_eq!(*to, peer);
        }
    }
}

#[test]
fn an_invalid_greeting_receives_no_answer() {
    let others = [
        HostMessage { origin: "https://shop.example.evil".into(), ..hello() },
        HostMessage { origin: "https://shop.exampl".into(), ..hello() },
        HostMessage { origin: "http://shop.example".into(), ..hello() },
        HostMessage { origin: "https://shop.example:8443".into(), ..hello() },
        HostMessage { origin: "null".into(), ..hello() },
        HostMessage { protocol: "other".into(), ..hello() },
        HostMessage { version: 0, ..hello() },
        HostMessage { version: 2, ..hello() },
        HostMessage { instance: String::new(), ..hello() },
        HostMessage { instance: "x".repeat(65), ..hello() },
        HostMessage { instance: "<script>".into(), ..hello() },
        HostMessage { kind: "status".into(), ..hello() },
    ];
    for greeting in others {
        let mut player = Player::open_view(framed(), view(pending()));
        player.play(What::Message(greeting.clone()));
        assert_eq!(player.told(), [], "{greeting:?}");
        player.watch(paid());
        assert_eq!(player.told(), [], "{greeting:?}");
    }
    let mut unframed = Player::open(pending());
    unframed.play(What::Message(hello()));
    assert_eq!(unframed.told(), []);
    let mut too_early = Player::start_at(framed());
    too_early.play(What::Message(hello()));
    assert_eq!(too_early.told(), [], "the allowed origins are not known yet");
}

#[test]
fn only_the_first_loader_is_accepted() {
    let mut player = greeted(pending());
    player.play(What::Message(HostMessage { instance: "other".into(), ..hello() }));
    assert_eq!(player.told(), []);
    player.play(What::Message(hello()));
    assert_eq!(player.told()[0], HostEvent::Ready, "a repeated greeting is answered again");
}

#[test]
fn changes_are_sent_once() {
    let mut player = greeted(returning(pending()));
    player.watch(returning(seen()));
    assert_eq!(player.told(), [status("AWAITING")]);
    player.watch(returning(seen()));
    assert_eq!(player.told(), []);
    player.watch(returning(paid()));
    let complete = HostEvent::Complete {
        payment_id: ID.into(),
        status: "DEPOSITED".into(),
        redirect_url: Some("https://shop.example/thanks".into()),
    };
    assert_eq!(player.told(), [status("DEPOSITED"), complete]);
    player.watch(returning(overpaid(Some(RefundStatus::Pending))));
    assert_eq!(player.told(), [status("OVERPAID")], "complete is sent once");
}

#[test]
fn an_embedded_page_leaves_the_redirect_to_its_host() {
    let mut player = greeted(returning(paid()));
    for _ in 0..20 {
        player.wait(1_000);
        assert!(!player.effects.iter().any(|effect| matches!(effect, Effect::Leave(_))));
        if player.page.shared.connection.in_flight.is_some() {
            player.answer(304, Body::Empty);
        }
    }
}

#[test]
fn expiry_height_and_problems_are_sent() {
    let mut player = greeted(pending());
    player.watch(expired());
    assert_eq!(player.told(), [status("EXPIRED"), HostEvent::Expired { payment_id: ID.into() }]);
    player.play(What::Resized(700));
    assert_eq!(player.told(), [HostEvent::Resize { height: 700 }]);
    player.play(What::Resized(700));
    assert_eq!(player.told(), []);
    while player.page.state.problem().is_none() {
        player.wait_for_call();
        player.answer(401, Body::Empty);
    }
    assert_eq!(player.told(), [HostEvent::Error { code: "link_invalid" }]);
    player.act(Act::Close);
    assert_eq!(player.told(), [HostEvent::Close]);
}

#[test]
fn no_message_contains_the_token() {
    let mut player = greeted(returning(pending()));
    let mut all = player.told();
    for payment in [seen(), paid(), expired()] {
        player.watch(returning(payment));
        all.extend(player.told());
    }
    let all = format!("{all:?}");
    assert!(!all.contains("abc") && all.len() > 200, "{all}");
}
