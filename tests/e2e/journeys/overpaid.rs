use checkout_wire::PaymentStatus;

use crate::support::gateway::order;
use crate::support::sandbox::share;
use crate::support::stage::journey;

#[test]
fn a_payment_is_overpaid() {
    journey(async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "USDC", "BSC").await;
        let (too_much, _) = share(&payment, 3, 2);
        stage.gateway.transfer(&payment, &too_much);
        stage.gateway.mine(&payment);
        let overpaid = page.until_screen("overpaid").await;
        assert_eq!(overpaid.value("claim"), Some("OPEN"), "the page offers the excess");
        assert!(overpaid.shown("get-back").is_some(), "{}", overpaid.text);
        assert_eq!(stage.gateway.payment(&payment.payment_id).status, PaymentStatus::Overpaid);
    });
}
