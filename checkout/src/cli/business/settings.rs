//! The options that set what a business has, the same for a new business and a changed one.

use std::fs::File;
use std::io::Read as _;

use checkout_core::{Currency, Decimal, decimal};
use checkout_domain::business::Business;
use checkout_domain::business::brand_color::{BrandColor, NotAColor};
use checkout_domain::business::deposit_pairs::{self, DepositChoice};
use checkout_domain::business::events::{EventChoice, UnknownEvent};
use checkout_domain::business::logo::{Logo, MAX_BYTES};
use checkout_domain::business::settings::Settings;
use checkout_domain::rates::fiat::Fiat;
use checkout_gateway::adapters::http_sender::{Reach, check_url};
use checkout_gateway::texts::origin::check_support_link;
use checkout_wire::Theme;
use checkout_wire::payment::RefundAddress;
use checkout_wire::texts::SETTLED_AS_DEPOSITED;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{euros, link, origin};

#[derive(Debug, Args)]
pub(super) struct SettingsArguments {
    /// An origin that may embed the checkout, such as https://shop.example. Repeatable; the given list replaces the previous
    /// one.
    #[arg(long = "origin", value_parser = origin)]
    origins: Vec<String>,
    /// Creates no payments and no withdrawals and sends nothing that waits, or does so again: true or false [default: false]. Payments
    /// that exist go on.
    #[arg(long, num_args = 0..=1, default_missing_value = "true")]
    disabled: Option<bool>,
    /// URL of the deposit-received callback; empty for none.
    #[arg(long, value_parser = link_or_none)]
    deposit_callback: Option<String>,
    /// URL of the withdrawal callback; empty for none.
    #[arg(long, value_parser = link_or_none)]
    withdrawal_callback: Option<String>,
    /// URL of the typed events; empty for none.
    #[arg(long, value_parser = link_or_none)]
    event_url: Option<String>,
    /// An event that is sent there, such as payment.status or deposit.*; * for all [default: *]. Repeatable; the given list replaces the
    /// previous one.
    #[arg(long = "event", value_parser = event)]
    events: Vec<EventChoice>,
    /// Cryptocurrency of the crypto share of settlements, or OWN: that of the deposit [default: OWN]. A balance in another
    /// cryptocurrency is withdrawn under OWN.
    #[arg(long, value_name = "CURRENCY", value_parser = settlement_crypto)]
    settlement_crypto: Option<OrNone<Currency>>,
    /// Share of each deposit that is settled in crypto, from 0 to 1; the rest is booked in EUR [default: 1].
    #[arg(long, value_parser = ratio)]
    settlement_ratio: Option<Decimal>,
    /// Handling of an overpayment: refund the excess, or credit all [default: PROCESS].
    #[arg(long, value_enum)]
    overpayment: Option<Overpayment>,
    /// Refunds deposits that arrive after a ONE_TIME payment was paid: true or false [default: false].
    #[arg(long, num_args = 0..=1, default_missing_value = "true")]
    refund_follow_up: Option<bool>,
    /// Who says where an automatic refund goes: the payer, or nobody: it goes back to its sender, also to an exchange [default: PAYER].
    #[arg(long, value_parser = refund_address)]
    refund_address: Option<RefundAddress>,
    /// Tolerated underpayment as a share of the expected amount, from 0 to 1 [default: 0.005 for FLOATING, none for FIXED].
    #[arg(long, value_parser = ratio)]
    underpayment_tolerance: Option<Decimal>,
    /// Deposits up to this amount in EUR, all together, are reported before a block includes them (BTC, BCH, LTC, DOGE); empty for
    /// none [default: none; all in the sandbox]. Their sender can still take them back, on BTC for the price of a fee: set
    /// what you can lose.
    #[arg(long, value_name = "EUR", value_parser = euros_or_none)]
    instant_deposit_limit: Option<OrNone<Decimal>>,
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
    /// Theme of the checkout page: LIGHT, DARK or AUTO [default: LIGHT].
    #[arg(long, value_parser = theme)]
    theme: Option<Theme>,
    /// Colour of buttons and links on the checkout page, such as #1f4fd8; empty for the default, blue. The page keeps the
    /// contrast of text.
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
    /// Answers shops whose plugin is for BTCPay Server, or does no longer: true or false [default: false]. False removes their webhooks.
    #[arg(long, num_args = 0..=1, default_missing_value = "true")]
    greenfield: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Overpayment {
    #[value(name = "EXCESS_REFUND")]
    ExcessRefund,
    #[value(name = "PROCESS")]
    Process,
}

impl SettingsArguments {
    /// Whether they say which currencies are taken.
    pub(super) fn names_deposits(&self) -> bool {
        !self.deposit_pairs.is_empty() || !self.deposit_currencies.is_empty()
    }

    pub(super) fn read(self, name: Option<String>) -> Settings {
        let is_by_pair = !self.deposit_pairs.is_empty();
        Settings {
            name,
            disabled: self.disabled,
            allowed_origins: some(self.origins),
            added_origins: Vec::new(),
            removed_origins: Vec::new(),
            deposit_callback: self.deposit_callback,
            withdrawal_callback: self.withdrawal_callback,
            event_url: self.event_url,
            events: some(self.events),
            deposit_currencies: some(if is_by_pair {
                deposit_pairs::currencies(&self.deposit_pairs)
            } else {
                self.deposit_currencies
            }),
            deposit_networks: is_by_pair.then(|| deposit_pairs::networks(&self.deposit_pairs)),
            display_currencies: some(self.display_currencies),
            refund_address: self.refund_address,
            refund_excess: self.overpayment.map(|overpayment| overpayment == Overpayment::ExcessRefund),
            refund_follow_ups: self.refund_follow_up,
            underpayment_tolerance: self.underpayment_tolerance,
            settlement_crypto: self.settlement_crypto.map(|crypto| crypto.0),
            settlement_ratio: self.settlement_ratio,
            instant_deposit_limit: self.instant_deposit_limit.map(|limit| limit.0),
            theme: self.theme,
            brand_color: self.brand_color.map(|color| color.0),
            logo: self.logo.map(|logo| logo.0),
            support_url: self.support_url,
            greenfield: self.greenfield,
        }
    }

    /// Refuses URLs to which callbacks cannot be sent, and a link that would send payers to a page without TLS.
    pub(super) fn check_urls(&self, sandbox: bool) -> Result<(), String> {
        if let Some(url) = self.support_url.as_deref().filter(|url| !url.is_empty()) {
            check_support_link(url, sandbox).map_err(|error| {
                let hint = if sandbox { "" } else { " With --sandbox, http is accepted." };
                format!("--support-url {}.{hint}", error.detail())
            })?;
        }
        let reach = if sandbox { Reach::Anywhere } else { Reach::Public };
        let urls = [
            ("--deposit-callback", &self.deposit_callback),
            ("--withdrawal-callback", &self.withdrawal_callback),
            ("--event-url", &self.event_url),
        ];
        for (flag, url) in urls {
            let Some(url) = url.as_deref().filter(|url| !url.is_empty()) else { continue };
            check_url(url, reach).map_err(|reason| {
                let hint = if sandbox { "" } else { " With --sandbox, local URLs are accepted." };
                format!("{flag} {reason}: no callback would be sent there.{hint}")
            })?;
        }
        Ok(())
    }
}

/// Adds the settings that the API does not show.
pub(super) fn show(shown: &mut Value, business: &Business) {
    shown["disabled"] = json!(business.disabled);
    shown["allowedOrigins"] = json!(business.allowed_origins);
    shown["supportUrl"] = json!(business.support_url);
    shown["greenfield"] = json!(business.greenfield.is_some());
    let limit = business.instant_deposit_limit.map(|limit| limit.to_string());
    shown["instantDepositLimit"] = json!(limit);
    shown["refundAddress"] = json!(business.refund_address.as_str());
    shown["brandColor"] = json!(business.brand_color.map(|color| color.to_string()));
    shown["logo"] = json!(business.logo.as_deref().map(Logo::path));
}

/// An omitted list changes nothing.
fn some<T>(list: Vec<T>) -> Option<Vec<T>> {
    Some(list).filter(|list| !list.is_empty())
}

/// A setting, or that there is none: an empty text.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrNone<T>(pub(super) Option<T>);

fn or_none<T>(text: &str, read: fn(&str) -> Result<T, String>) -> Result<OrNone<T>, String> {
    if text.is_empty() { Ok(OrNone(None)) } else { read(text).map(|value| OrNone(Some(value))) }
}

fn color_or_none(text: &str) -> Result<OrNone<BrandColor>, String> {
    or_none(text, |text| text.parse().map_err(|NotAColor| NotAColor::DETAIL.to_owned()))
}

fn logo_or_none(path: &str) -> Result<OrNone<Logo>, String> {
    or_none(path, logo)
}

pub(super) fn euros_or_none(text: &str) -> Result<OrNone<Decimal>, String> {
    or_none(text, euros)
}

fn support_link_or_none(text: &str) -> Result<String, String> {
    if text.is_empty() { Ok(String::new()) } else { support_link(text) }
}

fn logo(path: &str) -> Result<Logo, String> {
    let mut bytes = Vec::new();
    // One byte more tells that the file is too large.
    let most = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX) + 1;
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map_err(|error| format!("the file cannot be read: {error}"))?;
    Logo::read(bytes).map_err(|fault| format!("the image {}", fault.detail()))
}

fn link_or_none(text: &str) -> Result<String, String> {
    if text.is_empty() { Ok(String::new()) } else { link(text) }
}

fn support_link(text: &str) -> Result<String, String> {
    check_support_link(text, true).map(|()| text.to_owned()).map_err(|error| format!("it {}", error.detail()))
}

fn event(text: &str) -> Result<EventChoice, String> {
    text.parse().map_err(|unknown: UnknownEvent| unknown.to_string())
}

fn currency(text: &str) -> Result<Currency, String> {
    text.parse().map_err(|_| "not listed by `checkout currencies`".to_owned())
}

/// `None`: that of the deposit.
fn settlement_crypto(text: &str) -> Result<OrNone<Currency>, String> {
    if text == SETTLED_AS_DEPOSITED { Ok(OrNone(None)) } else { currency(text).map(|one| OrNone(Some(one))) }
}

fn fiat(text: &str) -> Result<Fiat, String> {
    text.parse().map_err(|_| "not a supported fiat currency".to_owned())
}

fn theme(text: &str) -> Result<Theme, String> {
    Theme::known(text).ok_or_else(|| format!("must be one of {}", Theme::KNOWN.join(", ")))
}

fn refund_address(text: &str) -> Result<RefundAddress, String> {
    RefundAddress::known(text).ok_or_else(|| format!("must be one of {}", RefundAddress::KNOWN.join(", ")))
}

fn ratio(text: &str) -> Result<Decimal, String> {
    let ratio = decimal::parse(text, 8).map_err(|error| error.to_string())?;
    if ratio > Decimal::ONE { Err("must be at most 1".to_owned()) } else { Ok(ratio) }
}
