//! `checkout contract`: plays payments against any server of the payment interface, and grades it by `docs/contract.md`.

mod choose;
mod deposits;
mod grades;
mod link;
mod payment;
mod play;
mod reading;
mod rows;
mod server;
mod shown;
mod watch;

use std::process::ExitCode;
use std::time::Duration;

use checkout_chain_http::client::{builder, read_body, reason, web_roots};
use checkout_core::Pair;
use checkout_core::pair::PAIRS;
use checkout_gateway::core_dumps;
use clap::Args;

use self::grades::Grades;
use self::link::{Link, Settings, pair};
use self::play::{Offer, Player};
use self::server::Server;
use self::shown::code;
use super::business::{link as url, origin};
use super::{Outcome, answer, block_on, tell};

const TIMEOUT: Duration = Duration::from_secs(10);
const MAX_SETTINGS: usize = 1 << 20;

#[derive(Debug, Args)]
pub(super) struct Contract {
    /// Links of new payments, as your server writes them: a page with paymentId and sessionToken.
    #[arg(required = true, value_name = "URL")]
    links: Vec<Link>,
    /// Base address of the API, before /api/v1 [default: the `api` of the checkout.json beside the page, or its origin].
    #[arg(long, value_name = "URL", value_parser = url)]
    api: Option<String>,
    /// Origin of the page [default: that of the link].
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    origin: Option<String>,
    /// A pair that the server has, such as USDT.TRX; the first is the one to pay. Repeatable [default: the `pairs` of the
    /// checkout.json, or what the server takes of the interface's].
    #[arg(long = "pair", value_name = "PAIR", value_parser = pair)]
    pairs: Vec<&'static Pair>,
    /// Waits for the transfer of each payment, which you make meanwhile.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    watch: Option<u64>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

impl Contract {
    pub(super) fn run(self) -> Outcome {
        core_dumps::forbid();
        block_on(self.play())
    }

    async fn play(self) -> Outcome {
        let mut grades = Grades::default();
        let mut open = None;
        for link in &self.links {
            let settings = settings(link).await?;
            let api = self.api.clone().or(settings.api).unwrap_or_else(|| link.api());
            let origin = self.origin.clone().unwrap_or_else(|| link.page.origin().ascii_serialization());
            let is_other =
                url::Url::parse(&api).is_ok_and(|api| api.origin().ascii_serialization() != origin);
            let listed = settings.pairs.iter().filter_map(|listed| pair(listed).ok());
            let mut pairs = if self.pairs.is_empty() { listed.collect() } else { self.pairs.clone() };
            let is_promised = !pairs.is_empty();
            if !is_promised {
                pairs = PAIRS.iter().filter(|pair| pair.deposit).collect();
            }
            let offer = Offer { pairs, is_promised, test_networks: settings.test_networks };
            let server = Server::new(api.trim_end_matches('/').to_owned(), is_other.then_some(origin))?;
            tell(&format!("Playing {} at {api}", link.payment_id));
            let watch = self.watch.map(Duration::from_secs);
            let player = Player { server: &server, link, offer: &offer, grades: &mut grades, watch };
            let open = open.get_or_insert_with(|| offer.pairs.clone());
            player.play(open).await;
        }
        let open: Vec<String> = open.into_iter().flatten().map(code).collect();
        if !open.is_empty() {
            grades.note(format!(
                "not chosen: {}. A server that takes one choice needs a payment for each",
                open.join(", ")
            ));
        }
        answer(&if self.json { grades.json().to_string() } else { grades.text() })?;
        Ok(if grades.faults() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// The settings of the kit's page; none of another page.
async fn settings(link: &Link) -> Result<Settings, String> {
    let Some(url) = link.settings_url() else { return Ok(Settings::default()) };
    let client = builder(web_roots(), TIMEOUT).build().map_err(|error| reason(&error))?;
    let Ok(response) = client.get(url).send().await else { return Ok(Settings::default()) };
    if !response.status().is_success() {
        return Ok(Settings::default());
    }
    let body = read_body(response, MAX_SETTINGS).await.unwrap_or_default();
    Ok(serde_json::from_slice(&body).unwrap_or_default())
}
