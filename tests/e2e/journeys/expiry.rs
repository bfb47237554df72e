use checkout_wire::PaymentStatus;
use checkout_wire::create_payment::CreatePayment;

use crate::support::asking::asks_for;
use crate::support::gateway::order;
use crate::support::stage::journey;

const MINUTES: u32 = 15;
const WINDOW: i64 = 15 * 60;
const PAST_THE_END: u64 = 15 * 60 + 1;

fn short_order() -> CreatePayment {
    CreatePayment { expiration_minutes: Some(MINUTES), ..order() }
}

#[test]
fn an_expired_payment_gets_a_new_quote_in_one_action() {
    journey(async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(&short_order(), "BTC", "BTC").await;
        let left = page.until_screen("pay").await.countdown().expect("a countdown");
        assert!((WINDOW - 60..=WINDOW).contains(&left), "{left}");

        stage.gateway.advance_clock(PAST_THE_END);
        page.until_screen("expired").await;
        assert_eq!(stage.gateway.payment(&payment.payment_id).status, PaymentStatus::Expired);

        page.click("new-quote").await;
        let again = page.until_screen("pay").await;
        let renewed = stage.gateway.payment(&payment.payment_id);
        assert_eq!(renewed.status, PaymentStatus::Pending);
        asks_for(&again, &renewed);
        assert!(again.countdown().is_some_and(|left| left > 0), "a new window");

        stage.gateway.pay(&renewed);
        stage.gateway.mine(&renewed);
        page.until_screen("paid").await;
    });
}

#[test]
fn a_deposit_after_the_end_still_counts() {
    journey(async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(&short_order(), "USDT", "ETH").await;
        stage.gateway.advance_clock(PAST_THE_END);
        page.until_screen("expired").await;
        stage.gateway.pay(&payment);
        stage.gateway.mine(&payment);
        page.until("is paid after expiry", |page| page.is("paid") || page.is("overpaid")).await;
    });
}
