//! After any events in any order, the page keeps polling.

use checkout_core::{Currency, Network};
use checkout_widget::connection::CALL_LOST;
use checkout_widget::event::{Act, Answer, Body, Event, Reply, What};
use checkout_widget::page::Page;
use checkout_widget::render::render;
use checkout_widget::screen::Field;
use checkout_widget::step;
use checkout_wire::checkout_view::CheckoutView;
use proptest::prelude::*;

use crate::payments::{self, START, expired, overpaid, paid, partial, pending, pending_xrp, seen};
use crate::player::{Player, chosen, page_url};

/// Returns an event by number, so that a failing sequence shrinks.
fn what(kind: u8, call: u32, now: u64) -> What {
    let payment = match kind / 8 % 8 {
        0 => payments::new(),
        1 => pending(),
        2 => seen(),
        3 => partial(),
        4 => payments::returning(paid()),
        5 => overpaid(None),
        6 => pending_xrp(),
        _ => expired(),
    };
    let reply = |status, body| {
        let server_time = (!kind.is_multiple_of(3)).then_some(now + START * 1_000 + u64::from(kind) * 10_000);
        let etag = kind.is_multiple_of(2).then(|| "\"1\"".to_owned());
        let retry_after = kind.is_multiple_of(5).then_some(u32::from(kind));
        let reply = Reply { status, server_time, etag, retry_after, request_id: None, body };
        What::Answered { call, answer: Answer::Reply(Box::new(reply)) }
    };
    let did = |act| What::Did { act, pressed: now };
    match kind {
        0..48 => {
            let version = u64::from(kind % 4);
            reply(200, Body::View(Box::new(CheckoutView { version, ..payments::view(payment) })))
        }
        48..96 => reply(200, chosen(payment)),
        96..104 => reply(304, Body::Empty),
        104..106 => reply(200, Body::Unreadable),
        106..112 => reply([400, 409, 422, 429, 500, 503][usize::from(kind - 106)], Body::Empty),
        112..120 => What::Answered { call, answer: Answer::None },
        120..140 => What::Woke { wall: now },
        140..144 => What::Woke { wall: now * 2 },
        144..152 => What::Returned,
        152..160 => What::Hidden,
        160..168 => What::Online,
        168..176 => What::Offline,
        176..184 => did(Act::ChooseCurrency(Currency::Btc)),
        184..188 => did(Act::ChooseCurrency(Currency::Usdt)),
        188..196 => did(Act::ChooseNetwork(Network::Trx)),
        196..200 => did(Act::GoBack),
        200..208 => did(Act::ChangeCurrency),
        208..216 => did(Act::Renew),
        216..224 => did(Act::Retry),
        224..230 => did(Act::SwitchQr),
        230..236 => did(Act::Copy(Field::Tag)),
        236..240 => What::Copied { field: Field::Amount, done: kind.is_multiple_of(2) },
        240..246 => did(Act::Stay),
        246..250 => What::Resized(u32::from(kind)),
        _ => did(Act::Close),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn after_any_events_another_poll_follows(
        events in prop::collection::vec((any::<u8>(), 0_u64..40_000, any::<bool>()), 0..40)
    ) {
        let mut player = Player::start_at(page_url());
        let mut drawn = None;
        for (kind, pause, current) in events {
            player.now += pause;
            let call = player.page.shared.connection.in_flight.map_or(0, |flight| flight.id);
            player.play(what(kind, if current { call } else { call.wrapping_sub(1) }, player.now));
            let ended = player.page.shared.connection.due.is_none() && player.page.shared.connection.in_flight.is_none();
            if ended {
                // It stopped and shows the reason, or it shows a receipt.
                let screen = player.page.screen();
                prop_assert!(player.page.state.problem().is_some() || screen.is_complete(), "{screen:?}");
                continue;
            }
            // Without further answers it keeps calling, and wakes itself for each call.
            let mut page = std::mem::replace(&mut player.page, Page::new(1));
            let (mut now, mut calls, mut wake) = (player.now, 0, player.wake());
            let kept = page.clone();
            for _ in 0..400 {
                prop_assert!(wake <= CALL_LOST.max(20_000), "a wake in {wake} ms");
                now += wake.max(1);
                let event = Event { at: now, what: What::Woke { wall: now } };
                let (next, effects) = step(page, event);
                page = next;
                calls += effects.iter().filter(|e| matches!(e, checkout_widget::effect::Effect::Call(_))).count();
                wake = effects.iter().find_map(|effect| match effect {
                    checkout_widget::effect::Effect::Wake { after } => Some(*after),
                    _ => None,
                }).expect("every step schedules a wake");
                if calls >= 2 {
                    break;
                }
            }
            prop_assert!(calls >= 2, "it stopped polling");
            player.page = kept;
            // Every state can be rendered.
            let model = player.model();
            if drawn != Some(model.screen) {
                drawn = Some(model.screen);
                prop_assert!(render(model).starts_with("<main"));
            }
        }
    }
}
