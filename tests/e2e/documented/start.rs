//! `docs/start.md`, with each of its back ends.

use std::net::TcpListener;
use std::path::Path;

use serde_json::Value;

use super::guide::{Sample, samples};
use super::reader::Reader;
use crate::support::frame;
use crate::support::page::Page;
use crate::support::stage::with_browser;
use crate::support::wait::eventually;

const FRAME: &str = "document.querySelector('crypto-checkout')?.shadowRoot?.querySelector('iframe')";
const STATUS: &str = "return document.getElementById('status').textContent";

/// The ports on the page; the tests take free ones.
const GATEWAY_PORT: &str = "8080";
const SHOP_PORT: &str = "3000";

#[test]
fn in_node() {
    follow("In Node");
}

#[test]
fn in_python() {
    follow("In Python");
}

struct Start {
    samples: Vec<Sample>,
    ports: [String; 2],
}

impl Start {
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder of the repository");
        let page = std::fs::read_to_string(root.join("docs/start.md")).expect("the page is there");
        let ports = [GATEWAY_PORT, SHOP_PORT].map(str::to_owned);
        Self { samples: samples(&page), ports }
    }

    /// With this test's ports.
    fn here(&self, code: &str) -> String {
        code.replace(GATEWAY_PORT, &self.ports[0]).replace(SHOP_PORT, &self.ports[1])
    }

    /// The command that contains this text.
    fn command(&self, part: &str) -> String {
        let is_it = |sample: &&Sample| sample.language == "sh" && sample.code.contains(part);
        let found = self.samples.iter().find(is_it);
        self.here(&found.unwrap_or_else(|| panic!("docs/start.md has no command with {part:?}")).code)
    }
}

#[track_caller]
fn follow(section: &str) {
    with_browser(async |browser| {
        let (mut start, reader) = (Start::read(), Reader::new());
        let gateway = reader.start(&start.command("checkout serve"), &[("CHECKOUT_LISTEN", "127.0.0.1:0")]);
        let ready: Value = serde_json::from_str(&gateway.until("baseUrl")).expect("a line of JSON");
        start.ports = [port_of(ready["baseUrl"].as_str().expect("a URL")), free_port()];

        reader.run(&start.command("business create"), &[]);
        for sample in &start.samples {
            if let Some(file) = &sample.file {
                reader.save(file, &start.here(&sample.code));
            }
        }
        let back_end =
            start.samples.iter().find(|sample| sample.section == section && sample.language == "sh");
        let shop = reader.start(&back_end.expect("the section starts the back end").code, &[]);
        let address = shop.until("http://localhost:");

        browser.goto(&address).await;
        browser.run("document.querySelector('button').click()", vec![]).await;
        frame::enter(browser, FRAME).await;
        let page = Page { browser };
        page.choose("USDT", "TRX").await;
        page.until_screen("pay").await;
        browser.top().await;

        let payment = newest_payment(&reader, &start);
        let text =
            |name: &str| payment[name].as_str().unwrap_or_else(|| panic!("{name} of {payment}")).to_owned();
        let transfer = start.command("/sandbox/transfers").replace("ADDRESS", &text("walletAddress"));
        reader.run(&transfer.replace("AMOUNT", &text("expectedDepositAmount")), &[]);
        eventually("the page says that it is on its way", async || {
            browser.run(STATUS, vec![]).await == "The payment is AWAITING."
        })
        .await;
        reader.run(&start.command("/sandbox/blocks"), &[]);
        eventually("the page says that it is paid", async || {
            browser.run(STATUS, vec![]).await == "The payment is DEPOSITED."
        })
        .await;
        shop.until(&format!("order {} is DEPOSITED", text("clientPaymentId")));
    });
}

fn newest_payment(reader: &Reader, start: &Start) -> Value {
    let business: Value = serde_json::from_str(&reader.read("business.json")).expect("JSON");
    let token = business["token"].as_str().expect("the command prints the token");
    let url = format!("http://127.0.0.1:{}/api/v1/payments?limit=1", start.ports[0]);
    let answer = ureq::get(&url).header("Authorization", format!("Bearer {token}")).call();
    let text = answer.expect("the gateway answers").body_mut().read_to_string().expect("text");
    let payments: Value = serde_json::from_str(&text).expect("JSON");
    payments[0].clone()
}

fn port_of(url: &str) -> String {
    url.rsplit(':').next().expect("a port").to_owned()
}

fn free_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("bound").port().to_string()
}
