//! A payment as the page shows it, and the forms of its fields.

use checkout_core::Pair;
use checkout_core::money::decimal;
use checkout_widget::quote::Quote;
use checkout_wire::Payment;
use checkout_wire::checkout_view::TestNetwork;
use serde_json::Value;

use super::reading::{PaymentFields, is_whole};

/// A price and a rate have no more.
const MOST_DECIMALS: u8 = 18;

/// What the payment is compared with.
#[derive(Clone, Copy)]
pub(super) struct PageContext<'a> {
    pub(super) payment_id: &'a str,
    pub(super) test_networks: &'a [TestNetwork],
    /// The page came over https.
    pub(super) is_secure: bool,
    /// In which answer this was seen.
    pub(super) place: &'a str,
}

/// A payment as the page shows it.
#[derive(Debug)]
pub(super) struct ShownPayment {
    pub(super) fields: PaymentFields,
    pub(super) payment: Payment,
    pub(super) quote: Option<Quote>,
    /// When the window ends; `None` for one that never does.
    pub(super) window_end: Option<u64>,
}

/// Whether a value is of the form that its field has.
pub(super) fn shape(name: &str, value: &Value) -> Result<(), String> {
    match value {
        Value::Bool(_) if name.starts_with("refundFollowUp") => Ok(()),
        Value::Array(_) if name == "deposits" => Ok(()),
        _ if name.starts_with("refundFollowUp") => Err(format!("is {value}, and not true or false")),
        _ if name == "deposits" => Err("is no list".to_owned()),
        Value::Number(number)
            if name == "expirationMinutes" && number.as_u64() > Some(u64::from(u32::MAX)) =>
        {
            Err(format!("is {number}: too long"))
        }
        Value::Number(_) if is_whole(name) => Ok(()),
        _ if is_whole(name) => Err(format!("is {value}, and no whole number")),
        Value::String(text) if is_amount(name) => match decimal::parse(text, MOST_DECIMALS) {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("is {value}, and no amount: {error}")),
        },
        Value::String(_) => Ok(()),
        _ => Err("is no text".to_owned()),
    }
}

fn is_amount(name: &str) -> bool {
    name.ends_with("Amount") || ["amount", "fee", "displayFee", "onChainFee"].contains(&name)
}

pub(super) fn code(pair: &Pair) -> String {
    format!("{}.{}", pair.currency.code(), pair.network.code())
}
