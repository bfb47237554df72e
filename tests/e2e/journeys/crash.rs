use checkout_wire::PaymentStatus;

use crate::support::gateway::order;
use crate::support::snapshot::Snapshot;
use crate::support::stage::journey;

fn is_offline(page: &Snapshot) -> bool {
    page.fact("connection") == Some("offline")
}

fn is_online(page: &Snapshot) -> bool {
    page.fact("connection") == Some("online")
}

#[test]
fn a_payment_survives_a_killed_gateway() {
    journey(async |stage| {
        stage.browser.expect_in_console("net::ERR_CONNECTION_REFUSED");
        stage.browser.expect_in_console("net::ERR_CONNECTION_RESET");
        stage.browser.expect_in_console("net::ERR_EMPTY_RESPONSE");
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "BTC", "BTC").await;
        stage.gateway.pay(&payment);
        page.until_screen("seen").await;

        stage.gateway.kill();
        let alone = page.until("shows that it is offline", is_offline).await;
        assert!(alone.is("seen"), "the seen transfer stays on the screen");
        assert!(alone.shown("connection").is_some(), "the payer sees the state of the connection");

        stage.gateway.restart();
        assert_eq!(
            stage.gateway.payment(&payment.payment_id).status,
            PaymentStatus::Awaiting,
            "nothing is lost"
        );
        page.until("is online again by itself", is_online).await;
        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
        assert_eq!(stage.gateway.payment(&payment.payment_id).status, PaymentStatus::Deposited);
    });
}

#[test]
fn a_restart_for_maintenance_is_clean() {
    journey(async |stage| {
        stage.browser.expect_in_console("net::ERR_CONNECTION_REFUSED");
        stage.browser.expect_in_console("net::ERR_CONNECTION_RESET");
        stage.browser.expect_in_console("net::ERR_EMPTY_RESPONSE");
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "XRP", "XRP").await;
        let status = stage.gateway.terminate();
        assert!(status.success(), "SIGTERM is an orderly end: {status}");
        page.until("shows that it is offline", is_offline).await;
        stage.gateway.restart();
        stage.gateway.pay(&payment);
        page.until("is online and shows the transfer", |page| is_online(page) && page.is("seen")).await;
        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
    });
}
