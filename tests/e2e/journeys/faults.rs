//! Connection faults, one after the other, on a page that waits for its payment. The widget's native tests
//! use the same table with a simulated clock, for 15 minutes per fault.

use std::time::Duration;

use tokio::time::sleep;

use crate::support::faulty::{Fault, Faulty};
use crate::support::gateway::order;
use crate::support::snapshot::Snapshot;
use crate::support::stage::journey;

const RECOVERY: Duration = Duration::from_secs(5);

/// The page's message during a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Offline,
    /// The page waits as long as the gateway asks it to.
    Busy,
}

const ELSEWHERE: &str = "Location: /healthz\r\nCache-Control: max-age=31536000\r\n";

const BROKEN: [(Fault, Says); 4] = [
    (Fault::Reset, Says::Offline),
    (Fault::Drop, Says::Offline),
    (Fault::Hang, Says::Offline),
    (Fault::Trickle, Says::Offline),
];

const REFUSED: [(Fault, Says); 6] = [
    (Fault::Status(400, ""), Says::Offline),
    (Fault::Status(401, ""), Says::Offline),
    (Fault::Status(403, ""), Says::Offline),
    (Fault::Status(404, "Cache-Control: max-age=31536000\r\n"), Says::Offline),
    (Fault::Status(410, "Cache-Control: max-age=31536000\r\n"), Says::Offline),
    (Fault::Status(429, "Retry-After: 1\r\n"), Says::Busy),
];

const MISDIRECTED: [(Fault, Says); 4] = [
    (Fault::Status(301, ELSEWHERE), Says::Offline),
    (Fault::Status(308, ELSEWHERE), Says::Offline),
    (Fault::Status(500, ""), Says::Offline),
    (Fault::Status(503, "Retry-After: 2\r\n"), Says::Busy),
];

const GARBLED: [(Fault, Says); 3] =
    [(Fault::Html, Says::Offline), (Fault::WrongJson, Says::Offline), (Fault::Truncated, Says::Offline)];

#[test]
fn a_broken_connection() {
    each(&BROKEN);
}

#[test]
fn the_page_recovers_when_the_gateway_refuses_polls() {
    each(&REFUSED);
}

#[test]
fn the_page_recovers_from_errors_and_redirects() {
    each(&MISDIRECTED);
}

#[test]
fn the_page_recovers_from_invalid_answers() {
    each(&GARBLED);
}

fn each(faults: &[(Fault, Says)]) {
    journey(async |stage| {
        for expected in ["net::ERR_", "responded with a status of", "CORS", "redirect", "Failed to load"] {
            stage.browser.expect_in_console(expected);
        }
        let page = stage.page();
        for (fault, says) in faults {
            let proxy = Faulty::open(&stage.gateway.ready.base_url);
            let created = stage.gateway.create(&order());
            page.open(&created.payment_url.replace(&stage.gateway.ready.base_url, &proxy.origin)).await;
            page.choose("BTC", "BTC").await;
            page.until_alive().await;
            let payment = stage.gateway.payment(&created.payment_info.payment_id);
            proxy.suffer(*fault);
            let shown = page.until(&format!("explains {fault:?}"), |page| shows_fault(page, *says)).await;
            assert!(shown.is("pay"), "{fault:?}: the screen stays");
            assert!(
                shown.shown("connection").is_some(),
                "{fault:?}: the payer sees the state of the connection"
            );
            stage.gateway.pay(&payment);
            proxy.heal();
            page.within(RECOVERY, &format!("recovers from {fault:?}"), |page| {
                page.is("seen") && page.fact("connection") == Some("online")
            })
            .await;
        }
    });
}

fn shows_fault(page: &Snapshot, says: Says) -> bool {
    match says {
        Says::Offline => page.fact("connection") == Some("offline"),
        Says::Busy => page.text.contains("within 30 seconds"),
    }
}

#[test]
fn an_older_answer_does_not_move_the_page_back() {
    journey(async |stage| {
        let page = stage.page();
        let proxy = Faulty::open(&stage.gateway.ready.base_url);
        let created = stage.gateway.create(&order());
        page.open(&created.payment_url.replace(&stage.gateway.ready.base_url, &proxy.origin)).await;
        page.choose("BTC", "BTC").await;
        let payment = stage.gateway.payment(&created.payment_info.payment_id);
        // The proxy repeats the first complete answer.
        sleep(Duration::from_secs(4)).await;
        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        proxy.suffer(Fault::Stale);
        let before = proxy.polls();
        while proxy.polls() < before + 3 {
            assert!(page.look().await.is_some_and(|page| page.is("seen")), "the page went back");
            sleep(Duration::from_millis(100)).await;
        }
        proxy.heal();
        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
    });
}

#[test]
fn a_page_from_the_history_catches_up() {
    journey(async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "BTC", "BTC").await;
        page.open(&stage.gateway.ready.shop_url).await;
        stage.gateway.pay(&payment);
        stage.browser.back().await;
        page.within(RECOVERY, "has caught up", |page| page.is("seen")).await;
    });
}

#[test]
fn a_choice_in_another_tab_is_shown() {
    journey(async |stage| {
        let page = stage.page();
        let created = stage.open(&order()).await;
        page.choose("BTC", "BTC").await;
        let here = stage.browser.client.window().await.expect("a tab is open");
        stage.browser.tab(&created.payment_url).await;
        page.click("change-currency").await;
        page.choose("LTC", "LTC").await;
        stage.browser.client.close_window().await.expect("a tab can be closed");
        stage.browser.switch(&here).await;
        let shown = page.within(RECOVERY, "asks for LTC", |page| page.value("currency") == Some("LTC")).await;
        assert!(shown.shown("news").is_some_and(|news| news.text.contains("LTC")), "{shown:#?}");
    });
}
