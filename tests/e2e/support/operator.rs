//! The desk as an operator uses it: by a name, a password and a code, then by clicks.

use std::time::{SystemTime, UNIX_EPOCH};

use fantoccini::Locator;
use totp_rs::{Builder, Secret};

use super::page::Page;
use super::snapshot::Snapshot;
use super::stage::Stage;

/// A desk on a free port.
pub(crate) const DESK: &str = "[desk]\nlisten = \"127.0.0.1:0\"\nsupport_refund_limit = \"50\"\n";

#[derive(Clone, Copy)]
pub(crate) struct Operator<'a> {
    pub(crate) page: Page<'a>,
}

impl<'a> Operator<'a> {
    /// Adds an operator on the command line, and signs in with what it prints.
    pub(crate) async fn sign_in(stage: &Stage<'a>, name: &str, role: &str) -> Self {
        let (password, link) = stage.gateway.add_operator(name, role);
        let page = stage.page();
        page.open(&stage.gateway.ready.desk_url).await;
        let operator = Self { page };
        operator.until("asks who it is", |page| page.shown("sign-in-send").is_some()).await;
        for (field, text) in [("name", name), ("password", &password), ("code", &code(&link))] {
            operator.fill(&format!("field-{field}"), text).await;
        }
        page.click("sign-in-send").await;
        operator.until("shows the role", |page| page.value("operator") == Some(role)).await;
        operator
    }

    pub(crate) async fn until(&self, what: &str, holds: impl Fn(&Snapshot) -> bool) -> Snapshot {
        self.page.until(what, holds).await
    }

    pub(crate) async fn go(&self, view: &str) {
        self.page.pick("view", view).await;
        self.until("is the current view", |page| page.url.contains(&format!("#/{view}"))).await;
    }

    pub(crate) async fn fill(&self, part: &str, text: &str) {
        self.until(&format!("has {part}"), |page| page.parts.contains_key(part)).await;
        let field = self.page.browser.client.find(Locator::Css(&format!("[data-part={part}]"))).await;
        let field = field.expect("the field is there");
        field.clear().await.expect("the field can be emptied");
        field.send_keys(text).await.expect("the field takes keys");
    }

    /// Finds the only payment of a search and opens it.
    pub(crate) async fn find(&self, search: &str, order: &str) {
        self.fill("search", search).await;
        self.until(&format!("finds {search}"), |page| {
            page.value("found") == Some(search) && page.value("open") == Some(order)
        })
        .await;
        self.page.click("open").await;
        self.until("shows the payment", |page| page.value("order") == Some(order)).await;
    }
}

/// The code of now.
#[expect(clippy::disallowed_methods, reason = "as the operator's phone")]
pub(crate) fn code(link: &str) -> String {
    let key = link.split("secret=").nth(1).and_then(|rest| rest.split('&').next());
    let key = key.and_then(|key| Secret::try_from_base32(key).ok()).expect("the link has a key");
    let codes = Builder::new().with_secret(key).build().expect("the key is long enough");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is right");
    codes.generate(now.as_secs()).to_string()
}
