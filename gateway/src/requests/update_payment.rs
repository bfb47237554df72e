//! The body of `PATCH /api/v1/payments/{paymentId}`, read and checked. Interface section 4.2.

use checkout_core::{Pair, pair};
use checkout_domain::business::Business;
use checkout_domain::payment::{Payment, Price};
use checkout_domain::rates::fiat::Fiat;

use crate::requests::create_payment::{check_shown, check_taken, display_amount, network};
use crate::requests::fields::Fields;

/// A valid request.
#[derive(Clone, Copy, Debug)]
pub struct UpdateRequest {
    pub pair: &'static Pair,
    /// Set if creation left the display currency open.
    pub display_currency: Option<Fiat>,
}

impl UpdateRequest {
    /// Reads the body for one payment. A payer (`by_payer`) can choose the currency, but not the price.
    ///
    /// `None` if there are errors.
    pub fn read(fields: &mut Fields, payment: &Payment, business: &Business, by_payer: bool) -> Option<Self> {
        fields.require("depositCurrency");
        let currency = fields.currency("depositCurrency");
        let network = network(fields, currency);
        check_taken(fields, business, currency, network);
        if let (Some(currency), Some(fixed)) = (currency, payment.fixed_currency())
            && currency != fixed
        {
            let detail = format!("this payment was asked for in {fixed}");
            fields.error("depositCurrency", "fixed_currency", detail);
        }
        if let (Some(network), Some(fixed)) = (network, payment.fixed_network())
            && network != fixed
        {
            fields.error("network", "fixed_network", format!("this payment was asked for on {fixed}"));
        }
        let display_currency = display(fields, payment, business, by_payer);
        if !fields.is_valid() {
            return None;
        }
        let currency = currency?;
        let fits = |network| pair::find(currency, network).filter(|pair| pair.deposit);
        let is_taken = |pair: &&'static Pair| business.accepts_on(currency, pair.network);
        let main = || pair::deposit_networks(currency).filter_map(fits).find(is_taken);
        let pair = match network {
            Some(network) => fits(network),
            // Interface section 4.2: the network is optional. The default is that of creation, or the main
            // one.
            None => payment.requested_network.and_then(fits).filter(is_taken).or_else(main),
        }?;
        Some(Self { pair, display_currency })
    }
}

/// Display fields may set what creation left open, and repeat what it set.
fn display(fields: &mut Fields, payment: &Payment, business: &Business, by_payer: bool) -> Option<Fiat> {
    let fiat: Option<Fiat> =
        fields.parsed("displayCurrency", "unknown_currency", "is not a known fiat currency");
    let stands = fiat.unwrap_or(payment.display_currency);
    let amount = display_amount(fields, Some(stands));
    if by_payer {
        for name in ["displayCurrency", "displayAmount"] {
            if fields.has(name) {
                fields.error(name, "not_allowed", "only the merchant can set it");
            }
        }
        return None;
    }
    if let Some(fiat) = fiat {
        if payment.display_currency_given && fiat != payment.display_currency {
            let detail = format!("creation set it to {}", payment.display_currency.code());
            fields.error("displayCurrency", "already_set", detail);
        } else {
            check_shown(fields, business, Some(fiat));
        }
    }
    match (&payment.price, amount) {
        (Price::Display(set), Some(amount)) if *set != amount => {
            let detail = format!("creation set it to {}", payment.display_currency.text(*set));
            fields.error("displayAmount", "already_set", detail);
        }
        (Price::Crypto { .. }, Some(_)) => {
            fields.error("displayAmount", "conflicting_amounts", "creation set depositAmount");
        }
        (Price::Display(set), None) if stands.parse(&set.normalize().to_string()).is_err() => {
            let detail = format!("the amount of this payment is finer than {} has", stands.code());
            fields.error("displayCurrency", "too_many_decimals", detail);
        }
        _ => {}
    }
    fiat.filter(|_| !payment.display_currency_given)
}
