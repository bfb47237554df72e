//! A quote never values a transfer that was sent before the quote was requested.

use checkout_domain::chain::screening::Decision;
use serde_json::json;

use super::World;
use super::flagged::{BITCOIN, the_deposit};
use super::shown_quotes::{Shown, quote, send_dated, send_part, set_rate, status};

/// A currency, its rates before and after, and what is quoted afterwards.
type Rise = (&'static str, [&'static str; 2], &'static str);

const BTC: Rise = ("BTC", ["60000", "100000"], "0.001");
const ETH: Rise = ("ETH", ["3000", "5000"], "0.02");

async fn quoted(world: &World, (currency, [rate, _], _): Rise, order: serde_json::Value) -> String {
    set_rate(world, currency, rate).await;
    world.quoted(order, currency, currency).await.0
}

/// The rate rises, the payer asks again, past the window of the first quote, and the rate falls.
async fn asks_again(world: &World, id: &str, (currency, [before, after], amount): Rise) -> Shown {
    world.advance(1_860).await;
    set_rate(world, currency, after).await;
    let again = quote(world, id, currency, currency).await;
    assert_eq!(again.amount, amount);
    set_rate(world, currency, before).await;
    again
}

/// A deposit is refused, its payer asks for a quote again, and it is released.
async fn released_after_a_later_quote(world: &World, id: &str) {
    world.flag("BTC", BITCOIN, true).await;
    world.pay_from(id, "0.001", BITCOIN).await;
    world.mine("BTC").await;
    let deposit = the_deposit(&world.payment(id).await);
    world.decide(deposit, Decision::Refuse).await;
    world.flag("BTC", BITCOIN, false).await;
    asks_again(world, id, BTC).await;
    world.decide(deposit, Decision::Release).await;
}

#[tokio::test]
async fn a_deposit_that_is_released_is_not_valued_by_a_later_quote() {
    for rate_type in ["FIXED", "FLOATING"] {
        let world = World::new().await;
        let id = quoted(&world, BTC, json!({"rateType": rate_type})).await;
        released_after_a_later_quote(&world, &id).await;
        assert_eq!(status(&world, &id).await, "AWAITING", "{rate_type}: {:#}", world.payment(&id).await);
        // The rest pays, and a small deposit does not bring the later quote back.
        let pay = async |amount: &str| {
            world.pay(&id, amount).await;
            world.mine("BTC").await;
            status(&world, &id).await
        };
        assert_eq!(pay("0.00005").await, "AWAITING", "{rate_type}");
        assert_eq!(pay("0.00035").await, "DEPOSITED", "{rate_type}: {:#}", world.payment(&id).await);
    }
}

/// Ids do not go back with a clock that was two hours ahead, so that the deposit's id says that it was recorded after the later quote.
#[tokio::test]
async fn a_clock_that_was_ahead_brings_no_later_quote() {
    let world = World::new().await;
    world.app.state.ids.next((super::START + 7_200) * 1000);
    let id = quoted(&world, BTC, json!({"rateType": "FIXED"})).await;
    released_after_a_later_quote(&world, &id).await;
    assert_eq!(status(&world, &id).await, "AWAITING", "{:#}", world.payment(&id).await);
}

/// Its node was down, or the network was added later.
#[tokio::test]
async fn a_transfer_that_is_read_late_is_not_valued_by_a_later_quote() {
    let check = async |kind: &str, rate_type: &str| {
        let world = World::new().await;
        let id = quoted(&world, ETH, json!({"type": kind, "rateType": rate_type})).await;
        let sent_at = world.app.clock.now() + 60;
        let again = asks_again(&world, &id, ETH).await;
        send_dated(&world, &again, sent_at).await;
        let payment = world.payment(&id).await;
        assert_eq!(payment["deposits"][0]["displayAmount"], "60.00", "{payment:#}");
        // Of a REUSABLE payment any deposit is a payment.
        let expected = if kind == "ONE_TIME" { "AWAITING" } else { "DEPOSITED" };
        assert_eq!(payment["status"], expected, "{payment:#}");
    };
    for rate_type in ["FIXED", "FLOATING"] {
        check("ONE_TIME", rate_type).await;
        check("REUSABLE", rate_type).await;
    }
}

/// When parts were sent: with the first quote alone, or with the second one, too, or when only the second one held.
#[derive(Clone, Copy)]
enum Sent {
    First,
    Both,
    Second,
}

/// A node was down for so long that the payer asked a third time. What was sent for a quote before is judged by that quote, together.
#[tokio::test]
async fn parts_of_one_quote_that_are_read_after_a_later_one_stay_together() {
    use Sent::{Both, First, Second};
    // 100 EUR at 60,000, 50,000 and 40,000: 0.00166667, then 0.002, then 0.0025 BTC; and of ETH at 3,000, 2,500 and 2,000.
    let rates = |currency: &str| match currency {
        "BTC" => ["60000", "50000", "40000"],
        _ => ["3000", "2500", "2000"],
    };
    let check = async |currency: &str, parts: &[(Sent, &str)], expected: &str| {
        let world = World::new().await;
        let [first, second, third] = rates(currency);
        set_rate(&world, currency, first).await;
        let id = world.quoted(json!({"rateType": "FLOATING"}), currency, currency).await.0;
        let with_first = world.app.clock.now() + 10;
        world.advance(1_810).await;
        set_rate(&world, currency, second).await;
        let shown = quote(&world, &id, currency, currency).await;
        // A block can be dated before the quote that it pays, in the window of the first one.
        let (with_both, with_second) = (world.app.clock.now() - 20, world.app.clock.now() + 60);
        for (sent, amount) in parts {
            let dated = match sent {
                First => with_first,
                Both => with_both,
                Second => with_second,
            };
            send_part(&world, &shown, amount, dated).await;
        }
        world.advance(9_500).await;
        set_rate(&world, currency, third).await;
        quote(&world, &id, currency, currency).await;
        world.mine(currency).await;
        let payment = world.payment(&id).await;
        assert_eq!(payment["status"], expected, "{currency}: {payment:#}");
    };
    check("BTC", &[(Both, "0.00083333"), (Both, "0.00083334")], "DEPOSITED").await;
    check("BTC", &[(Both, "0.001"), (Both, "0.001")], "DEPOSITED").await;
    check("BTC", &[(Both, "0.0006"), (Both, "0.0006"), (Both, "0.00046667")], "DEPOSITED").await;
    check("BTC", &[(Second, "0.00066667"), (Second, "0.00066667"), (Second, "0.00066666")], "DEPOSITED")
        .await;
    check("BTC", &[(Both, "0.001"), (Second, "0.001")], "DEPOSITED").await;
    check("ETH", &[(First, "0.02"), (Both, "0.01333334")], "DEPOSITED").await;
    check("ETH", &[(First, "0.02"), (First, "0.01333334")], "DEPOSITED").await;
    check("ETH", &[(Both, "0.02"), (Both, "0.02")], "DEPOSITED").await;
    check("BTC", &[(Both, "0.0008"), (Both, "0.0008")], "AWAITING").await;
    // Half of the first and, when that no longer held, less than half of the second.
    check("ETH", &[(First, "0.0166667"), (Second, "0.0166667")], "AWAITING").await;
    check("BTC", &[(Both, "0.003"), (Both, "0.001")], "OVERPAID").await;
}
