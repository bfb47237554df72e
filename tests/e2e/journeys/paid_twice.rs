//! A second full transfer after the order was paid.

use std::time::Duration;

use checkout_wire::create_payment::CreatePayment;
use checkout_wire::payment::PaymentStatus;
use tokio::time::sleep;

use crate::support::gateway::order;
use crate::support::merchant::Merchant;
use crate::support::stage::journey;

#[test]
fn a_payer_who_paid_twice_reads_what_becomes_of_it() {
    journey(async |stage| {
        let merchant = Merchant::open("<title>Thanks</title>", &[]);
        let order =
            CreatePayment { redirect_url: Some(format!("{}/thanks", merchant.origin).into()), ..order() };
        stage.gateway.become_business(&["--refund-follow-up", "--refund-address", "SENDER"]);
        let page = stage.page();
        let payment = stage.open_and_choose(&order, "LTC", "LTC").await;
        stage.gateway.pay(&payment);
        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
        // Before the page redirects.
        stage.gateway.pay(&payment);
        page.reload().await;
        let twice = page.until_screen("paid-twice").await;
        assert!(twice.text.contains("already paid"), "{}", twice.text);
        let amount = payment.expected_deposit_amount.clone().expect("a quote");
        assert_eq!(
            twice.text.matches(&format!("{amount}\u{a0}LTC")).count(),
            6,
            "in the text, the note, the receipt and the list: {}",
            twice.text
        );
        assert!(
            twice.shown("follow-up").is_some_and(|note| note.text.contains("will be sent back")),
            "{twice:#?}"
        );
        assert!(twice.shown("return").is_some(), "the way back is the payer's to take");
        sleep(Duration::from_secs(7)).await;
        assert!(page.until_screen("paid-twice").await.url.contains("/checkout/"), "no redirect");
        stage.gateway.mine(&payment);
        let refunded = page.until("shows the refund", |page| page.shown("refund").is_some()).await;
        assert!(refunded.shown("follow-up").is_none(), "{refunded:#?}");
        assert_eq!(stage.gateway.payment(&payment.payment_id).status, PaymentStatus::Deposited);
        assert!(!merchant.visits().contains(&"/thanks".to_owned()));
    });
}
