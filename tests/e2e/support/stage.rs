//! A gateway and a browser for one journey, and diagnostics on failure.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use checkout_test_support::patience;
use checkout_wire::Payment;
use checkout_wire::create_payment::{CreatePayment, CreatedPayment};

use super::browser::Browser;
use super::browsers::{self, Visitor, block_on};
use super::gateway::Gateway;
use super::page::Page;
use super::screenshot;

pub(crate) struct Stage<'a> {
    pub(crate) gateway: Gateway,
    pub(crate) browser: &'a Browser,
}

impl<'a> Stage<'a> {
    pub(crate) fn page(&self) -> Page<'a> {
        Page { browser: self.browser }
    }

    /// Creates a payment and opens its page.
    pub(crate) async fn open(&self, order: &CreatePayment) -> CreatedPayment {
        let created = self.gateway.create(order);
        self.page().open(&created.payment_url).await;
        created
    }

    /// Opens a payment's page and chooses a pair. Returns the payment from the gateway.
    pub(crate) async fn open_and_choose(
        &self,
        order: &CreatePayment,
        currency: &str,
        network: &str,
    ) -> Payment {
        let created = self.open(order).await;
        self.page().choose(currency, network).await;
        self.gateway.payment(&created.payment_info.payment_id)
    }
}

/// Runs a journey with its own gateway, and a browser in which nothing is open.
pub(crate) fn journey(run: impl AsyncFnOnce(&mut Stage<'_>)) {
    journey_under("", run);
}

/// The same with a configuration file for the gateway.
pub(crate) fn journey_under(config: &str, run: impl AsyncFnOnce(&mut Stage<'_>)) {
    with_browser(async move |browser| {
        let mut stage = Stage { gateway: Gateway::start(config), browser };
        run(&mut stage).await;
        browser.seal_console().await;
    });
}

/// Runs with only a browser. Fails on a panic, and on any unexpected console error or Content-Security-Policy
/// violation.
pub(crate) fn with_browser(run: impl AsyncFnOnce(&Browser)) {
    let _visitor = Visitor::enter();
    let browser = browsers::take();
    let outcome = catch_unwind(AssertUnwindSafe(|| block_on(run(&browser))));
    block_on(browser.read_console());
    let faults = browser.console.borrow().faults();
    let name = std::thread::current().name().unwrap_or("journey").replace("::", "-");
    let picture = format!("failed-{:?}-{name}", browser.engine);
    if outcome.is_ok() && faults.is_empty() {
        screenshot::forget(&picture);
        return browsers::give_back(browser);
    }
    eprintln!("--- the console\n{}", browser.console.borrow().lines().join("\n"));
    // The browser itself may have failed, or answer no more.
    let keep = AssertUnwindSafe(|| {
        block_on(async { tokio::time::timeout(patience(), screenshot::keep(&browser, &picture)).await })
    });
    let _ = catch_unwind(keep);
    block_on(async { tokio::time::timeout(patience(), browser.close()).await.unwrap_or_default() });
    if let Err(panic) = outcome {
        resume_unwind(panic);
    }
    panic!("The console has errors:\n{}", faults.join("\n"));
}
