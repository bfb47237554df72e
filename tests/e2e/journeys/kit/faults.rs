//! A server that fails, and one that cannot be reached.

use std::time::Duration;

use serde_json::json;

use crate::support::extent::in_turn;
use crate::support::faulty::Fault;
use crate::support::kit::{KINDS, KitStage};
use crate::support::snapshot::Snapshot;
use crate::support::stage::with_browser;

const RECOVERY: Duration = Duration::from_secs(5);

/// As the hosted page's; a status that another origin may not read is like no answer.
const FAULTS: [Fault; 11] = [
    Fault::Reset,
    Fault::Drop,
    Fault::Hang,
    Fault::Trickle,
    Fault::Status(401, OPEN),
    Fault::Status(404, OPEN),
    Fault::Status(500, OPEN),
    Fault::Status(503, ""),
    Fault::Html,
    Fault::WrongJson,
    Fault::Truncated,
];

const OPEN: &str = "Access-Control-Allow-Origin: *\r\n";

fn expect_faults(stage: &KitStage<'_>) {
    for expected in ["net::ERR_", "responded with a status of", "CORS", "Failed to load"] {
        stage.browser.expect_in_console(expected);
    }
}

#[test]
fn the_page_says_that_it_is_offline_and_recovers() {
    for kind in in_turn(&KINDS) {
        with_browser(async |browser| {
            let (stage, proxy) = KitStage::behind_faults(kind, browser);
            let page = stage.page();
            expect_faults(&stage);
            for fault in FAULTS {
                let payment = stage.open_and_choose(json!({}), "BTC", "BTC").await;
                page.until_alive().await;
                proxy.suffer(fault);
                let offline = |page: &Snapshot| page.fact("connection") == Some("offline");
                let shown = page.until(&format!("explains {fault:?} of {kind:?}"), offline).await;
                assert!(shown.is("pay"), "{fault:?} of {kind:?}: the screen stays");
                stage.pay(&payment, "AWAITING", "UNCONFIRMED");
                proxy.heal();
                page.within(RECOVERY, &format!("recovers from {fault:?} of {kind:?}"), |page| {
                    page.is("seen") && page.fact("connection") == Some("online")
                })
                .await;
            }
            browser.seal_console().await;
        });
    }
}

#[test]
fn a_page_that_finds_no_server_opens_the_payment_later() {
    for kind in in_turn(&KINDS) {
        with_browser(async |browser| {
            let (stage, proxy) = KitStage::behind_faults(kind, browser);
            let page = stage.page();
            expect_faults(&stage);
            for fault in [Fault::Drop, Fault::Status(500, OPEN), Fault::Html] {
                proxy.suffer(fault);
                stage.open(json!({})).await;
                page.until_screen("problem").await;
                proxy.heal();
                page.until_screen("choose").await;
            }
            browser.seal_console().await;
        });
    }
}
