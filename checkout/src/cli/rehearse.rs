//! `checkout rehearse`: plays stories against a merchant's webhook receiver, and grades it.

mod shop_process;

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use checkout_domain::callback::signature::SECRET_PREFIX;
use checkout_gateway::core_dumps;
use checkout_sandbox::rehearsal::{
    Credentials, PLACEHOLDER, PaidWhen, Rehearsal, RehearsalSettings, Report, STORIES, ShopUrls, Story, line,
};
use checkout_storage::sqlite;
use clap::Args;
use serde_json::Value;
use tokio::net::TcpListener;

use self::shop_process::ShopProcess;
use super::business::link;
use super::{Outcome, answer, block_on, tell};
use crate::private_folder::PrivateFolder;

/// The ending of the folder with the database of a rehearsal.
const FOLDER: &str = ".checkout-rehearsal";

#[derive(Debug, Args)]
pub(super) struct Rehearse {
    /// URL of the webhook receiver, such as http://127.0.0.1:9000/webhooks.
    #[arg(value_parser = link)]
    url: String,
    /// URL that opens an order by POST: the shop creates its payment at the gateway of the rehearsal. Without it, the
    /// rehearsal creates the payments.
    #[arg(long, value_name = "URL", value_parser = link)]
    order_url: Option<String>,
    /// Body of that request.
    #[arg(long, value_name = "JSON", default_value = r#"{"amount": "25.00"}"#, value_parser = json)]
    order_body: String,
    /// The prefix of the ids of the orders that the rehearsal creates; numbers from 1 follow.
    #[arg(long, value_name = "TEXT", default_value = "rehearsal-")]
    order_prefix: String,
    /// URL that says what the shop believes about an order, with {clientPaymentId}.
    #[arg(long, value_name = "TEMPLATE", value_parser = template)]
    status_url: Option<String>,
    /// When an answer of it says "paid": a JSON pointer, with =VALUE unless the value is true, or a text in the answer.
    #[arg(long, value_name = "RULE", default_value = "/paid")]
    paid_when: PaidWhen,
    /// Callback secret that the shop has [default: a new one, printed].
    #[arg(long, env = "CHECKOUT_SECRET", value_name = "SECRET", value_parser = secret, hide_env_values = true)]
    secret: Option<String>,
    /// Token that the shop has [default: a new one, printed].
    #[arg(long, env = "CHECKOUT_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Listen address of the gateway of the rehearsal; port 0 picks a free port.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8089")]
    listen: SocketAddr,
    /// Seconds that the shop may take to believe that an order is paid.
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=600))]
    patience: u64,
    /// Seconds to wait until the receiver listens.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    wait: u64,
    /// Plays only this story. Repeatable.
    #[arg(long = "story", value_name = "NAME", value_parser = story)]
    stories: Vec<&'static Story>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
    /// Starts the shop with CHECKOUT_URL, CHECKOUT_TOKEN and CHECKOUT_SECRET, and stops it at the end.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl Rehearse {
    pub(super) fn run(self) -> Outcome {
        core_dumps::forbid();
        block_on(self.play())
    }

    async fn play(self) -> Outcome {
        let temporary = std::env::temp_dir();
        PrivateFolder::sweep(&temporary, FOLDER);
        let folder = PrivateFolder::fresh(&temporary, FOLDER)?;
        let database = sqlite::open(&folder.file("checkout.db")).await;
        let database = database.map_err(|error| format!("The database cannot be opened: {}.", error.0))?;
        let listener = TcpListener::bind(self.listen).await;
        let listener = listener.map_err(|error| {
            format!("Cannot listen on {}: {error}. Choose another address with --listen.", self.listen)
        })?;
        let credentials = Credentials::new(self.token, self.secret);
        let settings = RehearsalSettings {
            url: self.url.clone(),
            shop: ShopUrls {
                order: self.order_url,
                order_body: self.order_body,
                order_prefix: self.order_prefix,
                status: self.status_url,
                paid_when: self.paid_when,
            },
            patience: Duration::from_secs(self.patience),
        };
        let mut rehearsal = Rehearsal::open(settings, &database, listener, &credentials).await?;
        let gateway = rehearsal.gateway_url();
        tell(&format!("CHECKOUT_URL={gateway}"));
        tell(&format!("CHECKOUT_TOKEN={}", credentials.token));
        tell(&format!("CHECKOUT_SECRET={}", credentials.secret));
        let mut shop = ShopProcess::start(&self.command, gateway, &credentials)?;
        shop.wait_for(&self.url, Duration::from_secs(self.wait)).await?;

        let mut report = Report::default();
        for story in STORIES.iter().filter(|story| chosen(&self.stories, story)) {
            let graded = rehearsal.play(story).await;
            if !self.json {
                answer(&line(&graded))?;
            }
            report.0.push(graded);
        }
        drop(rehearsal);
        database.close().await;
        answer(&if self.json { report.json().to_string() } else { report.summary() })?;
        Ok(if report.is_full() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

fn chosen(names: &[&'static Story], story: &Story) -> bool {
    names.is_empty() || names.iter().any(|chosen| chosen.name == story.name)
}

fn template(text: &str) -> Result<String, String> {
    if !text.contains(PLACEHOLDER) {
        return Err(format!("must contain {PLACEHOLDER}, where the order's id goes"));
    }
    link(&text.replace(PLACEHOLDER, "order")).map(|_| text.to_owned())
}

fn secret(text: &str) -> Result<String, String> {
    if text.len() > SECRET_PREFIX.len() && text.starts_with(SECRET_PREFIX) {
        Ok(text.to_owned())
    } else {
        Err(format!("must begin with {SECRET_PREFIX}"))
    }
}

fn json(text: &str) -> Result<String, String> {
    serde_json::from_str::<Value>(text).map_err(|error| format!("is not JSON: {error}"))?;
    Ok(text.to_owned())
}

fn story(name: &str) -> Result<&'static Story, String> {
    STORIES.iter().find(|story| story.name == name).ok_or_else(|| {
        let names: Vec<&str> = STORIES.iter().map(|story| story.name).collect();
        format!("must be one of {}", names.join(", "))
    })
}
