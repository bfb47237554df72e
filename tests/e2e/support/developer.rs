//! The sandbox's console as a merchant's developer uses it: by clicks and displayed text.

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
    /// Opens the console.
    pub(crate) async fn open(stage: &Stage<'a>) -> Self {
        let page = stage.page();
        page.open(&format!("{}/sandbox", stage.gateway.ready.base_url)).await;
        let developer = Self { page };
        developer
            .until("has asked the gateway", |page| {
                page.shown("clock").is_some_and(|clock| clock.text.contains(':'))
            })
            .await;
        developer
    }

    pub(crate) async fn until(&self, what: &str, holds: impl Fn(&Snapshot) -> bool) -> Snapshot {
        self.page.until(what, holds).await
    }

    pub(crate) async fn until_status(&self, status: &str) -> Snapshot {
        self.until(&format!("says {status}"), |page| page.value("status") == Some(status)).await
    }

    /// Waits until the console reports success.
    pub(crate) async fn until_said(&self, part: &str) {
        self.until(&format!("says {part:?}"), |page| {
            page.shown("message").is_some_and(|said| said.text.contains(part))
        })
        .await;
    }

    /// Creates a payment of 25 € with the form. `pair` is a pair such as `BTC/BTC`, or empty to let the payer
    /// choose. Returns its id.
    pub(crate) async fn create(&self, order: &str, pair: &str) -> String {
        self.page.click("new").await;
        self.until("shows the form", |page| page.shown("new-order").is_some()).await;
        self.fill("new-order", order).await;
        self.pick("new-pair", pair).await;
        self.page.click("create").await;
        let page = self
            .until("shows the payment", |page| page.shown("title").is_some_and(|title| title.text == order))
            .await;
        page.value("payment-id").expect("the payment has an id").to_owned()
    }

    pub(crate) async fn fill(&self, part: &str, text: &str) {
        let field = self.page.browser.client.find(Locator::Css(&format!("[data-part={part}]"))).await;
        let field = field.expect("the field is there");
        field.clear().await.expect("the field can be emptied");
        field.send_keys(text).await.expect("the field takes keys");
    }

    /// Selects an option of a list.
    pub(crate) async fn pick(&self, part: &str, value: &str) {
        let script = "const list = document.querySelector(`[data-part=${arguments[0]}]`);
            list.value = arguments[1];
            list.dispatchEvent(new Event('input', {bubbles: true}));
            return list.value;";
        let chosen = self.page.browser.run(script, vec![json!(part), json!(value)]).await;
        assert_eq!(chosen, json!(value), "{part} has no such option");
    }

    /// Opens a view by the navigation.
    pub(crate) async fn go(&self, view: &str) {
        self.page.pick("view", view).await;
        self.until("is the current view", |page| page.url.contains(&format!("#/{view}"))).await;
    }

    pub(crate) async fn open_payment(&self, id: &str) {
        self.go("payments").await;
        self.page.pick("payment", &format!("'{id}'")).await;
    }
}

/// Counts the visible parts with this name and value.
pub(crate) fn count(page: &Snapshot, part: &str, value: &str) -> usize {
    let parts = page.parts.get(part).map(Vec::as_slice).unwrap_or_default();
    parts.iter().filter(|part| part.shown && part.value.as_deref() == Some(value)).count()
}
