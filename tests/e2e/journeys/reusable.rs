use checkout_wire::create_payment::CreatePayment;
use checkout_wire::{Payment, PaymentStatus, PaymentType};

use crate::support::gateway::order;
use crate::support::stage::{Stage, journey};

/// A balance that is topped up: one link, any number of payments.
#[test]
fn a_reusable_payment_is_paid_again() {
    journey(async |stage| pays_twice(stage).await);
}

pub(crate) async fn pays_twice(stage: &mut Stage<'_>) {
    let page = stage.page();
    let order = CreatePayment { kind: Some(PaymentType::Reusable), ..order() };
    let created = stage.open(&order).await;
    page.choose("BTC", "BTC").await;
    let id = &created.payment_info.payment_id;
    let payment = stage.gateway.payment(id);
    stage.gateway.pay(&payment);
    stage.gateway.mine(&payment);
    page.until_screen("paid").await;

    page.click("pay-again").await;
    asks_again(stage, &payment).await;
    page.click("change-currency").await;
    page.choose("LTC", "LTC").await;
    let again = stage.gateway.payment(id);
    asks_again(stage, &again).await;
    stage.gateway.pay(&again);
    stage.gateway.mine(&again);
    page.until_screen("paid").await;
    let paid = stage.gateway.payment(id);
    assert_eq!((paid.status, paid.deposits.len()), (PaymentStatus::Deposited.into(), 2));
}

/// The whole amount is due once more, to the address of the quote.
async fn asks_again(stage: &Stage<'_>, payment: &Payment) {
    let pay = stage.page().until_screen("pay").await;
    assert_eq!(pay.packed("address"), payment.wallet_address);
    assert_eq!(pay.value("amount"), payment.expected_deposit_amount.as_deref());
}
