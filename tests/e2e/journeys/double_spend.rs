use checkout_wire::PaymentStatus;

use crate::support::asking::asks_for;
use crate::support::gateway::order;
use crate::support::stage::journey;

#[test]
fn a_vanished_transfer_is_due_again() {
    journey(async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "BTC", "BTC").await;
        let transaction = stage.gateway.pay(&payment);
        page.until_screen("seen").await;

        stage.gateway.vanish(&transaction);
        asks_for(&page.until_screen("pay").await, &payment);
        page.until("says so", |page| page.shown("news").is_some()).await;
        page.reload().await;
        page.until("still says so", |page| page.shown("news").is_some()).await;
        assert_eq!(stage.gateway.payment(&payment.payment_id).status, PaymentStatus::Pending);

        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
    });
}
