//! `checkout business`: merchants and their settings.

mod brand;
mod update;
mod withdrawals;

use std::process::ExitCode;

use checkout_core::wire::Theme;
use checkout_core::{Currency, Decimal, decimal};
use checkout_domain::business::Business as Listed;
use checkout_domain::business::brand_color::BrandColor;
use checkout_domain::business::deposit_pairs::{self, DepositChoice};
use checkout_domain::business::logo::Logo;
use checkout_domain::ports::Clock as _;
use checkout_domain::ports::businesses::BusinessStore as _;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_domain::ports::withdrawal_rules::WithdrawalRuleStore as _;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::withdrawal::rules::Rules;
use checkout_gateway::adapters::http_sender::{Reach, check_url};
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::render;
use checkout_gateway::requests::origin::{check_link, check_support_link, read_origin};
use checkout_gateway::requests::text::{self, is_blank};
use checkout_gateway::service::create_business::{self, NewBusiness};
use checkout_gateway::service::withdrawal_rules;
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;
use uuid::{NoContext, Timestamp, Uuid};

use self::brand::{color, logo};
use self::update::Update;
use self::withdrawals::WithdrawalArguments;
use super::rotate::{RotateSecret, RotateToken};
use super::{DATABASE, Outcome, answer, block_on, failed, open_database, open_existing, table};

#[derive(Debug, Subcommand)]
pub(super) enum Business {
    /// Creates a business and prints its id, its token and its callback secret, once.
    Create(Box<Create>),
    /// Changes a business, also while a gateway runs. Omitted settings stay the same.
    Update(Box<Update>),
    /// Lists all businesses.
    List(List),
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
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// An origin that may embed the checkout, such as https://shop.example. Repeatable.
    #[arg(long = "origin", value_parser = origin)]
    origins: Vec<String>,
    /// URL of the deposit-received callback.
    #[arg(long, value_parser = link)]
    deposit_callback: Option<String>,
    /// URL of the withdrawal callback.
    #[arg(long, value_parser = link)]
    withdrawal_callback: Option<String>,
    /// Cryptocurrency of the crypto share of settlements.
    #[arg(long, value_parser = currency, default_value = "BTC")]
    settlement_crypto: Currency,
    /// Share of each deposit that is settled in crypto, from 0 to 1.
    #[arg(long, value_parser = ratio, default_value = "0")]
    settlement_ratio: Decimal,
    /// Handling of an overpayment: refund the excess, or credit all.
    #[arg(long, value_enum, default_value = "PROCESS")]
    overpayment: Overpayment,
    /// Refunds deposits that arrive after a ONE_TIME payment was paid.
    #[arg(long)]
    refund_follow_up: bool,
    /// Tolerated underpayment as a share of the expected amount, from 0 to 1 [default: 0.005 for FLOATING,
    /// none for FIXED].
    #[arg(long, value_parser = ratio)]
    underpayment_tolerance: Option<Decimal>,
    /// Deposits of payments up to this amount in EUR are reported before a block includes them (BTC, BCH,
    /// LTC) [default: none; all in the sandbox]. Their sender can still take them back, on BTC for the price of a fee: set what
    /// you can lose.
    #[arg(long, value_name = "EUR", value_parser = euros)]
    instant_deposit_limit: Option<Decimal>,
    /// Accepted cryptocurrencies, separated by commas [default: all].
    #[arg(long, value_delimiter = ',', value_parser = currency)]
    deposit_currencies: Vec<Currency>,
    /// The same with single networks, such as BTC,USDC/ETH,USDC/BSC: a currency with networks is accepted on these
    /// only. `checkout currencies` lists all pairs; those marked opt-in are accepted only if they are named.
    #[arg(long, value_delimiter = ',', value_name = "PAIRS", conflicts_with = "deposit_currencies")]
    deposit_pairs: Vec<DepositChoice>,
    /// Fiat currencies of prices, separated by commas [default: all].
    #[arg(long, value_delimiter = ',', value_parser = fiat)]
    display_currencies: Vec<Fiat>,
    /// For a sandbox: accepts http and local callback URLs.
    #[arg(long)]
    sandbox: bool,
    /// Theme of the checkout page: LIGHT, DARK or AUTO.
    #[arg(long, value_parser = theme, default_value = "LIGHT")]
    theme: Theme,
    /// Colour of buttons and links on the checkout page, such as #1f4fd8 [default: blue]. The page keeps the
    /// contrast of text.
    #[arg(long, value_name = "COLOR", value_parser = color)]
    brand_color: Option<BrandColor>,
    /// Image beside the name on the checkout page: PNG, WebP or JPEG, up to 32 KB, 32 to 1024 pixels a side.
    #[arg(long, value_name = "FILE", value_parser = logo)]
    logo: Option<Logo>,
    /// Support link for payers: https or mailto. `{reference}` is replaced by the payment's
    /// `clientPaymentId`.
    #[arg(long, value_name = "URL", value_parser = support_link)]
    support_url: Option<String>,
    #[command(flatten)]
    withdrawals: WithdrawalArguments,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Overpayment {
    #[value(name = "EXCESS_REFUND")]
    ExcessRefund,
    #[value(name = "PROCESS")]
    Process,
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Show {
    /// The business.
    id: Uuid,
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// For compatibility: the output is always JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct OrganisationKey {
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

impl Business {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::Create(create) => block_on(create.run()),
            Self::Update(update) => block_on(update.run()),
            Self::List(list) => block_on(list.run()),
            Self::Show(show) => block_on(show.run()),
            Self::RotateToken(rotate) => rotate.run(),
            Self::RotateSecret(rotate) => rotate.run(),
        }
    }
}

impl Create {
    async fn run(self) -> Outcome {
        check_name(&self.name)?;
        let (deposit, withdrawal) = (self.deposit_callback.as_deref(), self.withdrawal_callback.as_deref());
        check_callbacks(deposit, withdrawal, self.sandbox)?;
        let database = open_database(self.database.as_deref()).await?;
        let clock = SystemClock;
        let new = NewBusiness {
            name: self.name,
            allowed_origins: self.origins,
            deposit_callback: self.deposit_callback,
            withdrawal_callback: self.withdrawal_callback,
            settlement_crypto: Some(self.settlement_crypto),
            settlement_ratio: Some(self.settlement_ratio),
            refund_excess: self.overpayment == Overpayment::ExcessRefund,
            refund_follow_ups: self.refund_follow_up,
            underpayment_tolerance: self.underpayment_tolerance,
            instant_deposit_limit: self.instant_deposit_limit,
            deposit_networks: deposit_pairs::networks(&self.deposit_pairs),
            deposit_currencies: if self.deposit_pairs.is_empty() {
                self.deposit_currencies
            } else {
                deposit_pairs::currencies(&self.deposit_pairs)
            },
            display_currencies: self.display_currencies,
            theme: self.theme,
            brand_color: self.brand_color,
            logo: self.logo.clone(),
            support_url: self.support_url,
        };
        let id = Uuid::new_v7(Timestamp::from_unix(NoContext, clock.now(), 0));
        let business = new.build(id, clock.now(), &OsRandom);
        let token =
            create_business::create_with_logo(&database, &business, self.logo.as_ref(), &OsRandom).await;
        let token = token.map_err(failed)?;
        let rules = self.withdrawals.changes();
        withdrawal_rules::change(&database, business.id, rules).await.map_err(failed)?;
        database.close().await;
        if self.json {
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

impl List {
    async fn run(self) -> Outcome {
        let database = open_existing(self.database.as_deref()).await?;
        let businesses = database.businesses().await.map_err(failed)?;
        if self.json {
            let all: Vec<_> = businesses.iter().map(render::business::business).collect();
            answer(&serde_json::to_string_pretty(&all).expect("texts and numbers are JSON"))?;
        } else {
            let row = |business: Listed| vec![business.id.to_string(), business.name];
            table::print(businesses.into_iter().map(row).collect(), &[])?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Show {
    async fn run(self) -> Outcome {
        let database = open_existing(self.database.as_deref()).await?;
        let Some(business) = database.business(self.id).await.map_err(failed)? else {
            return Err(format!("There is no business {}.", self.id));
        };
        let rules = database.rules(business.id).await.map_err(failed)?;
        answer(&shown(&business, &rules))?;
        Ok(ExitCode::SUCCESS)
    }
}

impl OrganisationKey {
    pub(super) fn run(self) -> Outcome {
        block_on(async {
            let database = open_database(self.database.as_deref()).await?;
            let now = SystemClock.now();
            let key = create_business::create_organisation_key(&database, now, &OsRandom).await;
            let key = key.map_err(failed)?;
            database.close().await;
            answer(&if self.json { json!({"token": key}).to_string() } else { key })?;
            Ok(ExitCode::SUCCESS)
        })
    }
}

fn check_name(name: &str) -> Result<(), String> {
    if is_blank(name) || text::check(name).is_err() {
        return Err("A business needs a printable name.".to_owned());
    }
    Ok(())
}

/// Refuses URLs to which callbacks cannot be sent.
fn check_callbacks(deposit: Option<&str>, withdrawal: Option<&str>, sandbox: bool) -> Result<(), String> {
    let reach = if sandbox { Reach::Anywhere } else { Reach::Public };
    for (flag, url) in [("--deposit-callback", deposit), ("--withdrawal-callback", withdrawal)] {
        url.map_or(Ok(()), |url| check_url(url, reach).map(drop)).map_err(|reason| {
            let hint = if sandbox { "" } else { " With --sandbox, local URLs are accepted." };
            format!("{flag} {reason}: no callback would be sent there.{hint}")
        })?;
    }
    Ok(())
}

/// A business with the settings that the API does not show, as JSON.
fn shown(business: &Listed, rules: &Rules) -> String {
    let mut shown =
        serde_json::to_value(render::business::business(business)).expect("texts and numbers are JSON");
    shown["allowedOrigins"] = json!(business.allowed_origins);
    shown["supportUrl"] = json!(business.support_url);
    let limit = business.instant_deposit_limit.map(|limit| limit.to_string());
    shown["instantDepositLimit"] = json!(limit);
    shown["brandColor"] = json!(business.brand_color.map(|color| color.to_string()));
    shown["logo"] = json!(business.logo.as_deref().map(Logo::path));
    withdrawals::show(&mut shown, rules);
    serde_json::to_string_pretty(&shown).expect("texts and numbers are JSON")
}

pub(super) fn origin(text: &str) -> Result<String, String> {
    read_origin(text, true).map_err(|error| format!("it {}", error.detail()))
}

pub(super) fn link(text: &str) -> Result<String, String> {
    check_link(text, true).map(|()| text.to_owned()).map_err(|error| format!("it {}", error.detail()))
}

fn support_link(text: &str) -> Result<String, String> {
    check_support_link(text, true).map(|()| text.to_owned()).map_err(|error| format!("it {}", error.detail()))
}

fn euros(text: &str) -> Result<Decimal, String> {
    checkout_core::decimal::parse(text, 2).map_err(|error| format!("not an amount in EUR: {error}"))
}

fn currency(text: &str) -> Result<Currency, String> {
    text.parse().map_err(|_| "not listed by `checkout currencies`".to_owned())
}

fn fiat(text: &str) -> Result<Fiat, String> {
    text.parse().map_err(|_| "not a supported fiat currency".to_owned())
}

fn theme(text: &str) -> Result<Theme, String> {
    Theme::known(text).ok_or_else(|| format!("must be one of {}", Theme::KNOWN.join(", ")))
}

fn ratio(text: &str) -> Result<Decimal, String> {
    let ratio = decimal::parse(text, 8).map_err(|error| error.to_string())?;
    if ratio > Decimal::ONE { Err("must be at most 1".to_owned()) } else { Ok(ratio) }
}
