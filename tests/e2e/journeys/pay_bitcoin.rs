use checkout_wire::PaymentStatus;

use crate::support::asking::asks_for;
use crate::support::gateway::order;
use crate::support::sandbox::expected;
use crate::support::stage::journey;

#[test]
fn a_payment_is_paid_with_bitcoin() {
    journey(async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "BTC", "BTC").await;
        let (amount, address) = (expected(&payment), payment.wallet_address.clone().unwrap());
        asks_for(&page.until_screen("pay").await, &payment);

        let code = page.scan().await;
        assert!(code.to_ascii_lowercase().contains(&address.to_ascii_lowercase()), "{code} lacks {address}");
        assert!(
            code.contains(&format!("amount={amount}")) || code.contains(&format!("AMOUNT={amount}")),
            "{code}"
        );
        assert_eq!(page.copy("copy-address").await, address);
        assert_eq!(page.copy("copy-amount").await, amount);
        page.click_on("bdi.address").await;
        let selected = "return getSelection().toString()";
        page.until("shows that it is copied", |page| {
            page.shown("copy-address").is_some_and(|button| button.text.contains("Copied"))
        })
        .await;
        assert_eq!(stage.browser.run(selected, vec![]).await, "", "the selection is only in the way");

        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        assert_eq!(stage.gateway.payment(&payment.payment_id).status, PaymentStatus::Awaiting);

        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
        let paid = stage.gateway.payment(&payment.payment_id);
        assert_eq!(paid.status, PaymentStatus::Deposited);
        assert_eq!(paid.actual_deposit_amount, amount);
    });
}

#[test]
fn the_qr_code_can_contain_only_the_address() {
    journey(async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "BTC", "BTC").await;
        let with_amount = page.scan().await;
        page.click("qr-mode").await;
        page.until("shows another code", |now| now.value("qr").is_some_and(|qr| qr != with_amount)).await;
        let alone = page.scan().await;
        assert!(!alone.contains(&expected(&payment)), "{alone}");
        assert!(
            alone.to_ascii_lowercase().ends_with(&payment.wallet_address.unwrap().to_ascii_lowercase()),
            "{alone}"
        );
    });
}
