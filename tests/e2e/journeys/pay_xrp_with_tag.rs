use checkout_wire::PaymentStatus;

use crate::support::asking::asks_for;
use crate::support::gateway::order;
use crate::support::sandbox::expected;
use crate::support::stage::journey;

#[test]
fn a_payment_is_paid_with_xrp_and_a_destination_tag() {
    journey(async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "XRP", "XRP").await;
        let tag = payment.destination_tag.clone().expect("XRP needs a tag");
        asks_for(&page.until_screen("pay").await, &payment);
        assert_eq!(page.copy("copy-tag").await, tag);
        assert_eq!(Some(page.copy("copy-address").await), payment.wallet_address);
        assert_eq!(page.copy("copy-amount").await, expected(&payment));

        let code = page.scan().await;
        assert!(code.contains(payment.wallet_address.as_deref().unwrap()), "{code}");
        assert!(
            code.split(['?', '&']).any(|field| field == format!("dt={tag}")),
            "{code} lacks the tag {tag}"
        );

        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
        assert_eq!(stage.gateway.payment(&payment.payment_id).status, PaymentStatus::Deposited);
    });
}
