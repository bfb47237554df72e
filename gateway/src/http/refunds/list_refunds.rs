//! `GET /api/v1/refunds`

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use checkout_domain::payment::refund_filter::RefundFilter;
use checkout_wire::ListedRefund;
use checkout_wire::payment::RefundWait;
use checkout_wire::refunds::{ListRefunds, RefundState};

use crate::http::Shared;
use crate::http::auth::{Bearer, ReadRefunds};
use crate::http::list::{CSV, ListEntry, ListRequest};
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::parameters::Parameters;
use crate::http::problem::Refusal;
use crate::http::requests::fields::Fields;
use crate::http::requests::page;
use crate::render::refund as render;

const ABOUT: &str = "A page of the refunds of a business as they are now, newest first unless `descending` is false: automatic ones, and those that \
the merchant asked for. An automatic refund is as old as its deposit. The cursors `after` and `before` are ids of refunds, exclusive, and stay \
valid while refunds are added. With `Accept: text/csv` the answer is CSV, and has all refunds from there on unless `limit` is given.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("listRefunds")
        .tag(tag::REFUNDS)
        .summary("List refunds")
        .description(ABOUT)
        .answers::<Vec<ListedRefund>>(200, "The refunds.")
        .answers_text(200, "The refunds.", CSV)
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadRefunds>,
    headers: HeaderMap,
    Parameters(fields, _): Parameters<ListRefunds>,
) -> Result<Response, Refusal> {
    let is_entry =
        async |business, id| Ok(app.store.refund(id).await?.is_some_and(|found| found.business == business));
    let request = ListRequest::read(&app, caller, fields, filter, "a refund", is_entry).await?;
    let read = |app: Shared, business, filter, page| async move {
        let found = app.store.refunds(business, &filter, &page).await?;
        Ok(found.iter().filter_map(render::listed).collect())
    };
    request.answer(app, &headers, read).await
}

fn filter(fields: &mut Fields) -> RefundFilter {
    RefundFilter {
        payment: page::payment(fields),
        client_refund_id: fields.text("clientRefundId"),
        status: fields.word("status", RefundState::KNOWN, RefundState::known),
        waits: fields.word("waitingFor", RefundWait::KNOWN, RefundWait::known),
        currency: fields.currency("currency"),
        network: fields.network(),
        created: page::created(fields),
    }
}

impl ListEntry for ListedRefund {
    const COLUMNS: &'static [&'static str] = &[
        "refundId",
        "clientRefundId",
        "paymentId",
        "clientPaymentId",
        "depositId",
        "reason",
        "status",
        "createdAt",
        "currency",
        "network",
        "amount",
        "fee",
        "feePaidBy",
        "displayCurrency",
        "displayAmount",
        "displayFee",
        "withdrawalAccount",
        "settlementCurrency",
        "settlementDeductedAmount",
        "address",
        "transactionId",
        "confirmedAt",
        "waitingFor",
        "waitingReason",
        "claimedAddress",
        "claimedAt",
    ];

    fn id(&self) -> &str {
        &self.refund_id
    }
}
