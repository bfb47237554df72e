//! `GET /api/v1/stores/{storeId}/invoices` and what is read of one.

use axum::Json;
use axum::extract::{RawQuery, State};
use checkout_domain::page::{Page, Period};
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::filter::PaymentFilter;
use serde_json::Value;
use url::form_urlencoded;

use super::shop::{Shop, ShopInvoice};
use crate::greenfield::invoice::{self, Invoice};
use crate::greenfield::kept::ORDER_ID;
use crate::http::Shared;
use crate::http::auth::ReadPayments;
use crate::http::problem::Refusal;
use crate::service::App;
use crate::service::payments::create_payment::payment_url;

/// Most payments that a list looks at.
const MOST: usize = 1_000;

const DEFAULT_TAKE: usize = 50;

pub(super) fn shown<U>(app: &App, shop: &Shop<U>, record: &PaymentWithDeposits) -> Invoice {
    let link = shop.opens(record).then(|| payment_url(app, &shop.business, &record.payment));
    invoice::invoice(record, app.clock.now(), link.as_deref())
}

pub(super) async fn read(State(app): State<Shared>, found: ShopInvoice<ReadPayments>) -> Json<Invoice> {
    Json(shown(&app, &found.shop, &found.record))
}

pub(super) async fn payment_methods(found: ShopInvoice<ReadPayments>) -> Json<Vec<Value>> {
    Json(invoice::payment_methods(&found.record))
}

#[derive(Default)]
struct InvoiceQuery {
    orders: Vec<String>,
    statuses: Vec<String>,
    text: Option<String>,
    created: Period,
    skip: usize,
    take: Option<usize>,
}

impl InvoiceQuery {
    fn read(query: &str) -> Self {
        let mut asked = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match name.trim_end_matches("[]").to_ascii_lowercase().as_str() {
                "orderid" => asked.orders.push(value.into_owned()),
                "status" => asked.statuses.push(value.into_owned()),
                "textsearch" => asked.text = Some(value.into_owned()).filter(|text| !text.is_empty()),
                "startdate" => asked.created.from = value.parse().ok(),
                "enddate" => asked.created.to = value.parse::<u64>().ok().map(|end| end.saturating_add(1)),
                "skip" => asked.skip = value.parse().unwrap_or_default(),
                "take" => asked.take = value.parse().ok(),
                _ => {}
            }
        }
        asked
    }

    /// One for each order.
    fn filters(&self) -> Vec<PaymentFilter> {
        let of = |order: Option<&String>| PaymentFilter {
            metadata: order.map(|order| (ORDER_ID.to_owned(), order.clone())),
            created: self.created,
            ..PaymentFilter::default()
        };
        let orders = self.orders.iter().chain(&self.text);
        let filters: Vec<PaymentFilter> = orders.map(|order| of(Some(order))).collect();
        if filters.is_empty() { vec![of(None)] } else { filters }
    }
}

/// Newest first. A text is looked for among the ids of orders.
pub(super) async fn list(
    State(app): State<Shared>,
    shop: Shop<ReadPayments>,
    RawQuery(query): RawQuery,
) -> Result<Json<Vec<Invoice>>, Refusal> {
    let asked = InvoiceQuery::read(&query.unwrap_or_default());
    let take = asked.take.unwrap_or(DEFAULT_TAKE);
    let reads_all = !asked.statuses.is_empty() || asked.orders.len() > 1;
    let limit = if reads_all { MOST } else { asked.skip.saturating_add(take).min(MOST) };
    let limit = u32::try_from(limit).expect("it is at most MOST");
    let page = Page { after: None, before: None, descending: true, limit };
    let mut records = Vec::new();
    for filter in asked.filters() {
        records.extend(app.store.payments(shop.business.id, &filter, &page).await?);
    }
    records.sort_by_key(|record| std::cmp::Reverse(record.payment.id.0));
    let invoices = records.iter().map(|record| shown(&app, &shop, record));
    let is_asked = |invoice: &Invoice| {
        let status = invoice.status.as_str();
        asked.statuses.is_empty() || asked.statuses.iter().any(|one| one.eq_ignore_ascii_case(status))
    };
    Ok(Json(invoices.filter(is_asked).skip(asked.skip).take(take).collect()))
}
