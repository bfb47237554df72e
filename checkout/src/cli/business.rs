//! `checkout business`: merchants and their settings.

mod settings;
mod unserved;
mod update;
mod withdrawals;

use std::process::ExitCode;

use checkout_core::Decimal;
use checkout_domain::business::Business as Listed;
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::Clock as _;
use checkout_domain::ports::businesses::BusinessStore as _;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_domain::ports::withdrawal_rules::WithdrawalRuleStore as _;
use checkout_domain::withdrawal::rules::Rules;
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::render;
use checkout_gateway::service::businesses::create_business;
use checkout_gateway::texts::origin::{check_link, read_origin};
use checkout_gateway::texts::{self, is_blank};
use clap::{Args, Subcommand};
use serde_json::json;

use self::settings::SettingsArguments;
use self::update::Update;
use self::withdrawals::WithdrawalArguments;
use super::database_args::DatabaseArgs;
use super::rotate::{RotateSecret, RotateToken};
use super::{
    DATABASE, Outcome, answer, block_on, clock, failed, new_id, open_database, open_existing, table,
};

#[derive(Debug, Subcommand)]
pub(super) enum Business {
    /// Creates a business and prints its id, its token and its callback secret, once.
    Create(Box<Create>),
    /// Changes a business, also while a gateway runs. Omitted settings stay the same.
    Update(Box<Update>),
    /// Lists all businesses.
    List(DatabaseArgs),
    /// Shows one business.
    Show(Show),
    /// Creates a new token, prints it once and expires the others.
    RotateToken(RotateToken),
    /// Creates a new callback secret and prints it once. Until the old one expires, callbacks carry both
    /// signatures.
    RotateSecret(RotateSecret),
}

#[derive(Debug, Args)]
pub(super) struct Create {
    /// Name, shown to payers.
    #[arg(long)]
    name: String,
    #[command(flatten)]
    settings: SettingsArguments,
    /// For a sandbox: accepts http and local callback URLs.
    #[arg(long)]
    sandbox: bool,
    #[command(flatten)]
    withdrawals: WithdrawalArguments,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct Show {
    /// The business.
    id: BusinessId,
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// For compatibility: the output is always JSON.
    #[arg(long)]
    json: bool,
}

impl Business {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::Create(create) => block_on(create.run()),
            Self::Update(update) => block_on(update.run()),
            Self::List(args) => block_on(list(args)),
            Self::Show(show) => block_on(show.run()),
            Self::RotateToken(rotate) => rotate.run(),
            Self::RotateSecret(rotate) => rotate.run(),
        }
    }
}

impl Create {
    async fn run(self) -> Outcome {
        check_name(&self.name)?;
        self.settings.check_urls(self.sandbox)?;
        let database = open_database(self.args.url()).await?;
        let now = SystemClock.now();
        let id = BusinessId(new_id(now));
        let names_deposits = self.settings.names_deposits();
        let settings = self.settings.read(Some(self.name));
        let rules = self.withdrawals.changes();
        let created = create_business::create(&database, settings, rules, id, now, &OsRandom, None).await;
        let (business, _, token) = created.map_err(failed)?;
        if names_deposits {
            unserved::note(&database, &business).await?;
        }
        database.close().await;
        if self.args.json {
            let id = business.id.to_string();
            let made = json!({"id": id, "token": token, "callbackSecret": business.callback_secret});
            answer(&made.to_string())?;
        } else {
            answer(&format!("id              {}", business.id))?;
            answer(&format!("token           {token}"))?;
            answer(&format!("callback secret {}", business.callback_secret))?;
            answer("Keep both: they are not shown again.")?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

async fn list(args: DatabaseArgs) -> Outcome {
    let database = args.open().await?;
    let businesses = database.businesses().await.map_err(failed)?;
    if args.json {
        let all: Vec<_> = businesses.iter().map(render::business::own).collect();
        answer(&serde_json::to_string_pretty(&all).expect("texts and numbers are JSON"))?;
    } else {
        let row = |business: Listed| vec![business.id.to_string(), business.name];
        table::print(businesses.into_iter().map(row).collect(), &[])?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Show {
    async fn run(self) -> Outcome {
        let database = open_existing(self.database.as_deref()).await?;
        let Some(business) = database.business(self.id).await.map_err(failed)? else {
            return Err(format!("There is no business {}.", self.id));
        };
        let rules = database.rules(business.id, clock(&database).await?.now()).await.map_err(failed)?;
        answer(&shown(&business, &rules))?;
        Ok(ExitCode::SUCCESS)
    }
}

pub(super) fn create_organisation_key(args: DatabaseArgs) -> Outcome {
    block_on(async move {
        let database = open_database(args.url()).await?;
        let now = SystemClock.now();
        let key = create_business::create_organisation_key(&database, now, &OsRandom).await;
        let key = key.map_err(failed)?;
        database.close().await;
        args.say(&json!({"token": key}), &key)
    })
}

fn check_name(name: &str) -> Result<(), String> {
    if is_blank(name) || texts::check(name).is_err() {
        return Err("A business needs a printable name.".to_owned());
    }
    Ok(())
}

/// A business with the settings that the API does not show, as JSON.
fn shown(business: &Listed, rules: &Rules) -> String {
    let mut shown =
        serde_json::to_value(render::business::own(business)).expect("texts and numbers are JSON");
    settings::show(&mut shown, business);
    withdrawals::show(&mut shown, rules);
    serde_json::to_string_pretty(&shown).expect("texts and numbers are JSON")
}

pub(super) fn origin(text: &str) -> Result<String, String> {
    read_origin(text, true).map_err(|error| format!("it {}", error.detail()))
}

pub(super) fn link(text: &str) -> Result<String, String> {
    check_link(text, true).map(|()| text.to_owned()).map_err(|error| format!("it {}", error.detail()))
}

fn euros(text: &str) -> Result<Decimal, String> {
    checkout_core::decimal::parse(text, 2).map_err(|error| format!("not an amount in EUR: {error}"))
}
