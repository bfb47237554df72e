use checkout_wire::PaymentStatus;

use crate::support::asking::asks_for;
use crate::support::gateway::order;
use crate::support::stage::journey;

#[test]
fn a_payment_is_paid_with_lumens_and_a_memo() {
    journey(async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "XLM", "XLM").await;
        let memo = payment.destination_tag.clone().expect("Stellar needs a memo");
        asks_for(&page.until_screen("pay").await, &payment);
        assert_eq!(page.copy("copy-tag").await, memo);

        let code = page.scan().await;
        assert!(code.contains(payment.wallet_address.as_deref().unwrap()), "{code}");
        assert!(
            code.split(['?', '&']).any(|field| field == format!("memo={memo}")),
            "{code} lacks the memo {memo}"
        );

        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
        assert_eq!(stage.gateway.payment(&payment.payment_id).status, PaymentStatus::Deposited);
    });
}
