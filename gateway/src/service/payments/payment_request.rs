//! What a payment is asked for with. Interface section 4.1.

use checkout_core::{Currency, Network};
use checkout_domain::business::Business;
use checkout_domain::payment::{Notes, Price};
use checkout_domain::rates::fiat::Fiat;
use checkout_wire::{FieldError, PaymentType, RateType};
use serde_json::json;

use crate::service::request_hash::hash;

/// A valid request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateRequest {
    pub client_payment_id: String,
    pub locale: String,
    pub kind: PaymentType,
    pub rate_type: RateType,
    pub display_currency: Option<Fiat>,
    pub price: Price,
    pub deposit_currency: Option<Currency>,
    pub network: Option<Network>,
    pub expiration_minutes: u32,
    pub redirect_url: Option<String>,
    pub notes: Notes,
    /// A shop asked for it, whose return address may name the invoice.
    pub is_invoice: bool,
}

impl CreateRequest {
    /// SHA-256 of the request's meaning: field order, whitespace and explicit defaults do not matter.
    pub fn hash(&self) -> String {
        let (display_amount, deposit_amount) = match &self.price {
            Price::Display(amount) => (Some(amount.normalize().to_string()), None),
            Price::Crypto { amount, .. } => (None, Some(amount)),
        };
        let mut meaning = json!([
            self.client_payment_id,
            self.locale,
            self.kind.as_str(),
            self.rate_type.as_str(),
            self.display_currency.map(Fiat::code),
            display_amount,
            self.deposit_currency.map(Currency::code),
            deposit_amount,
            self.network.map(Network::code),
            self.expiration_minutes,
            self.redirect_url,
        ]);
        if self.notes != Notes::default() {
            let Notes { description, metadata } = &self.notes;
            meaning.as_array_mut().expect("made above").extend([json!(description), json!(metadata)]);
        }
        hash(&meaning)
    }
}

/// The error of a currency, or a pair, that the business does not take.
pub fn untaken(
    business: &Business,
    currency: Option<Currency>,
    network: Option<Network>,
) -> Option<FieldError> {
    let currency = currency?;
    if !business.accepts(currency) {
        let detail = format!("this business does not take {currency}");
        return Some(FieldError::of("depositCurrency", "unsupported_currency", detail));
    }
    let network = network.filter(|network| !business.accepts_on(currency, *network))?;
    let detail = format!("this business does not take {currency} on {network}");
    Some(FieldError::of("network", "unsupported_pair", detail))
}

/// The error of a currency in which the business shows no prices.
pub fn unshown(business: &Business, fiat: Option<Fiat>) -> Option<FieldError> {
    let fiat = fiat.filter(|fiat| !business.shows(*fiat))?;
    let detail = format!("this business does not show prices in {}", fiat.code());
    Some(FieldError::of("displayCurrency", "unsupported_currency", detail))
}
