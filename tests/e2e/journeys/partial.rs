use checkout_wire::PaymentStatus;

use crate::support::gateway::order;
use crate::support::sandbox::share;
use crate::support::stage::journey;

#[test]
fn a_payment_is_paid_in_two_parts() {
    journey(async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "LTC", "LTC").await;
        let (part, rest) = share(&payment, 1, 3);
        stage.gateway.transfer(&payment, &part);
        stage.gateway.mine(&payment);
        let partial = page.until_screen("partial").await;
        assert_eq!(partial.value("remaining"), Some(rest.as_str()), "the amount due");
        assert_eq!(partial.packed("address"), payment.wallet_address, "the same address");
        let code = page.scan().await;
        assert!(code.contains(&format!("={rest}")), "a code for the rest, {rest}: {code}");

        stage.gateway.transfer(&payment, &rest);
        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
        assert_eq!(stage.gateway.payment(&payment.payment_id).status, PaymentStatus::Deposited);
    });
}
