//! The kit on a static web server, in front of servers that are not our gateway.

mod files;
mod server;

use checkout_wire::Payment;
use serde_json::{Value, json};

pub(crate) use files::KitFiles;
pub(crate) use server::{KINDS, Kind, Link, Server};

use super::browser::Browser;
use super::extent::in_turn;
use super::faulty::Faulty;
use super::merchant::Merchant;
use super::page::Page;
use super::sandbox::expected;
use super::stage::with_browser;

/// The page of the kit, and the server that it asks.
pub(crate) struct KitStage<'a> {
    pub(crate) browser: &'a Browser,
    pub(crate) server: Server,
    pub(crate) files: KitFiles,
}

/// Runs a journey in front of each server, or of the one whose turn it is.
pub(crate) fn before_each_server(run: &impl AsyncFn(&KitStage<'_>)) {
    for kind in in_turn(&KINDS) {
        eprintln!("in front of {kind:?}");
        with_browser(async |browser| {
            let stage = KitStage::open_at(kind, browser, |_| json!({}));
            run(&stage).await;
            browser.seal_console().await;
        });
    }
}

impl<'a> KitStage<'a> {
    /// `settings` are those of `checkout.json` beside the address of the server, which they get.
    pub(crate) fn open_at(kind: Kind, browser: &'a Browser, settings: impl FnOnce(&str) -> Value) -> Self {
        let (listener, origin) = Merchant::reserve();
        let server = Server::start(kind, &format!("{origin}/pay/"));
        let mut file = json!({"api": server.origin, "merchantName": "Tea & Co"});
        let more = settings(&server.origin);
        file.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        if kind == Kind::AsWritten {
            // Once, when the page finds out that it may not ask with an `ETag`.
            browser.expect_in_console("if-none-match is not allowed");
            browser.expect_in_console("net::ERR_FAILED");
        }
        Self { browser, server, files: KitFiles::serve(listener, &file) }
    }

    /// Behind a connection whose faults spoil polls of the payment.
    pub(crate) fn behind_faults(kind: Kind, browser: &'a Browser) -> (Self, Faulty) {
        let is_poll = |line: &str| line.starts_with("GET /api/v1/payments/");
        let mut proxy = None;
        let settings = |server: &str| json!({"api": proxy.insert(Faulty::before(server, is_poll)).origin});
        let stage = Self::open_at(kind, browser, settings);
        (stage, proxy.expect("the settings have its address"))
    }

    pub(crate) fn page(&self) -> Page<'a> {
        Page { browser: self.browser }
    }

    /// Creates a payment of 25 €, with these other facts, and opens its page.
    pub(crate) async fn open(&self, facts: Value) -> Link {
        let link = self.server.create(&facts);
        self.page().open(&link.url).await;
        link
    }

    pub(crate) async fn open_and_choose(&self, facts: Value, currency: &str, network: &str) -> Payment {
        let link = self.open(facts).await;
        self.page().choose(currency, network).await;
        self.server.payment(&link.payment_id)
    }

    /// The server says that these deposits, each of an amount and a status, have come to the payment.
    pub(crate) fn say(&self, payment: &Payment, status: &str, deposits: &[(&str, &str)]) {
        let deposits: Vec<Value> =
            deposits.iter().enumerate().map(|(place, row)| deposit(payment, place, *row)).collect();
        self.server.set(&payment.payment_id, &json!({"status": status, "deposits": deposits}));
    }

    /// All of the price has come.
    pub(crate) fn pay(&self, payment: &Payment, status: &str, deposit: &str) {
        self.say(payment, status, &[(&expected(payment), deposit)]);
    }
}

pub(crate) fn deposit(payment: &Payment, place: usize, (amount, status): (&str, &str)) -> Value {
    json!({
        "id": format!("0198c5a4-6f0e-7cc1-9c8f-{place:012}"),
        "depositAmount": amount,
        "depositCurrency": payment.deposit_currency,
        "depositReceivedAt": payment.payment_initiated_at,
        "displayAmount": "25.00",
        "displayCurrency": "EUR",
        "status": status,
        "fromAddress": "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
        "toAddress": payment.wallet_address,
        "transactionId": format!("{place:064x}"),
        "onChainFee": "0.00001",
    })
}
