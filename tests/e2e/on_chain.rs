//! A gateway without a sandbox, on a real node; its merchant is `examples/merchant.py`, which checks signatures.

use std::time::Duration;

use checkout_wire::{Payment, PaymentStatus};

use crate::examples::{Merchant, Order};
use crate::support::asking::asks_for;
use crate::support::gateway::Gateway;
use crate::support::screenshot;
use crate::support::snapshot::Snapshot;
use crate::support::stage::{Stage, with_browser};
use crate::support::wait::eventually;

/// A paid page polls every 30 seconds.
const PAID_PAGE: Duration = Duration::from_mins(2);

/// A payer's visit to the page of an order.
pub(crate) struct Visit<'a> {
    pub(crate) stage: &'a Stage<'a>,
    merchant: Merchant,
    order: Order,
    /// Of its screenshots.
    name: &'static str,
}

/// Runs a journey with the page of an order of 40 euros that is paid with the network's own coin.
pub(crate) fn visit(
    name: &'static str,
    currency: &str,
    config: &str,
    run: impl AsyncFnOnce(&Visit<'_>, Payment),
) {
    visit_pair(name, currency, currency, config, run);
}

/// The same with a currency on a network.
pub(crate) fn visit_pair(
    name: &'static str,
    currency: &str,
    network: &str,
    config: &str,
    run: impl AsyncFnOnce(&Visit<'_>, Payment),
) {
    with_browser(async |browser| {
        let mut gateway = Gateway::start_on_chains(config);
        eventually("the gateway has rates", async || gateway.has_rate(currency)).await;
        let merchant = Merchant::start("python3", "merchant.py", &mut gateway);
        let stage = Stage { gateway, browser };
        let order = merchant.sell("40.00");
        stage.page().open(&order.payment_url).await;
        let visit = Visit { stage: &stage, merchant, order, name };
        let page = stage.page();
        let has_offer = |page: &Snapshot| page.is("pay") || page.offers("currency", currency);
        // With a single offer there is no choice.
        if !page.until("offers something", has_offer).await.is("pay") {
            page.choose(currency, network).await;
        }
        let page = visit.keeps("pay").await;
        let payment = visit.payment();
        asks_for(&page, &payment);
        run(&visit, payment).await;
        browser.seal_console().await;
    });
}

impl Visit<'_> {
    pub(crate) fn payment(&self) -> Payment {
        self.stage.gateway.payment(self.order.payment_id())
    }

    /// Waits for a screen, and saves it.
    pub(crate) async fn keeps(&self, screen: &str) -> Snapshot {
        let page = self.stage.page();
        let found = page.within(PAID_PAGE, &format!("shows {screen}"), |page| page.is(screen)).await;
        screenshot::keep(self.stage.browser, &format!("{}-{screen}", self.name)).await;
        found
    }

    /// The page says that the payment is paid, and the merchant got a signed webhook.
    pub(crate) async fn is_paid(&self) {
        self.keeps("paid").await;
        assert_eq!(self.payment().status, PaymentStatus::Deposited);
        eventually("the merchant receives the webhook", async || self.merchant.order(&self.order.id).paid)
            .await;
    }

    /// A reorganisation removed the deposit from the chain, and the page says so.
    pub(crate) async fn is_unpaid(&self, screen: &str, words: &str) {
        let page = self.keeps(screen).await;
        assert!(page.text.contains(words), "{}", page.text);
        assert_ne!(self.payment().status, PaymentStatus::Deposited);
    }
}
