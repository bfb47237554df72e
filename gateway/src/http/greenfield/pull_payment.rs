//! `POST /api/v1/stores/{storeId}/pull-payments`: the refund of an order. A pull payment is bound to no invoice, but WooCommerce's plugin
//! names the order in it.

use axum::Json;
use axum::extract::State;
use checkout_domain::page::Page;
use checkout_domain::payment::filter::PaymentFilter;
use checkout_domain::payment::{PaymentWithDeposits, status};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::given::Given;
use super::refund_invoice::{self, NewRefund, invalid};
use super::shop::Shop;
use crate::greenfield::kept::{Kept, ORDER_ID};
use crate::http::Shared;
use crate::http::auth::Withdraw;
use crate::http::problem::Refusal;
use crate::service::App;
use crate::texts;

/// More invoices of one order are not looked at.
const MOST: u32 = 100;

#[derive(Deserialize)]
pub(super) struct NewPullPayment {
    name: Option<String>,
    description: Option<String>,
    amount: Box<RawValue>,
    currency: String,
}

pub(super) async fn handle(
    State(app): State<Shared>,
    shop: Shop<Withdraw>,
    Given(new): Given<NewPullPayment>,
) -> Result<Json<Value>, Refusal> {
    let name = new.name.unwrap_or_default();
    let record = match order(&name) {
        Some(order) => the_one_with_money(&app, &shop, order).await?,
        None => None,
    };
    let record = record.ok_or_else(|| {
        invalid(
            "name",
            "names no order of which the last invoice, and no other, received something, as in \"Refund of order 97; reason\". Refund the invoice: POST …/invoices/{invoiceId}/refund, or at the desk.",
        )
    })?;
    let refund = NewRefund::custom(name, new.description, new.amount, new.currency);
    refund_invoice::make(&app, &shop, &record, refund).await
}

/// The last word before the first semicolon. What follows it is the merchant's reason, in which other orders may be named.
fn order(name: &str) -> Option<&str> {
    let (order, _) = name.split_once(';')?;
    order.split_whitespace().next_back()
}

/// With two, nobody could say whose money it is. The number can come again in a new shop, so only the newest is meant.
async fn the_one_with_money(
    app: &App,
    shop: &Shop<Withdraw>,
    order: &str,
) -> Result<Option<PaymentWithDeposits>, Refusal> {
    if texts::check(order).is_err() {
        return Ok(None);
    }
    let filter =
        PaymentFilter { metadata: Some((ORDER_ID.to_owned(), order.to_owned())), ..PaymentFilter::default() };
    let page = Page { after: None, before: None, descending: true, limit: MOST };
    let mut records = app.store.payments(shop.business.id, &filter, &page).await?;
    if records.len() >= MOST as usize {
        return Ok(None);
    }
    records.retain(|record| Kept::is_in(&record.payment.notes.metadata));
    let has_money = |record: &PaymentWithDeposits| !status::actual(record).display.is_zero();
    let others = records.iter().skip(1).any(has_money);
    Ok(records.into_iter().next().filter(|newest| has_money(newest) && !others))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_an_order() {
        let check = |name: &str, expected: Option<&str>| assert_eq!(order(name), expected, "{name}");
        check("Refund of order 97; ", Some("97"));
        check("Refund of order 97; 2 of order 98; late", Some("97"));
        check("Erstattung der Bestellung WEB-0097;", Some("WEB-0097"));
        check("Refund of order #97; kettle", Some("#97"));
        check("Refund of order 97", None);
        check("; 97", None);
        check("", None);
    }
}
