//! The payer's choice: a pair, its address and its quote.

use checkout_core::network::TagRule;
use checkout_core::{Network, Pair};
use checkout_domain::access::token::Caller;
use checkout_domain::business::Business;
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::{Payment, PaymentWithDeposits, Quote, quote, status};
use checkout_domain::ports::StoreError;
use checkout_domain::ports::watched_addresses::AddressTx;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::sale::LinkState;
use checkout_wire::update_payment::UpdatedPayment;
use checkout_wire::{FieldError, PaymentType, RateType};

use crate::render::payment as render;
use crate::service::App;
use crate::service::callbacks::announce_events;
use crate::service::payments::read_payment;
use crate::service::transfers::deposit_sums;
use crate::service::transfers::missing_rate::MissingRate;

#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub pair: &'static Pair,
    /// Set if creation left the display currency open.
    pub display_currency: Option<Fiat>,
}

#[derive(Debug)]
pub enum NotChosen {
    NotFound,
    Invalid(Vec<FieldError>),
    /// A deposit was seen: the choice is final.
    DepositSeen,
    /// The merchant cancelled the payment.
    Cancelled,
    /// The first window of a sale is over, and its link sells nothing more. What the sale holds itself counts as taken.
    NotForSale,
    /// The network is down.
    NetworkUnavailable(Network),
    NoRate(MissingRate),
    Store(StoreError),
}

impl From<StoreError> for NotChosen {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// `read` has the choice for the payment, or what is wrong with it.
pub async fn choose(
    app: &App,
    caller: Caller,
    id: PaymentId,
    read: impl FnOnce(&Payment, &Business) -> Result<Choice, Vec<FieldError>>,
) -> Result<UpdatedPayment, NotChosen> {
    let mut tx = app.store.begin().await?;
    let begun = app.clock.now();
    let sale = tx.sale_link_of(id, begun).await?;
    // It may have waited for the link.
    let now = if sale.is_some() { app.clock.now() } else { begun };
    let may_see = |record: &PaymentWithDeposits| read_payment::may_see(caller, id, record.payment.business);
    let found = tx.payment_to_quote(id).await?.filter(|(record, _)| may_see(record));
    let Some((mut record, quotes)) = found else { return Err(NotChosen::NotFound) };
    let business = app.store.business(record.payment.business).await?.ok_or(NotChosen::NotFound)?;
    let choice = read(&record.payment, &business).map_err(NotChosen::Invalid)?;
    let takes_more = record.payment.kind == PaymentType::Reusable;
    if !takes_more && record.paying_deposits().next().is_some() {
        return Err(NotChosen::DepositSeen);
    }
    if record.payment.cancelled_at.is_some() {
        return Err(NotChosen::Cancelled);
    }
    let holding = shown_before(&record, choice, now);
    if holding.is_some() && holding == record.payment.quote {
        return Ok(answer(caller, &record, now));
    }
    let is_again = holding.is_none() || record.payment.window_is_over(now);
    if is_again && sale.is_some_and(|(link, taken)| link.state(taken, now) != LinkState::Open) {
        return Err(NotChosen::NotForSale);
    }
    if let Some(fiat) = choice.display_currency.filter(|fiat| *fiat != record.payment.display_currency) {
        // Deposits that left their chain or were refused were valued in the old currency, and can return.
        if !record.deposits.is_empty() {
            return Err(NotChosen::DepositSeen);
        }
        // An amount that was shown pays the price that it was shown for.
        if !record.quotes.is_empty() {
            let detail =
                format!("amounts were shown for a price in {}", record.payment.display_currency.code());
            return Err(refused("displayCurrency", "already_set", detail));
        }
        record.payment.display_currency = fiat;
        record.payment.display_currency_given = true;
    }
    let shown = match holding {
        Some(quote) if !app.takes(quote.network) => return Err(NotChosen::NetworkUnavailable(quote.network)),
        Some(quote) => quote,
        None => new_quote(app, tx.as_mut(), &record.payment, choice.pair, now).await?,
    };
    tx.insert_quote(id, quotes, &shown).await?;
    record.show(shown);
    let has_moved = status::refresh_status(&mut record, now);
    tx.update_payment(&record.payment).await?;
    if has_moved {
        announce_events::status(app, tx.as_mut(), &record).await?;
    }
    deposit_sums::keep(tx.as_mut(), &record).await?;
    tx.commit().await?;
    Ok(answer(caller, &record, now))
}

fn refused(field: &str, code: &str, detail: String) -> NotChosen {
    NotChosen::Invalid(vec![FieldError::of(field, code, detail)])
}

/// With the rate for the checkout page, so that its next screen is complete before the next poll.
fn answer(caller: Caller, record: &PaymentWithDeposits, now: u64) -> UpdatedPayment {
    let is_page = matches!(caller, Caller::Session { .. });
    let rate = is_page.then(|| render::rate(&record.payment)).flatten().map(Into::into);
    UpdatedPayment { payment_info: render::payment_for(caller, record, now), rate }
}

/// The quote of a FIXED payment for the requested pair, if its window lasts: a payer who comes back to a pair gets the
/// same amount until the same end.
fn shown_before(record: &PaymentWithDeposits, choice: Choice, now: u64) -> Option<Quote> {
    let payment = &record.payment;
    let fiat = choice.display_currency.unwrap_or(payment.display_currency);
    let pair = (choice.pair.currency, choice.pair.network);
    let holds = |quote: &&Quote| {
        (quote.currency, quote.network, quote.fiat) == (pair.0, pair.1, fiat)
            && now < payment.quote_end(quote)
    };
    record.quotes.iter().rev().find(holds).filter(|_| payment.rate_type == RateType::Fixed).cloned()
}

async fn new_quote(
    app: &App,
    tx: &mut dyn AddressTx,
    payment: &Payment,
    pair: &'static Pair,
    now: u64,
) -> Result<Quote, NotChosen> {
    if !app.takes(pair.network) {
        return Err(NotChosen::NetworkUnavailable(pair.network));
    }
    if !app.reads(pair) {
        let detail =
            format!("{} has no contract on the {} network of this gateway", pair.currency, pair.network);
        return Err(refused("depositCurrency", "unsupported_currency", detail));
    }
    let rates = app.market_rates(pair.currency, payment.display_currency).map_err(NotChosen::NoRate)?;
    let terms =
        quote::terms(&payment.price, payment.display_currency, pair, rates.shown()).map_err(|error| {
            refused(
                "depositCurrency",
                error.code(),
                format!("the price cannot be said in {}: {error}", pair.currency),
            )
        })?;
    quote::can_be_sent(terms.expected, pair).map_err(|error| {
        refused("depositCurrency", "too_small", format!("cannot be sent: the price {error}"))
    })?;
    let (address, tag) = match tx.address_of(payment.id, pair.network).await? {
        Some(known) => known,
        None => allot(app, tx, payment.id, pair.network, now).await?,
    };
    let Pair { currency, network, .. } = *pair;
    Ok(Quote { currency, network, address, tag, fiat: payment.display_currency, terms, requested_at: now })
}

/// Assigns an address on a network to the payment. The address stays watched.
async fn allot(
    app: &App,
    tx: &mut dyn AddressTx,
    payment: PaymentId,
    network: Network,
    now: u64,
) -> Result<(String, Option<String>), NotChosen> {
    let has_tags = network.spec().tag != TagRule::None;
    loop {
        let index = if has_tags { 0 } else { tx.next_index(network).await? };
        let address = app.addresses.address(network, index).ok_or(NotChosen::NetworkUnavailable(network))?;
        let tag = has_tags.then(|| new_tag(app.random()));
        if let Some(chain) = app.chains.get(&network)
            && let Err(error) = chain.watch(&address, index).await
        {
            tracing::error!(%network, index, %error, "an address cannot be watched, so it is not given out");
            return Err(NotChosen::NetworkUnavailable(network));
        }
        if tx.insert_address(payment, network, &address, tag.as_deref(), now).await? {
            return Ok((address, tag));
        }
    }
}

/// Nine or ten digits: a mistyped tag is unlikely to belong to another payment. Below 2³¹, because wallets with signed numbers change
/// or refuse what is above; so it fits the `u32` of the XRP Ledger and the `u64` of a Stellar memo id.
fn new_tag(random: [u8; 4]) -> String {
    const LEAST: u32 = 100_000_000;
    const LIMIT: u32 = 1 << 31;
    (LEAST + u32::from_be_bytes(random) % (LIMIT - LEAST)).to_string()
}

#[cfg(test)]
mod tests {
    use super::new_tag;

    #[test]
    fn a_tag_has_nine_digits_and_fits_a_signed_number() {
        for random in [[0; 4], [0x7f, 0xff, 0xff, 0xff], [0x80, 0, 0, 0], [0xff; 4], [0x7a, 0x0a, 0x1f, 0]] {
            let tag: i32 = new_tag(random).parse().expect("it is below 2³¹");
            assert!(tag >= 100_000_000, "{tag}");
        }
    }
}
