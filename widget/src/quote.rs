//! What the payer is asked to send, checked before any of it is drawn.

use checkout_core::network::TagRule;
use checkout_core::payment::Received;
use checkout_core::tag::Tag;
use checkout_core::wire::{DepositStatus, Payment};
use checkout_core::{Amount, Currency, Network, Pair, pair, uri};

use crate::state::QrMode;

/// A quote whose every part has been checked.
#[derive(Clone, Debug)]
pub struct Quote {
    pub pair: &'static Pair,
    /// Byte for byte as the gateway gave it.
    pub address: String,
    pub tag: Option<Tag>,
    pub amount: Amount,
}

/// Why a payment is not shown. In each case the payer must not send anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The address or its tag is not one of this network.
    Address,
    /// This version of the page cannot read the quote.
    Unreadable,
}

/// The checked quote of a payment; `Ok(None)` when none was given yet.
pub fn quote(payment: &Payment) -> Result<Option<Quote>, Refusal> {
    let Some(address) = &payment.wallet_address else { return Ok(None) };
    let pair = pair_of(payment).ok_or(Refusal::Unreadable)?;
    let amount = payment.expected_deposit_amount.as_deref().ok_or(Refusal::Unreadable)?;
    let amount = Amount::parse(amount, pair.decimals).map_err(|_| Refusal::Unreadable)?;
    if amount.is_zero() {
        return Err(Refusal::Unreadable);
    }
    let tag = payment.destination_tag.as_deref();
    let checked = checkout_core::Address::parse(pair.network, address)
        .is_ok()
        .then(|| Tag::parse(pair.network, tag.unwrap_or_default(), None).ok())
        .flatten()
        .ok_or(Refusal::Address)?;
    // Everyone pays to the same account there: without a tag of its own a transfer belongs to no one.
    let needs_tag = pair.network.spec().tag != TagRule::None;
    if needs_tag != checked.is_some() || needs_tag != tag.is_some() {
        return Err(Refusal::Address);
    }
    Ok(Some(Quote { pair, address: address.clone(), tag: checked, amount }))
}

fn pair_of(payment: &Payment) -> Option<&'static Pair> {
    let currency: Currency = payment.deposit_currency.as_deref()?.parse().ok()?;
    let network = match &payment.expected_network {
        Some(network) => network.parse().ok()?,
        None => only_network(currency)?,
    };
    pair::find(currency, network).filter(|pair| pair.deposit)
}

fn only_network(currency: Currency) -> Option<Network> {
    let mut networks = pair::deposit_networks(currency);
    let network = networks.next()?;
    networks.next().is_none().then_some(network)
}

/// What has arrived, in the currency of the quote; `None` when it cannot be told exactly (another
/// currency came in, or an amount is unreadable). Then nothing more may be asked for.
pub fn received(payment: &Payment, quote: &Quote) -> Option<Received> {
    let mut received = Received::default();
    for deposit in &payment.deposits {
        if deposit.deposit_currency != quote.pair.currency.code() {
            return None;
        }
        let amount = Amount::parse(&deposit.deposit_amount, quote.pair.decimals).ok()?;
        let sum = match deposit.status {
            DepositStatus::Confirmed => &mut received.confirmed,
            _ => &mut received.unconfirmed,
        };
        *sum = sum.checked_add(amount).ok()?;
    }
    Some(received)
}

/// What the QR code says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    pub payload: String,
    pub mode: QrMode,
    /// There is a form with the amount and a form without.
    pub can_switch: bool,
}

/// The payload by the payer's wish, or else the one that most wallets of this asset understand.
pub fn code(quote: &Quote, amount: Amount, wish: Option<QrMode>) -> Code {
    let Quote { pair, address, tag, .. } = quote;
    let tag = tag.as_ref();
    let default = uri::default_qr(pair, address, tag, amount);
    let plain = uri::address_only(pair, address, tag);
    let (preferred, full) = if default == plain {
        (QrMode::Address, uri::payment_uri(pair, address, tag, Some(amount)))
    } else {
        (QrMode::Amount, default)
    };
    let can_switch = full != plain;
    let mode = if can_switch { wish.unwrap_or(preferred) } else { QrMode::Address };
    let payload = if mode == QrMode::Amount { full } else { plain };
    Code { payload, mode, can_switch }
}
