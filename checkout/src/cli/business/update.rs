//! `checkout business update`: changes settings.

use std::process::ExitCode;

use checkout_core::wire::Theme;
use checkout_core::wire::payment::OverpaymentPolicy;
use checkout_core::{Currency, Decimal};
use checkout_domain::business::brand_color::BrandColor;
use checkout_domain::business::changes::Changes;
use checkout_domain::business::deposit_pairs::{self, DepositChoice};
use checkout_domain::business::logo::Logo;
use checkout_domain::rates::fiat::Fiat;
use checkout_gateway::service::{update_business, withdrawal_rules};
use clap::Args;
use uuid::Uuid;

use super::brand;
use super::withdrawals::WithdrawalArguments;
use super::{
    Overpayment, check_callbacks, check_name, currency, euros, fiat, link, origin, ratio, shown,
    support_link, theme,
};
use crate::cli::{DATABASE, Outcome, answer, failed, open_existing};

#[derive(Debug, Args)]
pub(in crate::cli) struct Update {
    /// The business.
    id: Uuid,
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// Name, shown to payers.
    #[arg(long)]
    name: Option<String>,
    /// An origin that may embed the checkout. Repeatable; the given list replaces the previous one.
    #[arg(long = "origin", value_parser = origin)]
    origins: Vec<String>,
    /// URL of the deposit-received callback; empty for none.
    #[arg(long, value_parser = link_or_none)]
    deposit_callback: Option<String>,
    /// URL of the withdrawal callback; empty for none.
    #[arg(long, value_parser = link_or_none)]
    withdrawal_callback: Option<String>,
    /// Cryptocurrency of the crypto share of settlements.
    #[arg(long, value_parser = currency)]
    settlement_crypto: Option<Currency>,
    /// Share of each deposit that is settled in crypto, from 0 to 1.
    #[arg(long, value_parser = ratio)]
    settlement_ratio: Option<Decimal>,
    /// Handling of an overpayment: refund the excess, or credit all.
    #[arg(long, value_enum)]
    overpayment: Option<Overpayment>,
    /// Whether to refund deposits that arrive after a ONE_TIME payment was paid: true or false.
    #[arg(long)]
    refund_follow_up: Option<bool>,
    /// Tolerated underpayment as a share of the expected amount, from 0 to 1.
    #[arg(long, value_parser = ratio)]
    underpayment_tolerance: Option<Decimal>,
    /// Up to how many EUR of a payment are reported at first sight, before a block (BTC, BCH, LTC); empty for none, or all
    /// in the sandbox.
    #[arg(long, value_name = "EUR", value_parser = euros_or_none)]
    instant_deposit_limit: Option<OrNone<Decimal>>,
    /// Accepted cryptocurrencies, separated by commas.
    #[arg(long, value_delimiter = ',', value_parser = currency)]
    deposit_currencies: Vec<Currency>,
    /// The same with single networks, such as BTC,USDC/ETH,USDC/BSC: a currency with networks is accepted on these
    /// only. `checkout currencies` lists all pairs; those marked opt-in are accepted only if they are named.
    #[arg(long, value_delimiter = ',', value_name = "PAIRS", conflicts_with = "deposit_currencies")]
    deposit_pairs: Vec<DepositChoice>,
    /// Fiat currencies of prices, separated by commas.
    #[arg(long, value_delimiter = ',', value_parser = fiat)]
    display_currencies: Vec<Fiat>,
    /// For a sandbox: accepts http and local callback URLs.
    #[arg(long)]
    sandbox: bool,
    /// Theme of the checkout page: LIGHT, DARK or AUTO.
    #[arg(long, value_parser = theme)]
    theme: Option<Theme>,
    /// Colour of buttons and links on the checkout page, such as #1f4fd8; empty for the default.
    #[arg(long, value_name = "COLOR", value_parser = color_or_none)]
    brand_color: Option<OrNone<BrandColor>>,
    /// Image beside the name on the checkout page: PNG, WebP or JPEG, up to 32 KB, 32 to 1024 pixels a side;
    /// empty for none.
    #[arg(long, value_name = "FILE", value_parser = logo_or_none)]
    logo: Option<OrNone<Logo>>,
    /// Where payers get help: an https or mailto link; empty for none. `{reference}` becomes the payment's
    /// `clientPaymentId`.
    #[arg(long, value_name = "URL", value_parser = support_link_or_none)]
    support_url: Option<String>,
    #[command(flatten)]
    withdrawals: WithdrawalArguments,
    /// For compatibility: the output is always JSON.
    #[arg(long)]
    json: bool,
}

impl Update {
    pub(super) async fn run(self) -> Outcome {
        self.name.as_deref().map_or(Ok(()), check_name)?;
        let given = |url: &Option<String>| url.clone().filter(|url| !url.is_empty());
        check_callbacks(
            given(&self.deposit_callback).as_deref(),
            given(&self.withdrawal_callback).as_deref(),
            self.sandbox,
        )?;
        let database = open_existing(self.database.as_deref()).await?;
        let changes = Changes {
            name: self.name,
            allowed_origins: some(self.origins),
            deposit_callback: self.deposit_callback,
            withdrawal_callback: self.withdrawal_callback,
            deposit_currencies: some(if self.deposit_pairs.is_empty() {
                self.deposit_currencies
            } else {
                deposit_pairs::currencies(&self.deposit_pairs)
            }),
            deposit_networks: (!self.deposit_pairs.is_empty())
                .then(|| deposit_pairs::networks(&self.deposit_pairs)),
            display_currencies: some(self.display_currencies),
            overpayment: self.overpayment.map(|overpayment| match overpayment {
                Overpayment::ExcessRefund => OverpaymentPolicy::ExcessRefund,
                Overpayment::Process => OverpaymentPolicy::Process,
            }),
            refund_follow_ups: self.refund_follow_up,
            underpayment_tolerance: self.underpayment_tolerance,
            settlement_crypto: self.settlement_crypto,
            settlement_ratio: self.settlement_ratio,
            instant_deposit_limit: self.instant_deposit_limit.map(|limit| limit.0),
            theme: self.theme,
            brand_color: self.brand_color.map(|color| color.0),
            logo: self.logo.map(|logo| logo.0),
            support_url: self.support_url,
        };
        let rules = self.withdrawals.changes();
        let updated = update_business::update(&database, self.id, changes).await.map_err(failed)?;
        let Some(business) = updated else { return Err(format!("There is no business {}.", self.id)) };
        let rules = withdrawal_rules::change(&database, business.id, rules).await.map_err(failed)?;
        database.close().await;
        answer(&shown(&business, &rules))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// An omitted list changes nothing.
fn some<T>(list: Vec<T>) -> Option<Vec<T>> {
    Some(list).filter(|list| !list.is_empty())
}

/// A setting, or that there is none: an empty text.
#[derive(Clone, Debug)]
struct OrNone<T>(Option<T>);

fn or_none<T>(text: &str, read: fn(&str) -> Result<T, String>) -> Result<OrNone<T>, String> {
    if text.is_empty() { Ok(OrNone(None)) } else { read(text).map(|value| OrNone(Some(value))) }
}

fn color_or_none(text: &str) -> Result<OrNone<BrandColor>, String> {
    or_none(text, brand::color)
}

fn logo_or_none(path: &str) -> Result<OrNone<Logo>, String> {
    or_none(path, brand::logo)
}

fn euros_or_none(text: &str) -> Result<OrNone<Decimal>, String> {
    or_none(text, euros)
}

fn support_link_or_none(text: &str) -> Result<String, String> {
    if text.is_empty() { Ok(String::new()) } else { support_link(text) }
}

fn link_or_none(text: &str) -> Result<String, String> {
    if text.is_empty() { Ok(String::new()) } else { link(text) }
}
