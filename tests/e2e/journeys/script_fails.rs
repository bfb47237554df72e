//! Every way in which the page's script can fail: the payer reads that the page is not live, sees no dead buttons, and
//! the page shows the payment's end all the same.

use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use crate::support::browser::Browser;
use crate::support::faulty::{Fault, Faulty};
use crate::support::gateway::order;
use crate::support::page::Page;
use crate::support::stage::journey;

const NOT_LIVE: &str = "Live updates are off";

/// Until the page says so: longer than the watchdog waits.
const TOLD: Duration = Duration::from_secs(20);

/// From the payment on.
const PAID: Duration = Duration::from_mins(1);

type Which = fn(&str) -> bool;

const SCRIPT: Which = |line| line.contains(".js ");
const MODULE: Which = |line| line.contains(".wasm ");

const WAYS: [(&str, Which, Fault); 11] = [
    ("no script", SCRIPT, Fault::Status(404, "")),
    ("an error instead of the script", SCRIPT, Fault::Status(500, "")),
    ("a page instead of the script", SCRIPT, Fault::Html),
    ("half of the script", SCRIPT, Fault::Truncated),
    ("a script that never comes", SCRIPT, Fault::Hang),
    ("a script that comes byte by byte", SCRIPT, Fault::Trickle),
    ("no module", MODULE, Fault::Status(404, "")),
    ("a page instead of the module", MODULE, Fault::Html),
    ("half of the module", MODULE, Fault::Truncated),
    ("a module that never comes", MODULE, Fault::Hang),
    ("a module that comes byte by byte", MODULE, Fault::Trickle),
];

/// The distance of the message from the top of the window.
const TOP_OF_NOTE: &str = "
    const note = [...document.querySelectorAll('body *')].findLast((e) => e.textContent.startsWith(arguments[0]));
    return Math.round(note.getBoundingClientRect().top + scrollY)";

#[test]
fn a_page_whose_script_fails_is_never_deaf() {
    journey(async |stage| {
        let browser = Browser::start_impatient().await;
        let page = Page { browser: &browser };
        let mut tabs = Vec::new();
        for (way, which, fault) in WAYS {
            let proxy = Faulty::before(&stage.gateway.ready.base_url, which);
            proxy.suffer(fault);
            let created = stage.gateway.create(&order());
            let payment = stage.gateway.choose(&created.payment_info.payment_id, "BTC");
            let tab =
                browser.tab(&created.payment_url.replace(&stage.gateway.ready.base_url, &proxy.origin)).await;
            let drawn = page.until_screen("pay").await;
            assert!(drawn.shown("copy-address").is_none(), "{way}: a button that does nothing is shown");
            tabs.push((way, tab, payment, proxy));
        }
        for (way, tab, payment, _) in &tabs {
            browser.switch(tab).await;
            let told =
                page.within(TOLD, &format!("says so: {way}"), |page| page.text.contains(NOT_LIVE)).await;
            assert!(
                told.shown("copy-address").is_none() && told.shown("hand-over").is_none(),
                "{way}: {told:#?}"
            );
            let top = browser.run(TOP_OF_NOTE, vec![json!(NOT_LIVE)]).await;
            assert!(top.as_f64().is_some_and(|top| top < 200.0), "{way}: the message stands at {top}");
            stage.gateway.pay(payment);
            stage.gateway.mine(payment);
        }
        for (way, tab, ..) in &tabs {
            browser.switch(tab).await;
            page.within(PAID, &format!("is paid: {way}"), |page| page.is("paid")).await;
        }
        browser.close().await;
    });
}

#[test]
fn a_module_that_comes_late_takes_over() {
    journey(async |stage| {
        let page = stage.page();
        let proxy = Faulty::before(&stage.gateway.ready.base_url, MODULE);
        proxy.suffer(Fault::Late);
        let created = stage.gateway.create(&order());
        let payment = stage.gateway.choose(&created.payment_info.payment_id, "BTC");
        page.open(&created.payment_url.replace(&stage.gateway.ready.base_url, &proxy.origin)).await;
        page.within(TOLD, "says that it is not live", |page| page.text.contains(NOT_LIVE)).await;
        stage.browser.run("window.sameDocument = true", vec![]).await;
        proxy.heal();
        let alive = page.until_alive().await;
        assert!(!alive.text.contains(NOT_LIVE), "{}", alive.text);
        // Longer than the page that is not live waits before it reloads.
        sleep(Duration::from_secs(18)).await;
        let same = stage
            .browser
            .run("return [window.sameDocument, document.querySelectorAll('main').length]", vec![])
            .await;
        assert_eq!(same, json!([true, 1]), "the page reloaded, or lives twice");
        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
    });
}
