//! Reads and validates the bodies of the control API.

use checkout_core::address::Address;
use checkout_core::{Amount, Decimal, Network, Options, Pair, pair, validate_with};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::rates::asset::Asset;
use checkout_gateway::http::requests::fields::Fields;
use checkout_gateway::texts::amount::{positive_amount, positive_decimal};
use checkout_wire::sandbox::SimulatedSender;

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
            (Some(text), Some(pair)) => fields.accept("amount", positive_amount(&text, pair.decimals)),
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
    let fee = fields.accept("fee", positive_decimal(&text, 18));
    fields.is_valid().then_some((network?, fee?))
}

fn read_pair(fields: &mut Fields, currency: Option<&str>, network: Option<&str>) -> Option<&'static Pair> {
    let parsed = fields.opt_ins().currency(currency?);
    let currency =
        fields.accept("currency", parsed.ok_or(("unknown_currency", "is not a known cryptocurrency")));
    let network = known_network(fields, network?);
    let (currency, network) = (currency?, network?);
    let unsupported = || ("unsupported_pair", format!("{currency} does not travel on {network}"));
    fields.accept("network", pair::find(currency, network).ok_or_else(unsupported))
}

fn known_network(fields: &mut Fields, text: &str) -> Option<Network> {
    let network = fields.opt_ins().network(text);
    fields.accept("network", network.ok_or(("unknown_network", "is not a known network")))
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
    known_network(fields, &text)
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
    let unknown = |_| ("bad_address", format!("is not an address of {network}"));
    let address = fields.accept("address", Address::parse(network, &address).map_err(unknown))?;
    fields.is_valid().then(|| (network, address.account().to_string(), flagged))
}

/// Reads `POST /sandbox/rates`: the price of one whole `from` in `to`.
pub fn read_rate(fields: &mut Fields) -> Option<(Asset, Asset, Decimal)> {
    let from = asset(fields, "from");
    let to = asset(fields, "to");
    fields.require("rate");
    let text = fields.decimal_text("rate")?;
    let rate = match positive_decimal(&text, 8) {
        Ok(rate) if rate > Decimal::from(1_000_000_000_u64) => Err(("too_large", "is too large".to_owned())),
        rate => rate,
    };
    let rate = fields.accept("rate", rate);
    if let (Some(Asset::Fiat(_)), _) | (_, Some(Asset::Crypto(_))) = (from, to) {
        fields.error("from", "unsupported_pair", "a rate is from a cryptocurrency to a fiat currency");
    }
    fields.is_valid().then_some((from?, to?, rate?))
}

fn asset(fields: &mut Fields, name: &str) -> Option<Asset> {
    let text = fields.required_text(name)?;
    let asset = Asset::known(&text).filter(|asset| match asset {
        Asset::Crypto(currency) => fields.opt_ins().has_currency(*currency),
        Asset::Fiat(_) | Asset::Gas(_) => true,
    });
    fields.accept(name, asset.ok_or(("unknown_currency", "is not a known currency")))
}
