//! `GET /api/v1/payments`

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use checkout_domain::chain::environment::Environments;
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::filter::PaymentFilter;
use checkout_domain::payment::note_words::words;
use checkout_wire::list_payments::ListPayments;
use checkout_wire::{Payment, PaymentStatus};
use serde_json::Value;

use crate::http::Shared;
use crate::http::auth::{Bearer, ReadPayments};
use crate::http::list::{self, CSV, ListEntry, ListRequest};
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::parameters::Parameters;
use crate::http::problem::Refusal;
use crate::http::requests::fields::Fields;
use crate::http::requests::search::{addresses, amounts, transactions};
use crate::http::requests::{notes, page};
use crate::render::payment as render;

const ABOUT: &str = "A page of the payments of a business, newest first unless `descending` is false. The cursors `after` and `before` are \
ids of payments, exclusive, and stay valid while payments are added. With `Accept: text/csv` the answer is CSV, and has all payments \
from there on unless `limit` is given.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("listPayments")
        .tag(tag::PAYMENTS)
        .summary("List payments")
        .description(ABOUT)
        .answers::<Vec<Payment>>(200, "The payments.")
        .answers_text(200, "The payments.", CSV)
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadPayments>,
    headers: HeaderMap,
    Parameters(fields, _): Parameters<ListPayments>,
) -> Result<Response, Refusal> {
    let filter = |fields: &mut Fields| filter(fields, &app.policy.environments);
    let is_entry = |business, id| app.store.is_payment_of(business, PaymentId(id));
    let request = ListRequest::read(&app, caller, fields, filter, "a payment", is_entry).await?;
    let read = |app: Shared, business, filter, page| async move {
        let found = app.store.payments(business, &filter, &page).await?;
        let now = app.clock.now();
        Ok(found.iter().map(|record| render::payment(record, now)).collect())
    };
    request.answer(app, &headers, read).await
}

fn filter(fields: &mut Fields, environments: &Environments) -> PaymentFilter {
    let client_payment_id = fields.text("clientPaymentId");
    let status = fields.word("status", PaymentStatus::KNOWN, PaymentStatus::known);
    let currency = fields.currency("currency");
    let network = fields.network();
    let tag = fields.text("destinationTag");
    let (addresses, inside) = addresses(fields, network, environments).unzip();
    let tag = tag.or(inside.flatten());
    if tag.is_some() && addresses.is_none() {
        fields.error("destinationTag", "required", "needs the address that it belongs to");
    }
    PaymentFilter {
        client_payment_id,
        status,
        currency,
        network,
        addresses,
        tag,
        transactions: transactions(fields),
        amounts: amounts(fields),
        words: fields.text("description").map(|text| words(&text).into_iter().collect()).unwrap_or_default(),
        metadata: notes::entry(fields),
        created: page::created(fields),
    }
}

impl ListEntry for Payment {
    const COLUMNS: &'static [&'static str] = &[
        "paymentId",
        "clientPaymentId",
        "status",
        "type",
        "paymentInitiatedAt",
        "displayCurrency",
        "expectedDisplayAmount",
        "actualDisplayAmount",
        "depositCurrency",
        "expectedNetwork",
        "expectedDepositAmount",
        "actualDepositAmount",
        "actualUniformAmount",
        "cancelledAt",
        "description",
        "metadata",
        "walletAddress",
        "destinationTag",
        "transactionIds",
        "acceptedAt",
    ];

    fn id(&self) -> &str {
        &self.payment_id
    }

    fn rows(&self) -> Vec<Value> {
        let ids: Vec<&str> = self.deposits.iter().map(|deposit| deposit.transaction_id.as_str()).collect();
        let mut row = list::fields(self);
        row.insert("transactionIds".to_owned(), ids.join(" ").into());
        vec![row.into()]
    }
}
