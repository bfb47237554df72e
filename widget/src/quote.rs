//! The amount and address for the payer, checked before they are shown.

use checkout_core::network::TagRule;
use checkout_core::tag::Tag;
use checkout_core::{Address, Amount, Currency, Network, Options, Pair, pair, uri};
use checkout_wire::rules::Received;
use checkout_wire::{Deposit, DepositStatus, Payment};

use crate::opened::Opened;
use crate::screen::QrMode;

/// A quote with all parts checked.
#[derive(Clone, Debug)]
pub struct Quote {
    pub pair: &'static Pair,
    /// Byte for byte as the gateway sent it.
    pub address: String,
    pub tag: Option<Tag>,
    pub amount: Amount,
    /// A wallet would read a payment link as one for the main network: only the address may be drawn.
    pub no_link: bool,
}

impl Quote {
    /// The same asset on the same network, to the same address and tag.
    pub fn is_same_place(&self, other: &Self) -> bool {
        (self.pair.currency, self.pair.network) == (other.pair.currency, other.pair.network)
            && (&self.address, &self.tag) == (&other.address, &other.tag)
    }
}

/// Why a payment is not shown. In both cases the payer must not send anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The address or its tag is not valid on this network.
    Address,
    /// This version of the page cannot read the quote.
    Unreadable,
}

/// Returns the checked quote of a payment; `Ok(None)` when it has no quote yet.
pub fn quote(opened: &Opened) -> Result<Option<Quote>, Refusal> {
    let payment = &opened.payment;
    let Some(address) = &payment.wallet_address else { return Ok(None) };
    let pair = pair_of(payment).ok_or(Refusal::Unreadable)?;
    let amount = payment.expected_deposit_amount.as_deref().ok_or(Refusal::Unreadable)?;
    let amount = Amount::parse(amount, pair.decimals).map_err(|_| Refusal::Unreadable)?;
    if amount.is_zero() {
        return Err(Refusal::Unreadable);
    }
    let tag = payment.destination_tag.as_deref();
    let checked = is_of_the_network_in_use(opened, pair.network, address)
        && !pair::is_token_contract(pair.network, address);
    let checked = checked
        .then(|| Tag::parse(pair.network, tag.unwrap_or_default(), None).ok())
        .flatten()
        .ok_or(Refusal::Address)?;
    // All payers pay to the same account there: without its tag, a transfer belongs to no payment.
    let needs_tag = pair.network.spec().tag != TagRule::None;
    if needs_tag != checked.is_some() || needs_tag != tag.is_some() {
        return Err(Refusal::Address);
    }
    let no_link = opened.test_network(pair.network).is_some_and(|test| !test.own_addresses);
    Ok(Some(Quote { pair, address: address.clone(), tag: checked, amount, no_link }))
}

/// On a test network with addresses of its own, these are the valid ones, and those of the main network are not.
fn is_of_the_network_in_use(opened: &Opened, network: Network, address: &str) -> bool {
    const ANY_NETWORK: Options = Options { allow_test_networks: true, ..Options::STRICT };
    let on_test = opened.test_network(network).is_some_and(|test| test.own_addresses);
    Address::parse_with(network, address, &ANY_NETWORK)
        .is_ok_and(|address| address.test_network().is_some() == on_test)
}

/// The pair that is paid in; a currency with one network needs no network.
pub fn pair_of(payment: &Payment) -> Option<&'static Pair> {
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

/// The amount that has arrived, in the currency of the quote. `None` if it is not known exactly (a deposit in
/// another currency, or an unreadable amount); then the page must not request another payment.
pub fn received(payment: &Payment, quote: &Quote) -> Option<Received> {
    sum(&payment.deposits, quote)
}

/// The same for some of the deposits.
pub fn sum<'a>(deposits: impl IntoIterator<Item = &'a Deposit>, quote: &Quote) -> Option<Received> {
    let mut received = Received::default();
    for deposit in deposits {
        if deposit.deposit_currency != quote.pair.currency.code() {
            return None;
        }
        let amount = whole_atoms(&deposit.deposit_amount, quote.pair.decimals)?;
        let sum = match deposit.status.known() {
            Some(DepositStatus::Confirmed) => &mut received.confirmed,
            Some(DepositStatus::Unconfirmed) | None => &mut received.unconfirmed,
        };
        *sum = sum.checked_add(amount).ok()?;
    }
    Some(received)
}

/// Without the digits beyond the decimals of the coin: no transfer moves them, and some servers write them.
fn whole_atoms(text: &str, decimals: u8) -> Option<Amount> {
    let end = text.find('.').map_or(text.len(), |point| text.len().min(point + 1 + usize::from(decimals)));
    let (amount, beyond) = text.split_at_checked(end)?;
    Amount::parse(amount, decimals).ok().filter(|_| beyond.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The contents of the QR code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    pub payload: String,
    pub mode: QrMode,
    /// There is a code with the amount and a code without.
    pub can_switch: bool,
}

/// Returns the payload that the payer chose, or the one that most wallets of this asset support.
pub fn code(quote: &Quote, amount: Amount, wish: Option<QrMode>) -> Code {
    let Quote { pair, address, tag, no_link, .. } = quote;
    let tag = tag.as_ref();
    if *no_link {
        let payload = uri::address_only(pair, address, tag);
        return Code { payload, mode: QrMode::Address, can_switch: false };
    }
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

/// What has arrived and the remaining amount, when deposits do not cover the payment: as the gateway says, which knows every
/// amount that was shown and what may be missing. In other coins, what has arrived is what they cover of the amount.
pub fn remaining(opened: &Opened, quote: &Quote) -> Option<(Amount, Amount)> {
    if opened.payment.deposits.is_empty() {
        return None;
    }
    let arrived = received(&opened.payment, quote);
    let told = opened.remaining.as_ref().and_then(|due| Amount::parse(due, quote.pair.decimals).ok());
    let due = told.or_else(|| Some(checkout_wire::rules::remaining(quote.amount, arrived?)))?;
    let arrived = arrived.map_or(quote.amount.saturating_sub(due), Received::total);
    (!due.is_zero()).then_some((arrived, due))
}
