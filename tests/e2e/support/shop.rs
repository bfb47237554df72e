//! The demo shop, with the checkout in a frame of another origin.

use std::time::Instant;

use checkout_test_support::patience;
use checkout_wire::Payment;
use serde::Deserialize;
use serde_json::{Value, json};

use super::browser::Browser;
use super::frame;
use super::gateway::Gateway;
use super::page::Page;
use super::wait::LOOK;

/// Records the page's events and messages from before its first script, across pages of its origin.
const EARS: &str = include_str!("ears.js");

/// An order's page, outside the frame.
#[derive(Clone, Copy)]
pub(crate) struct Shop<'a> {
    pub(crate) page: Page<'a>,
}

/// A DOM event of the element.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Heard {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) detail: Value,
}

/// A message that arrived at a window.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Message {
    pub(crate) origin: String,
    #[serde(default)]
    pub(crate) data: Value,
}

impl<'a> Shop<'a> {
    /// Orders the kettle.
    pub(crate) async fn order(browser: &'a Browser, gateway: &Gateway) -> Self {
        let shop = Self { page: Page { browser } };
        shop.page.open(&gateway.ready.shop_url).await;
        shop.page.pick("buy", "kettle").await;
        shop.page.until("waits for the payment", |page| page.parts.contains_key("shop-status")).await;
        shop
    }

    /// Orders the kettle and waits for the frame to answer. From then on all events and messages are recorded; in
    /// Chromium only.
    pub(crate) async fn order_with_ears(browser: &'a Browser, gateway: &Gateway) -> Self {
        browser.before_every_page(EARS).await;
        let shop = Self::order(browser, gateway).await;
        shop.until("the frame has answered", |heard, _| {
            heard.iter().any(|event| event.kind == "checkout:ready")
        })
        .await;
        shop
    }

    /// Enters the checkout's frame; commands go there until [`leave`](Self::leave).
    pub(crate) async fn enter(&self) -> Page<'a> {
        let held = "document.querySelector('crypto-checkout')?.shadowRoot?.querySelector('iframe')";
        frame::enter(self.page.browser, held).await;
        self.page
    }

    /// Returns to the shop's own page.
    pub(crate) async fn leave(&self) {
        self.page.browser.top().await;
    }

    /// The payment created by the shop, from the frame's URL.
    pub(crate) async fn payment(&self, gateway: &Gateway) -> Payment {
        let script = "return document.querySelector('crypto-checkout').paymentUrl";
        let url = self.page.browser.run(script, vec![]).await;
        let url = url.as_str().expect("the shop gives the element an address");
        let id = url.split("/checkout/").nth(1).and_then(|rest| rest.split('?').next());
        gateway.payment(id.expect("the address names the payment"))
    }

    /// Every DOM event of the element so far, including earlier pages.
    pub(crate) async fn heard(&self) -> Vec<Heard> {
        self.recorded("heard").await
    }

    /// Every message to this window so far, from any sender.
    pub(crate) async fn messages(&self) -> Vec<Message> {
        self.recorded("messages").await
    }

    /// Waits until the expected events and messages arrived.
    pub(crate) async fn until(&self, what: &str, holds: impl Fn(&[Heard], &[Message]) -> bool) {
        let deadline = Instant::now() + patience();
        loop {
            let (heard, messages) = (self.heard().await, self.messages().await);
            if holds(&heard, &messages) {
                return;
            }
            assert!(Instant::now() < deadline, "It is not so that {what}.\n{heard:?}\n{messages:?}");
            tokio::time::sleep(LOOK).await;
        }
    }

    async fn recorded<T: serde::de::DeserializeOwned>(&self, what: &str) -> Vec<T> {
        let script = "return JSON.parse(sessionStorage.getItem('e2e-' + arguments[0]) ?? '[]')";
        let list = self.page.browser.run(script, vec![json!(what)]).await;
        serde_json::from_value(list).expect("the ears and their types agree")
    }
}
