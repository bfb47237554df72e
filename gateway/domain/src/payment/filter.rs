//! The payments that a merchant asks for.

use checkout_core::{Currency, Network};
use checkout_wire::PaymentStatus;

use crate::page::Period;

/// A payment is listed if all that is given fits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PaymentFilter {
    pub client_payment_id: Option<String>,
    pub status: Option<PaymentStatus>,
    /// The currency that the payer chose last, or else that of the request.
    pub currency: Option<Currency>,
    pub network: Option<Network>,
    /// The payment has one of these addresses, which are in normal form. The same text can be valid on several networks.
    pub addresses: Option<Vec<String>>,
    /// Tag of the address.
    pub tag: Option<String>,
    /// The payment has a deposit of a transaction with one of these ids, which are spellings of one.
    pub transactions: Option<Vec<String>>,
    /// The price, an amount that was shown or a deposit is one of these [amount words](super::amount_words).
    pub amounts: Option<Vec<String>>,
    /// All these words are in the description.
    pub words: Vec<String>,
    /// A name and its value.
    pub metadata: Option<(String, String)>,
    pub created: Period,
}
