//! Reads and validates the bodies of the control API.

use checkout_core::address::Address;
use checkout_core::wire::sandbox::SimulatedSender;
use checkout_core::{Amount, Decimal, Network, Options, Pair, decimal, pair, validate_with};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::rates::asset::Asset;
use checkout_gateway::requests::amount::{amount_fault, without_zeros};
use checkout_gateway::requests::fields::Fields;

/// `POST /sandbox/transfers`
#[derive(Clone, Debug)]
pub struct TransferRequest {
    pub pair: &'static Pair,
    /// In normal form.
    pub address: String,
    pub tag: Option<String>,
    pub amount: Amount,
    pub from: Option<String>,
    /// The tag embedded in `from`.
    pub from_tag: Option<String>,
    /// The transfer signals that it can be replaced (BIP 125).
    pub replaceable: bool,
    /// The pending transaction that gets this output; `None` for a new one.
    pub transaction: Option<String>,
    /// The kind of sender, if a refund to it would not reach the payer.
    pub sender: Option<NoRefundAddress>,
}

impl TransferRequest {
    pub fn read(fields: &mut Fields) -> Option<Self> {
        let currency = fields.required_text("currency");
        let network = fields.required_text("network");
        let address = fields.required_text("address");
        let tag = fields.decimal_text("destinationTag");
        fields.require("amount");
        let amount = fields.decimal_text("amount");
        let from = fields.text("fromAddress");
        let replaceable = fields.boolean("replaceable").unwrap_or(false);
        let transaction = fields.text("transactionId");
        let sender = read_sender(fields);

        let pair = read_pair(fields, currency.as_deref(), network.as_deref());
        let amount = match (amount, pair) {
            (Some(text), Some(pair)) => read_amount(fields, &text, pair),
            _ => None,
        };
        let checked = match (pair, address) {
            (Some(pair), Some(address)) => read_address(fields, pair, &address, tag.as_deref()),
            _ => None,
        };
        let (from, from_tag) = match (from, pair) {
            (Some(from), Some(pair)) => {
                let verdict =
                    validate_with(pair.currency.code(), pair.network.code(), &from, None, &Options::STRICT);
                if !verdict.valid {
                    fields.error(
                        "fromAddress",
                        "bad_address",
                        format!("is not an address of {}", pair.network),
                    );
                }
                (verdict.normalized, verdict.destination_tag)
            }
            _ => (None, None),
        };
        let (address, tag) = checked?;
        fields.is_valid().then_some(Self {
            pair: pair?,
            address,
            tag,
            amount: amount?,
            from,
            from_tag,
            replaceable,
            transaction,
            sender,
        })
    }
}

/// Reads `sender`.
fn read_sender(fields: &mut Fields) -> Option<NoRefundAddress> {
    match fields.word("sender", SimulatedSender::KNOWN, SimulatedSender::known)? {
        SimulatedSender::Contract => Some(NoRefundAddress::Contract),
        SimulatedSender::Internal => Some(NoRefundAddress::InternalTransfer),
        SimulatedSender::TagRequired => Some(NoRefundAddress::TagRequired),
        SimulatedSender::Unknown => Some(NoRefundAddress::UnknownSender),
        SimulatedSender::Account => None,
    }
}

/// Reads `POST /sandbox/fees`: what a network asks for a transaction, in its coin.
pub fn read_fee(fields: &mut Fields) -> Option<(Network, Decimal)> {
    let network = read_network(fields);
    fields.require("fee");
    let text = fields.decimal_text("fee")?;
    let fee = match decimal::parse(without_zeros(&text, 18), 18) {
        Ok(fee) if fee.is_zero() => Err(("zero", "must be more than zero".to_owned())),
        fee => fee.map_err(amount_fault),
    };
    if let Err((code, detail)) = &fee {
        fields.error("fee", code, detail.clone());
    }
    fields.is_valid().then_some((network?, fee.ok()?))
}

fn read_pair(fields: &mut Fields, currency: Option<&str>, network: Option<&str>) -> Option<&'static Pair> {
    let parsed = fields.opt_ins().currency(currency?);
    if parsed.is_none() {
        fields.error("currency", "unknown_currency", "is not a known cryptocurrency");
    }
    let network = fields.opt_ins().network(network?);
    if network.is_none() {
        fields.error("network", "unknown_network", "is not a known network");
    }
    let (currency, network) = (parsed?, network?);
    let found = pair::find(currency, network);
    if found.is_none() {
        fields.error("network", "unsupported_pair", format!("{currency} does not travel on {network}"));
    }
    found
}

fn read_amount(fields: &mut Fields, text: &str, pair: &Pair) -> Option<Amount> {
    let (code, detail) = match Amount::parse(without_zeros(text, pair.decimals), pair.decimals) {
        Ok(amount) if amount.is_zero() => ("zero", "must be more than zero".to_owned()),
        Ok(amount) => return Some(amount),
        Err(error) => amount_fault(error),
    };
    fields.error("amount", code, detail);
    None
}

/// Returns the normal forms of address and tag, including an embedded tag.
fn read_address(
    fields: &mut Fields,
    pair: &Pair,
    address: &str,
    tag: Option<&str>,
) -> Option<(String, Option<String>)> {
    let verdict = validate_with(pair.currency.code(), pair.network.code(), address, tag, &Options::STRICT);
    if !verdict.valid {
        let without_tag =
            validate_with(pair.currency.code(), pair.network.code(), address, None, &Options::STRICT);
        let reason = verdict.reason.map_or("invalid", |reason| reason.code());
        if tag.is_some() && without_tag.valid {
            fields.error("destinationTag", "bad_tag", format!("is refused: {reason}"));
        } else {
            fields.error("address", "bad_address", format!("is refused on {}: {reason}", pair.network));
        }
        return None;
    }
    Some((verdict.normalized?, verdict.destination_tag))
}

/// Reads `network`, which is required.
pub fn read_network(fields: &mut Fields) -> Option<Network> {
    fields.require("network");
    let text = fields.text("network")?;
    let network = fields.opt_ins().network(&text);
    if network.is_none() {
        fields.error("network", "unknown_network", "is not a known network");
    }
    network
}

/// Reads a number of blocks, which is required.
pub fn read_count(fields: &mut Fields, name: &str, max: u32) -> Option<u32> {
    fields.require(name);
    fields.integer(name, 1, max.into()).and_then(|count| u32::try_from(count).ok())
}

/// Reads `POST /sandbox/flags`: the network, the address in normal form, and whether it becomes flagged.
pub fn read_flag(fields: &mut Fields) -> Option<(Network, String, bool)> {
    let network = read_network(fields);
    let address = fields.required_text("address");
    let flagged = fields.boolean("flagged").unwrap_or(true);
    let (network, address) = (network?, address?);
    let Ok(address) = Address::parse(network, &address) else {
        fields.error("address", "bad_address", format!("is not an address of {network}"));
        return None;
    };
    fields.is_valid().then(|| (network, address.account().to_string(), flagged))
}

/// Reads `POST /sandbox/rates`: the price of one whole `from` in `to`.
pub fn read_rate(fields: &mut Fields) -> Option<(Asset, Asset, Decimal)> {
    let from = asset(fields, "from");
    let to = asset(fields, "to");
    fields.require("rate");
    let text = fields.decimal_text("rate")?;
    let rate = match decimal::parse(without_zeros(&text, 8), 8) {
        Ok(rate) if rate.is_zero() => Err(("zero", "must be more than zero".to_owned())),
        Ok(rate) if rate > Decimal::from(1_000_000_000_u64) => Err(("too_large", "is too large".to_owned())),
        Ok(rate) => Ok(rate),
        Err(error) => Err(amount_fault(error)),
    };
    if let Err((code, detail)) = &rate {
        fields.error("rate", code, detail.clone());
    }
    if let (Some(Asset::Fiat(_)), _) | (_, Some(Asset::Crypto(_))) = (from, to) {
        fields.error("from", "unsupported_pair", "a rate is from a cryptocurrency to a fiat currency");
    }
    fields.is_valid().then_some((from?, to?, rate.ok()?))
}

fn asset(fields: &mut Fields, name: &str) -> Option<Asset> {
    let text = fields.required_text(name)?;
    let asset = Asset::known(&text).filter(|asset| match asset {
        Asset::Crypto(currency) => fields.opt_ins().has_currency(*currency),
        Asset::Fiat(_) | Asset::Gas(_) => true,
    });
    if asset.is_none() {
        fields.error(name, "unknown_currency", "is not a known currency");
    }
    asset
}
