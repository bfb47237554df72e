//! The desk of a sandbox with its drawer, as a merchant's developer uses them: by clicks and displayed text.

use fantoccini::Locator;
use serde_json::json;

use super::page::Page;
use super::snapshot::Snapshot;
use super::stage::Stage;

#[derive(Clone, Copy)]
pub(crate) struct Developer<'a> {
    pub(crate) page: Page<'a>,
}

impl<'a> Developer<'a> {
    /// Opens the desk at the address that the sandbox's own page had before.
    pub(crate) async fn open(stage: &Stage<'a>) -> Self {
        // The desk asks for callbacks of everything, and not everything can have some.
        stage.browser.expect_in_console("the server responded with a status of 422");
        let page = stage.page();
        page.open(&format!("{}/sandbox", stage.gateway.ready.base_url)).await;
        let developer = Self { page };
        developer.until("has asked the gateway", |page| page.parts.contains_key("chain")).await;
        developer
    }

    pub(crate) async fn until(&self, what: &str, holds: impl Fn(&Snapshot) -> bool) -> Snapshot {
        self.page.until(what, holds).await
    }

    /// Waits until the desk shows the payment in this state.
    pub(crate) async fn until_status(&self, status: &str) -> Snapshot {
        self.until(&format!("says {status}"), |page| {
            page.value("status") == Some(status) && page.value("open-payment") == Some(status)
        })
        .await
    }

    /// Waits until a message reports success.
    pub(crate) async fn until_said(&self, part: &str) {
        self.until(&format!("says {part:?}"), |page| {
            page.shown("message").is_some_and(|said| said.text.contains(part))
        })
        .await;
    }

    /// Creates a payment of 25 € with the form. `pair` is a pair such as `BTC/BTC`, or empty to let the payer
    /// choose. Returns its id.
    pub(crate) async fn create(&self, order: &str, pair: &str) -> String {
        self.unfold("new-payment").await;
        self.fill("new-payment", "clientPaymentId", order).await;
        self.pick("new-payment", "pair", pair).await;
        self.page.click("new-send").await;
        let page = self
            .until("shows the payment", |page| {
                page.value("order") == Some(order) && page.shown("open-payment").is_some()
            })
            .await;
        page.url.rsplit('/').next().expect("the address has its id").to_owned()
    }

    /// Opens a folded part of the drawer.
    pub(crate) async fn unfold(&self, part: &str) {
        self.page.click_on(&format!("[data-part={part}] summary")).await;
    }

    /// Fills in a field of a part.
    pub(crate) async fn fill(&self, part: &str, name: &str, text: &str) {
        let field = Locator::Css(&format!("[data-part={part}] [name={name}]"));
        let field = self.page.browser.client.wait().for_element(field).await.expect("the field is there");
        field.clear().await.expect("the field can be emptied");
        field.send_keys(text).await.expect("the field takes keys");
    }

    /// Selects an option of a list.
    pub(crate) async fn pick(&self, part: &str, name: &str, value: &str) {
        let script =
            "const list = document.querySelector(`[data-part=${arguments[0]}] [name=${arguments[1]}]`);
            list.value = arguments[2];
            return list.value;";
        let chosen = self.page.browser.run(script, vec![json!(part), json!(name), json!(value)]).await;
        assert_eq!(chosen, json!(value), "{part} has no such {name}");
    }

    /// Opens a view of the desk by the navigation.
    pub(crate) async fn go(&self, view: &str) {
        self.page.pick("view", view).await;
        self.until("is the current view", |page| page.url.contains(&format!("#/{view}"))).await;
    }
}

/// Counts the visible parts with this name and value.
pub(crate) fn count(page: &Snapshot, part: &str, value: &str) -> usize {
    let parts = page.parts.get(part).map(Vec::as_slice).unwrap_or_default();
    parts.iter().filter(|part| part.shown && part.value.as_deref() == Some(value)).count()
}
