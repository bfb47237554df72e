use checkout_wire::PaymentStatus;

use crate::support::asking::asks_for;
use crate::support::gateway::order;
use crate::support::stage::journey;

#[test]
fn a_payment_is_paid_with_usdt_on_tron() {
    journey(async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "USDT", "TRX").await;
        assert_eq!(payment.expected_network.as_deref(), Some("TRX"));
        let pay = page.until_screen("pay").await;
        asks_for(&pay, &payment);
        assert!(pay.text.contains("USDT") && pay.text.contains("TRC-20"), "asset and network: {}", pay.text);

        // TRON has no payment URI that wallets agree on.
        assert_eq!(Some(page.scan().await), payment.wallet_address);
        assert_eq!(Some(page.copy("copy-address").await), payment.wallet_address);

        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
        assert_eq!(stage.gateway.payment(&payment.payment_id).status, PaymentStatus::Deposited);
    });
}
