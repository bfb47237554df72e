//! `PATCH /api/v1/payments/{paymentId}`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::State;
use checkout_core::{Pair, pair};
use checkout_domain::access::token::Caller;
use checkout_domain::business::Business;
use checkout_domain::payment::{Payment, Price};
use checkout_domain::rates::fiat::Fiat;
use checkout_wire::FieldError;
use checkout_wire::update_payment::{UpdatePayment, UpdatedPayment};

use super::create_payment::{display_amount, network};
use super::get_payment::Visible;
use crate::http::Shared;
use crate::http::auth::ChangePayments;
use crate::http::body::Body;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::http::requests::fields::Fields;
use crate::service::payments::choose_deposit::{self, Choice, NotChosen};
use crate::service::payments::payment_request::{unshown, untaken};

const ABOUT: &str = "Chooses currency and network. The payment gets an address and a quote, and becomes `PENDING`. The hosted page does this itself.\n\n\
The same choice again returns the same quote while its rate holds. Another choice returns a new quote; earlier addresses stay \
watched. An `EXPIRED` payment without deposits gets a new window of the same length.\n\n\
A pair in which nodes would not relay the price, such as 17 satoshis for €0.01, returns 422 with `too_small`: the checkout page does not offer it. \
A quote that the payment has stays.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("updatePayment")
        .tag(tag::PAYMENTS)
        .summary("Add payment details")
        .description(ABOUT)
        .refuses(409, &["deposit_seen", "payment_cancelled", "not_for_sale"])
        .refuses(503, &["outcome_unknown", "no_rate", "network_unavailable"])
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    // Before the body: without access to the payment, its errors are not reported.
    Visible { caller, id, .. }: Visible<ChangePayments>,
    Body(fields, _): Body<UpdatePayment>,
) -> Result<Json<UpdatedPayment>, Refusal> {
    let by_payer = matches!(caller, Caller::Session { .. });
    Ok(Json(choose_deposit::choose(&app, caller, id, choice(fields, by_payer)).await?))
}

/// Reads the body once the payment is known. A payer can choose the currency, but not the price.
pub fn choice(
    fields: Fields,
    by_payer: bool,
) -> impl FnOnce(&Payment, &Business) -> Result<Choice, Vec<FieldError>> {
    move |payment, business| fields.read(|fields| read(fields, payment, business, by_payer))
}

fn read(fields: &mut Fields, payment: &Payment, business: &Business, by_payer: bool) -> Option<Choice> {
    fields.require("depositCurrency");
    let currency = fields.currency("depositCurrency");
    let network = network(fields, currency);
    fields.push(untaken(business, currency, network));
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
    Some(Choice { pair, display_currency })
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
            fields.push(unshown(business, Some(fiat)));
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

impl From<NotChosen> for Refusal {
    fn from(refused: NotChosen) -> Self {
        match refused {
            NotChosen::NotFound => Self::no_payment(),
            NotChosen::Invalid(errors) => Self::invalid(errors),
            NotChosen::DepositSeen => Self::conflict(
                "deposit_seen",
                "A deposit was seen",
                "A deposit has been received, so currency and network cannot change.",
            ),
            NotChosen::Cancelled => Self::conflict(
                "payment_cancelled",
                "The payment is cancelled",
                "The merchant cancelled the payment.",
            ),
            NotChosen::NotForSale => Self::conflict(
                "not_for_sale",
                "The sale link sells nothing more",
                "The first time of this payment is over, and its sale link was withdrawn, has ended or is sold out. An amount that is shown can be paid until its end.",
            ),
            NotChosen::NetworkUnavailable(network) => {
                let detail = format!("Deposits on {network} are unavailable at the moment.");
                Self::unavailable("network_unavailable", "The network is not available", detail)
            }
            NotChosen::NoRate(missing) => {
                Self::unavailable("no_rate", "There is no fresh exchange rate", missing.to_string())
            }
            NotChosen::Store(error) => error.into(),
        }
    }
}
