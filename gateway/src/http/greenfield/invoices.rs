//! `GET /api/v1/stores/{storeId}/invoices` and what is read of one.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use axum::Json;
use axum::extract::{RawQuery, State};
use checkout_domain::page::{Page, Period};
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::filter::PaymentFilter;
use checkout_wire::FieldError;
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
use crate::texts;

/// Most payments that a list looks at.
const MOST: usize = 5_000;

/// Most payments that are read at once.
const PAGE: usize = 500;

const MOST_ORDERS: usize = 20;

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
    fn filters(&self) -> Result<Vec<PaymentFilter>, Refusal> {
        let of = |order: Option<&String>| PaymentFilter {
            metadata: order.map(|order| (ORDER_ID.to_owned(), order.clone())),
            created: self.created,
            ..PaymentFilter::default()
        };
        let orders: BTreeSet<&String> = self.orders.iter().chain(&self.text).collect();
        if orders.len() > MOST_ORDERS {
            return Err(invalid("orderId", "too_many", format!("has more than {MOST_ORDERS} values")));
        }
        if let Some(fault) = orders.iter().find_map(|order| texts::check(order).err()) {
            return Err(invalid("orderId", fault.code(), fault.detail().to_owned()));
        }
        let filters: Vec<PaymentFilter> = orders.into_iter().map(|order| of(Some(order))).collect();
        Ok(if filters.is_empty() { vec![of(None)] } else { filters })
    }

    fn wants(&self, invoice: &Invoice) -> bool {
        let status = invoice.status.as_str();
        self.statuses.is_empty() || self.statuses.iter().any(|one| one.eq_ignore_ascii_case(status))
    }
}

fn invalid(field: &str, code: &str, detail: String) -> Refusal {
    Refusal::invalid(vec![FieldError::of(field, code, detail)])
}

/// Newest first. A text is looked for among the ids of orders.
pub(super) async fn list(
    State(app): State<Shared>,
    shop: Shop<ReadPayments>,
    RawQuery(query): RawQuery,
) -> Result<Json<Vec<Invoice>>, Refusal> {
    let asked = InvoiceQuery::read(&query.unwrap_or_default());
    let take = asked.take.unwrap_or(DEFAULT_TAKE);
    let wanted = asked.skip.saturating_add(take);
    let (mut found, mut looked_at) = (Vec::new(), 0);
    for filter in asked.filters()? {
        let end = found.len().saturating_add(wanted);
        let mut after = None;
        while found.len() < end {
            if looked_at >= MOST {
                let detail = format!(
                    "reaches beyond {MOST} payments: give a startDate and an endDate that are nearer, or an orderId"
                );
                return Err(invalid("skip", "too_many", detail));
            }
            let limit = if asked.statuses.is_empty() { PAGE.min(end - found.len()) } else { PAGE };
            let rows = u32::try_from(limit).expect("it is at most PAGE");
            let page = Page { after, before: None, descending: true, limit: rows };
            let records = app.store.payments(shop.business.id, &filter, &page).await?;
            looked_at += records.len();
            after = records.last().map(|record| record.payment.id.0);
            let is_last = records.len() < limit;
            let invoices = records.iter().map(|record| (record.payment.id.0, shown(&app, &shop, record)));
            found.extend(invoices.filter(|(_, invoice)| asked.wants(invoice)));
            if is_last {
                break;
            }
        }
    }
    found.sort_by_key(|(id, _)| Reverse(*id));
    Ok(Json(found.into_iter().map(|(_, invoice)| invoice).skip(asked.skip).take(take).collect()))
}
