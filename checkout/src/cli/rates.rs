//! `checkout rates`: asks the feeds of exchange rates.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use checkout_domain::ports::system_clock::SystemClock;
use checkout_gateway::adapters::http_rates::{FeedReport, HttpRates, RatesReport};
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::{Outcome, answer, block_on};
use crate::config::ConfigFile;

#[derive(Debug, Subcommand)]
pub(super) enum Rates {
    /// Asks each configured feed once and reports what it answers. Exits with 1 if a currency or coin has no price.
    Check(CheckRates),
}

#[derive(Debug, Args)]
pub(super) struct CheckRates {
    /// Configuration file, in TOML.
    #[arg(long, env = "CHECKOUT_CONFIG")]
    config: Option<PathBuf>,
    /// URL of the exchange rate feed, such as https://rates.example/all.
    #[arg(long, env = "CHECKOUT_RATES_URL", value_name = "URL")]
    rates_url: Option<String>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

impl Rates {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::Check(command) => block_on(command.run()),
        }
    }
}

impl CheckRates {
    async fn run(self) -> Outcome {
        let file = match &self.config {
            Some(path) => ConfigFile::read(path)?,
            None => ConfigFile::default(),
        };
        let rates = HttpRates::new(&file.rates(self.rates_url)?, Arc::new(SystemClock))?;
        let rates = rates.ok_or("There is no feed of exchange rates: set [rates] feeds or [rates] url.")?;
        let report = rates.check().await;
        let unpriced: Vec<&str> =
            report.assets.iter().filter(|asset| asset.price.is_none()).map(|asset| asset.code).collect();
        if self.json {
            answer(&as_json(&report, &unpriced).to_string())?;
        } else {
            for feed in &report.feeds {
                for (level, detail) in lines(feed) {
                    answer(&format!("{:<10} {level:<8} {detail}", feed.name))?;
                }
            }
            let (level, detail) = if unpriced.is_empty() {
                ("ok", "every currency and every coin that pays fees has a price".to_owned())
            } else {
                ("WRONG", format!("no price of {}", unpriced.join(", ")))
            };
            answer(&format!("{:<10} {level:<8} {detail}", "together"))?;
        }
        Ok(if unpriced.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

fn lines(feed: &FeedReport) -> Vec<(&'static str, String)> {
    if let Some(problem) = &feed.problem {
        return vec![("WRONG", format!("no prices from {}: {problem}", feed.server))];
    }
    let prices = if feed.prices == 1 { "price" } else { "prices" };
    let mut lines = vec![("ok", format!("{} {prices} from {}", feed.prices, feed.server))];
    for outlier in &feed.outliers {
        let price = outlier.price.round_sf(8).unwrap_or(outlier.price).normalize();
        lines.push(("warning", format!("contradicts others: {} at {price} EUR is left out", outlier.code)));
    }
    lines.extend(feed.odd.iter().map(|odd| ("warning", format!("left out: {odd}"))));
    if !feed.missing.is_empty() {
        lines.push(("", format!("does not have {}", feed.missing.join(", "))));
    }
    lines
}

fn as_json(report: &RatesReport, unpriced: &[&str]) -> Value {
    let feeds = report.feeds.iter().map(|feed| {
        let outliers = feed.outliers.iter();
        let outliers: Vec<Value> = outliers
            .map(|outlier| json!({"code": outlier.code, "euros": outlier.price.normalize().to_string()}))
            .collect();
        json!({
            "feed": feed.name, "server": feed.server, "problem": feed.problem, "prices": feed.prices,
            "outliers": outliers, "leftOut": feed.odd, "missing": feed.missing,
        })
    });
    let prices = report.assets.iter().map(|asset| {
        let euros = asset.price.map(|price| price.to_string());
        json!({"code": asset.code, "euros": euros, "feeds": asset.feeds})
    });
    json!({"feeds": feeds.collect::<Vec<_>>(), "prices": prices.collect::<Vec<_>>(), "missing": unpriced})
}
