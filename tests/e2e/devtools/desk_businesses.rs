//! A manager looks after a business without a shell: from its first token to its end.

use serde_json::Value;

use crate::support::browser::DESKTOP;
use crate::support::developer::Developer;
use crate::support::operator::{DESK, Operator};
use crate::support::screenshot::keep_all;
use crate::support::stage::{journey, journey_under};

#[test]
fn a_manager_looks_after_a_business() {
    journey_under(DESK, async |stage| {
        let operator = Operator::sign_in(stage, "maria", "manager").await;
        let (page, browser) = (operator.page, stage.browser);
        operator.go("businesses").await;
        operator.until("lists that of the sandbox", |page| page.value("businesses") == Some("1")).await;
        page.click("business-new").await;
        operator.until("shows the form", |page| page.shown("business-form-send").is_some()).await;
        keep_all(browser, "desk-business-new").await;
        browser.view(DESKTOP).await;
        operator.fill("field-name", "Kettle Outlet").await;
        operator.fill("field-allowedOrigins", "https://*.example").await;
        browser.expect_in_console("the server responded with a status of 422");
        page.click("business-form-send").await;
        operator.until("refuses the origin", |page| page.shown("business-form-failure").is_some()).await;
        operator.fill("field-allowedOrigins", "https://outlet.example").await;
        let inbox = format!("{}/sandbox/inbox", stage.gateway.ready.base_url);
        operator.fill("field-depositReceivedCallbackUrl", &inbox).await;
        page.click("business-form-send").await;
        let made = operator.until("shows credentials", |page| page.shown("shown-once").is_some()).await;
        assert_eq!(made.parts.get("credential").map(Vec::len), Some(2));
        keep_all(browser, "desk-shown-once").await;
        browser.view(DESKTOP).await;
        page.click("shown-once-done").await;
        let named = |page: &crate::support::snapshot::Snapshot| {
            page.shown("business-name").is_some_and(|name| name.text == "Kettle Outlet")
        };
        let shown = operator.until("shows the business", named).await;
        assert!(
            shown.text.contains("https://outlet.example") && shown.shown("credential").is_none(),
            "{}",
            shown.text
        );

        page.click("test").await;
        operator.until("was answered", |page| page.value("tested") == Some("204")).await;
        keep_all(browser, "desk-business").await;
        browser.view(DESKTOP).await;
        for act in ["rotate-token", "rotate-secret"] {
            page.click(act).await;
            operator.fill("field-overlapHours", "1").await;
            page.click(&format!("{act}-sure-send")).await;
            operator.until("shows it once", |page| page.shown("credential").is_some()).await;
            page.click("shown-once-done").await;
            operator.until("hides it", |page| page.shown("credential").is_none()).await;
        }
        page.click("business-edit").await;
        operator.fill("field-dailyWithdrawalLimit", "500").await;
        page.click("business-form-send").await;
        operator.until("has the limit", |page| page.text.contains("500")).await;
        page.click("disable").await;
        page.click("disable-sure-send").await;
        operator.until("is disabled", |page| page.value("status") == Some("DISABLED")).await;
        operator.go("audit").await;
        operator
            .until("notes it", |page| page.text.contains("/rotate-token") && page.text.contains("PATCH"))
            .await;
        let _: Value = stage.gateway.get("/api/v1/balances");
    });
}

/// In the sandbox nobody signs in.
#[test]
fn the_sandbox_has_the_same_form() {
    journey(async |stage| {
        let page = Developer::open(stage).await.page;
        let operator = Operator { page };
        operator.go("businesses").await;
        page.click("open").await;
        operator.until("shows the business", |page| page.shown("business-edit").is_some()).await;
        page.click("business-edit").await;
        operator.fill("field-name", "Kettle & Leaf").await;
        page.click("business-form-send").await;
        operator
            .until("has the name", |page| {
                page.shown("business-name").is_some_and(|name| name.text == "Kettle & Leaf")
            })
            .await;
    });
}

/// Who is no manager sees a business, and no button that would be refused.
#[test]
fn support_only_looks_at_businesses() {
    journey_under(DESK, async |stage| {
        let operator = Operator::sign_in(stage, "susi", "support").await;
        operator.go("businesses").await;
        let list = operator.until("lists it", |page| page.value("businesses") == Some("1")).await;
        assert!(list.shown("business-new").is_none() && list.shown("view").is_some());
        operator.page.click("open").await;
        let one = operator.until("shows it", |page| page.shown("endpoint").is_some()).await;
        for act in ["business-edit", "disable", "rotate-token", "rotate-secret", "test"] {
            assert!(one.shown(act).is_none(), "{act}");
        }
    });
}
