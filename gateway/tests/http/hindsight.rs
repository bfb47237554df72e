//! A quote never values a transfer that was sent before the quote was requested.

use checkout_domain::chain::screening::Decision;
use serde_json::json;

use super::World;
use super::flagged::{BITCOIN, the_deposit};
use super::shown_quotes::{Shown, quote, send_dated, set_rate, status};

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

#[tokio::test]
async fn a_deposit_that_is_released_is_not_valued_by_a_later_quote() {
    for rate_type in ["FIXED", "FLOATING"] {
        let world = World::new().await;
        let id = quoted(&world, BTC, json!({"rateType": rate_type})).await;
        world.flag("BTC", BITCOIN, true).await;
        world.pay_from(&id, "0.001", BITCOIN).await;
        world.mine("BTC").await;
        let deposit = the_deposit(&world.payment(&id).await);
        world.decide(deposit, Decision::Refuse).await;
        world.flag("BTC", BITCOIN, false).await;
        asks_again(&world, &id, BTC).await;
        world.decide(deposit, Decision::Release).await;
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
