//! `checkout business update`: changes settings.

use std::process::ExitCode;

use checkout_domain::access::actor::Actor;
use checkout_domain::business::settings::Settings;
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::Clock as _;
use checkout_gateway::service::businesses::update_business;
use clap::Args;

use super::settings::SettingsArguments;
use super::withdrawals::WithdrawalArguments;
use super::{check_name, origin, shown, unserved};
use crate::cli::{DATABASE, Outcome, answer, clock, failed, open_existing};

#[derive(Debug, Args)]
pub(in crate::cli) struct Update {
    /// The business.
    id: BusinessId,
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// Name, shown to payers.
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    settings: SettingsArguments,
    /// An origin that may embed the checkout, too. Repeatable.
    #[arg(long = "add-origin", value_name = "ORIGIN", value_parser = origin)]
    added_origins: Vec<String>,
    /// An origin that may not embed the checkout any more. Repeatable.
    #[arg(long = "remove-origin", value_name = "ORIGIN", value_parser = origin)]
    removed_origins: Vec<String>,
    /// For a sandbox: accepts http and local callback URLs.
    #[arg(long)]
    sandbox: bool,
    #[command(flatten)]
    withdrawals: WithdrawalArguments,
    /// For compatibility: the output is always JSON.
    #[arg(long)]
    json: bool,
}

impl Update {
    pub(super) async fn run(self) -> Outcome {
        self.name.as_deref().map_or(Ok(()), check_name)?;
        self.settings.check_urls(self.sandbox)?;
        let database = open_existing(self.database.as_deref()).await?;
        let names_deposits = self.settings.names_deposits();
        let settings = Settings {
            added_origins: self.added_origins,
            removed_origins: self.removed_origins,
            ..self.settings.read(self.name)
        };
        let rules = self.withdrawals.changes();
        let by = (&Actor::CommandLine, clock(&database).await?.now());
        let updated =
            update_business::update(&database, self.id, settings, rules, by).await.map_err(failed)?;
        let Some((business, rules)) = updated else {
            return Err(format!("There is no business {}.", self.id));
        };
        if names_deposits {
            unserved::note(&database, &business).await?;
        }
        database.close().await;
        answer(&shown(&business, &rules))?;
        Ok(ExitCode::SUCCESS)
    }
}
