use std::process::ExitCode;

use clap::Args;

use super::{Outcome, answer};
use checkout_gateway::service::list_currencies;

#[derive(Debug, Args)]
pub(super) struct Currencies {
    /// The answer of `GET /api/v1/currencies`.
    #[arg(long)]
    json: bool,
}

impl Currencies {
    pub(super) fn run(self) -> Outcome {
        let currencies = list_currencies::list();
        if self.json {
            let text = serde_json::to_string_pretty(&currencies).expect("texts and numbers are JSON");
            answer(&text)?;
            return Ok(ExitCode::SUCCESS);
        }
        answer(&format!(
            "{:<9} {:<15} {:<8} {:<16} {:>8}  TAG",
            "CURRENCY", "NAME", "NETWORK", "", "DECIMALS"
        ))?;
        for currency in currencies {
            for network in currency.networks {
                let tag = match network.tag.as_str() {
                    "DESTINATION_TAG" => "destination tag",
                    "MEMO" => "memo",
                    _ => "",
                };
                let line = format!(
                    "{:<9} {:<15} {:<8} {:<16} {:>8}  {tag}",
                    currency.currency, currency.name, network.network, network.name, network.decimals
                );
                answer(line.trim_end())?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
