//! `checkout currencies`: the table of pairs.

use std::process::ExitCode;

use checkout_domain::ledger::fee::Fees;
use checkout_gateway::render::currencies as tables;
use clap::Args;

use super::{Outcome, answer, table};

#[derive(Debug, Args)]
pub(super) struct Currencies {
    /// The answer of `GET /api/v1/currencies`, with fixed fees.
    #[arg(long)]
    json: bool,
}

impl Currencies {
    pub(super) fn run(self) -> Outcome {
        let currencies = tables::list(&Fees::new());
        if self.json {
            let text = serde_json::to_string_pretty(&currencies).expect("texts and numbers are JSON");
            answer(&text)?;
            return Ok(ExitCode::SUCCESS);
        }
        let header = ["CURRENCY", "NAME", "NETWORK", "", "DECIMALS", "TAG", ""];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        let marked = tables::opt_ins().into_iter().map(|currency| (currency, "opt-in"));
        for (currency, mark) in currencies.into_iter().map(|currency| (currency, "")).chain(marked) {
            for network in currency.networks {
                let tag = match network.tag.as_str() {
                    "DESTINATION_TAG" => "destination tag",
                    "MEMO" => "memo",
                    _ => "",
                };
                rows.push(vec![
                    currency.currency.to_string(),
                    currency.name.clone(),
                    network.network.to_string(),
                    network.name.clone(),
                    network.decimals.to_string(),
                    tag.to_owned(),
                    mark.to_owned(),
                ]);
            }
        }
        table::print(rows, &[4])?;
        Ok(ExitCode::SUCCESS)
    }
}
