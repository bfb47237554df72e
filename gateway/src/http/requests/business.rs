//! The settings of a business in a request: of a new one, and as changes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checkout_core::{Decimal, decimal};
use checkout_domain::business::brand_color::NotAColor;
use checkout_domain::business::deposit_pairs::{self, DepositChoice};
use checkout_domain::business::events::UnknownEvent;
use checkout_domain::business::logo::Logo;
use checkout_domain::business::settings::Settings;
use checkout_domain::ports::callbacks::WebhookSender;
use checkout_domain::withdrawal::rules::RuleChanges;
use checkout_wire::Theme;
use checkout_wire::payment::{OverpaymentPolicy, RefundAddress};
use checkout_wire::texts::SETTLED_AS_DEPOSITED;

use super::fields::Fields;
use crate::texts::amount::{Fault, amount_fault};
use crate::texts::is_blank;
use crate::texts::origin::{check_link, check_support_link, read_origin};

/// The changes of a business. Absent ones stay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BusinessChanges {
    pub settings: Settings,
    pub rules: RuleChanges,
}

/// Where callbacks can be sent, and whether support links may be `http:`.
pub type Targets<'a> = (&'a dyn WebhookSender, bool);

/// Reads what a new business and a changed one can have.
fn read(fields: &mut Fields, targets: Targets<'_>) -> Option<BusinessChanges> {
    let pairs = deposit_pairs(fields);
    let currencies = list(fields, "supportedDepositCurrencies", |fields, code| {
        fields
            .opt_ins()
            .currency(code)
            .ok_or_else(|| ("unknown_currency", "has an unknown currency".to_owned()))
    });
    let settings = Settings {
        name: name(fields),
        disabled: fields.boolean("disabled"),
        allowed_origins: origins(fields, "allowedOrigins"),
        deposit_callback: callback(fields, "depositReceivedCallbackUrl", targets),
        withdrawal_callback: callback(fields, "withdrawalCallbackUrl", targets),
        event_url: callback(fields, "eventUrl", targets),
        events: list(fields, "events", |_, name| {
            name.parse().map_err(|unknown: UnknownEvent| (UnknownEvent::CODE, format!("has {unknown}")))
        }),
        deposit_currencies: pairs.as_deref().map(deposit_pairs::currencies).or(currencies),
        deposit_networks: pairs.as_deref().map(deposit_pairs::networks),
        display_currencies: list(fields, "supportedDisplayCurrencies", |_, code| {
            code.parse().map_err(|_| ("unknown_currency", "has an unknown fiat currency".to_owned()))
        }),
        refund_excess: fields
            .word("overpaymentPolicy", OverpaymentPolicy::KNOWN, OverpaymentPolicy::known)
            .map(|policy| policy == OverpaymentPolicy::ExcessRefund),
        refund_follow_ups: fields.boolean("refundFollowUpDepositsForOneTimePayments"),
        refund_address: fields.word("refundAddress", RefundAddress::KNOWN, RefundAddress::known),
        underpayment_tolerance: ratio(fields, "underpaymentTolerance"),
        settlement_crypto: or_none(fields, "settlementCryptoCurrency", |fields, code| {
            let unknown = || ("unknown_currency", "is not a known cryptocurrency".to_owned());
            let own = (code == SETTLED_AS_DEPOSITED).then_some(None);
            own.or_else(|| fields.opt_ins().currency(code).map(Some)).ok_or_else(unknown)
        })
        .map(Option::flatten),
        settlement_ratio: ratio(fields, "settlementCryptoRatio"),
        instant_deposit_limit: euros(fields, "instantDepositLimit"),
        theme: fields.word("theme", Theme::KNOWN, Theme::known),
        brand_color: or_none(fields, "brandColor", |_, text| {
            text.parse().map_err(|NotAColor| (NotAColor::CODE, NotAColor::DETAIL.to_owned()))
        }),
        logo: logo(fields),
        support_url: support_link(fields, targets),
        greenfield: fields.boolean("greenfield"),
        ..Settings::default()
    };
    let rules = RuleChanges {
        daily_limit: euros(fields, "dailyWithdrawalLimit"),
        approval_above: euros(fields, "withdrawalApprovalAbove"),
        claim_limit: euros(fields, "claimLimit"),
        maximum_network_fee: euros(fields, "maximumNetworkFee"),
        whitelist_only: fields.boolean("whitelistOnly"),
    };
    fields.is_valid().then_some(BusinessChanges { settings, rules })
}

/// Reads a new business, which has a name.
pub fn read_new(fields: &mut Fields, targets: Targets<'_>) -> Option<BusinessChanges> {
    fields.require("name");
    read(fields, targets)
}

/// Reads changes, of single origins, too.
pub fn read_changes(fields: &mut Fields, targets: Targets<'_>) -> Option<BusinessChanges> {
    let added_origins = origins(fields, "addedOrigins").unwrap_or_default();
    let removed_origins = origins(fields, "removedOrigins").unwrap_or_default();
    let changes = read(fields, targets)?;
    Some(BusinessChanges {
        settings: Settings { added_origins, removed_origins, ..changes.settings },
        ..changes
    })
}

fn name(fields: &mut Fields) -> Option<String> {
    let name = fields.text("name")?;
    if is_blank(&name) {
        fields.error("name", "empty", "must have a character that can be seen");
    }
    Some(name)
}

/// A list of texts, each of which must be readable; the first error counts.
fn each<T>(
    fields: &mut Fields,
    name: &str,
    read: impl Fn(&Fields, &str) -> Result<T, Fault>,
) -> Option<Vec<T>> {
    let texts = fields.texts(name)?;
    let all = texts.iter().map(|text| read(fields, text)).collect();
    fields.accept::<Vec<T>>(name, all)
}

/// A list that is not empty.
fn list<T>(
    fields: &mut Fields,
    name: &str,
    read: impl Fn(&Fields, &str) -> Result<T, Fault>,
) -> Option<Vec<T>> {
    let all = each(fields, name, read)?;
    if all.is_empty() {
        fields.error(name, "empty", "must have an entry");
    }
    Some(all)
}

fn origins(fields: &mut Fields, name: &str) -> Option<Vec<String>> {
    each(fields, name, |_, text| {
        read_origin(text, true)
            .map_err(|fault| (fault.code(), format!("has an entry that {}", fault.detail())))
    })
}

fn deposit_pairs(fields: &mut Fields) -> Option<Vec<DepositChoice>> {
    let pairs = list(fields, "depositPairs", |fields, text| {
        let choice: Result<DepositChoice, String> = text.parse();
        let choice = choice.and_then(|choice| {
            let opt_ins = fields.opt_ins();
            let network = choice.network.map(|network| opt_ins.has(network));
            let is_known = network.unwrap_or_else(|| opt_ins.has_currency(choice.currency));
            if is_known { Ok(choice) } else { Err(format!("{text}, whose network is not configured")) }
        });
        choice.map_err(|error| ("unsupported_pair", format!("has an entry that is {error}")))
    })?;
    if fields.has("supportedDepositCurrencies") {
        fields.error(
            "depositPairs",
            "conflicting_fields",
            "replaces `supportedDepositCurrencies`: give one of them",
        );
    }
    Some(pairs)
}

/// An empty text removes the URL.
fn callback(fields: &mut Fields, name: &str, (webhooks, _): Targets<'_>) -> Option<String> {
    let url = fields.text(name)?;
    if url.is_empty() {
        return Some(url);
    }
    if let Err(fault) = check_link(&url, true) {
        fields.error(name, fault.code(), fault.detail());
    } else if let Some(reason) = webhooks.refusal(&url) {
        fields.error(name, "no_target", format!("{reason}: no callback would be sent there"));
    }
    Some(url)
}

/// An empty text removes the link.
fn support_link(fields: &mut Fields, (_, allows_http): Targets<'_>) -> Option<String> {
    let url = fields.text("supportUrl")?;
    let checked = if url.is_empty() { Ok(()) } else { check_support_link(&url, allows_http) };
    if let Err(fault) = checked {
        fields.error("supportUrl", fault.code(), fault.detail());
    }
    Some(url)
}

/// A setting, or none: an empty text.
#[expect(clippy::option_option, reason = "missing, removed, or set")]
fn or_none<T>(
    fields: &mut Fields,
    name: &str,
    read: impl Fn(&Fields, &str) -> Result<T, Fault>,
) -> Option<Option<T>> {
    let text = fields.text(name)?;
    if text.is_empty() {
        return Some(None);
    }
    let value = read(fields, &text);
    fields.accept(name, value).map(Some)
}

/// In EUR. An empty text removes the limit.
#[expect(clippy::option_option, reason = "missing, removed, or set")]
fn euros(fields: &mut Fields, name: &str) -> Option<Option<Decimal>> {
    let text = fields.decimal_text(name)?;
    if text.is_empty() {
        return Some(None);
    }
    fields.accept(name, decimal::parse(&text, 2).map_err(amount_fault)).map(Some)
}

fn ratio(fields: &mut Fields, name: &str) -> Option<Decimal> {
    let text = fields.decimal_text(name)?;
    let ratio = match decimal::parse(&text, 8) {
        Ok(ratio) if ratio > Decimal::ONE => Err(("out_of_range", "must be from 0 to 1".to_owned())),
        ratio => ratio.map_err(amount_fault),
    };
    fields.accept(name, ratio)
}

/// An image in base64. An empty text removes the logo.
#[expect(clippy::option_option, reason = "missing, removed, or set")]
fn logo(fields: &mut Fields) -> Option<Option<Logo>> {
    let text = fields.any_text("logo")?;
    if text.is_empty() {
        return Some(None);
    }
    let bytes = STANDARD.decode(text).map_err(|_| ("bad_base64", "must be an image in base64".to_owned()));
    let logo = bytes.and_then(|bytes| Logo::read(bytes).map_err(|fault| (fault.code(), fault.detail())));
    fields.accept("logo", logo).map(Some)
}
