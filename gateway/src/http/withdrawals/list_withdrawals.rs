//! `GET /api/v1/withdrawals`

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use checkout_wire::list_withdrawals::{ListWithdrawals, ListedWithdrawal};

use crate::http::Shared;
use crate::http::auth::{Bearer, ReadWithdrawals};
use crate::http::list::{self, CSV, ListEntry};
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::parameters::Parameters;
use crate::http::problem::Refusal;
use crate::render::withdrawal as render;
use crate::requests::fields::Fields;
use crate::requests::list_withdrawals;
use crate::service::list_request::ListRequest;

const ABOUT: &str = "A page of the withdrawals of a business with their status as it is now, newest first unless `descending` is false. The \
cursors `after` and `before` are ids of withdrawals, exclusive, and stay valid while withdrawals are added. With `Accept: text/csv` the \
answer is CSV, and has all withdrawals from there on unless `limit` is given.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("listWithdrawals")
        .tag(tag::WITHDRAWALS)
        .summary("List withdrawals")
        .description(ABOUT)
        .answers::<Vec<ListedWithdrawal>>(200, "The withdrawals.")
        .answers_text(200, "The withdrawals.", CSV)
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadWithdrawals>,
    headers: HeaderMap,
    Parameters(fields, _): Parameters<ListWithdrawals>,
) -> Result<Response, Refusal> {
    let read = |fields: &mut Fields| list_withdrawals::read(fields, &app.policy.environments);
    let is_entry = async |business, id| {
        Ok(app.store.withdrawal(id).await?.is_some_and(|found| found.business == business))
    };
    let request = ListRequest::read(&app, caller, fields, read, "a withdrawal", is_entry).await?;
    let read = move |page| {
        let (app, filter) = (Arc::clone(&app), request.filter.clone());
        async move {
            let found = app.store.withdrawals(request.business, &filter, &page).await?;
            Ok(found.iter().map(render::listed).collect())
        }
    };
    list::answer(&headers, request.page, request.is_limited, read).await
}

impl ListEntry for ListedWithdrawal {
    const COLUMNS: &'static [&'static str] = &[
        "withdrawId",
        "clientWithdrawId",
        "status",
        "createdAt",
        "withdrawCurrency",
        "network",
        "recipientAddress",
        "estimatedWithdrawAmount",
        "withdrawFee",
        "displayCurrency",
        "estimatedDisplayAmount",
        "displayFee",
        "settlementCurrency",
        "settlementDeductedAmount",
        "settlementServiceFee",
        "uniformAmount",
        "transactionId",
        "waitingFor",
    ];

    fn id(&self) -> &str {
        &self.withdrawal.withdraw_id
    }
}
