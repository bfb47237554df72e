//! A counter whose connection fails: what runs is neither forgotten nor told twice.

use super::counter::{CreatedCounter, asks, counter, sales, says};
use crate::support::faulty::{Fault, Faulty};
use crate::support::stage::{Stage, journey};
use crate::support::wait::eventually;

fn is_new(line: &str) -> bool {
    line.starts_with("POST /api/v1/counter/sales ")
}

fn is_read(line: &str) -> bool {
    line.starts_with("GET /api/v1/counter/sales/")
}

/// A counter behind a connection that fails for these requests.
fn behind(stage: &Stage<'_>, which: fn(&str) -> bool) -> (CreatedCounter, Faulty) {
    let counter = counter(stage, "Market stall");
    let faulty = Faulty::before(&stage.gateway.ready.base_url, which);
    let url = counter.url.replace(&stage.gateway.ready.base_url, &faulty.origin);
    (CreatedCounter { url, ..counter }, faulty)
}

#[test]
fn a_cancel_after_a_reload_cancels() {
    journey(async |stage| {
        stage.browser.expect_in_console("status of 503");
        let (counter, faulty) = behind(stage, is_new);
        asks(stage, &counter).await;
        let page = stage.page();
        faulty.suffer(Fault::Status(503, ""));
        page.reload().await;
        page.click("cancel").await;
        let waits = page.until("tries again", |page| says(page, "wrong", "Trying again")).await;
        assert!(waits.shown("key-1").is_none(), "{}", waits.text);
        faulty.heal();
        page.until("has its keys", |page| page.shown("key-1").is_some()).await;
        let [sale] = &sales(stage, &counter)[..] else { panic!("one sale") };
        assert!(sale.cancelled_at.is_some());
    });
}

#[test]
fn one_question_at_a_time() {
    journey(async |stage| {
        let (counter, faulty) = behind(stage, is_read);
        asks(stage, &counter).await;
        faulty.suffer(Fault::Hang);
        let before = faulty.polls();
        eventually("it asks", async || faulty.polls() > before).await;
        let again = "for (let time = 0; time < 5; time += 1) dispatchEvent(new Event('online'))";
        let _ = stage.browser.run(again, vec![]).await;
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        assert_eq!(faulty.polls(), before + 1);
        faulty.heal();
    });
}

#[test]
fn a_refusal_on_the_way_ends_no_sale() {
    journey(async |stage| {
        stage.browser.expect_in_console("status of 404");
        let (counter, faulty) = behind(stage, is_read);
        asks(stage, &counter).await;
        faulty.suffer(Fault::Refusal(404));
        let page = stage.page();
        let lost = page.until("says so", |page| page.shown("wrong").is_some()).await;
        assert!(says(&lost, "wrong", "No connection") && lost.shown("code").is_some(), "{}", lost.text);
        faulty.heal();
        page.until("goes on", |page| page.shown("wrong").is_none() && page.shown("code").is_some()).await;
    });
}

#[test]
fn a_cancel_that_comes_too_late_is_told_until_it_is_paid() {
    journey(async |stage| {
        stage.browser.expect_in_console("status of 409");
        let (counter, faulty) = behind(stage, is_read);
        asks(stage, &counter).await;
        let page = stage.page();
        let chosen = stage.gateway.choose(&sales(stage, &counter)[0].payment_id, "LTC");
        faulty.suffer(Fault::Late);
        stage.gateway.pay(&chosen);
        stage.gateway.mine(&chosen);
        page.click("cancel").await;
        page.until("says so", |page| says(page, "wrong", "can no longer be cancelled")).await;
        faulty.heal();
        let paid = page.until("has the check mark", |page| page.shown("check").is_some()).await;
        assert!(paid.shown("wrong").is_none(), "{}", paid.text);
    });
}
