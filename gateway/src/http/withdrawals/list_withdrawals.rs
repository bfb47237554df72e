//! `GET /api/v1/withdrawals`

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use checkout_domain::chain::environment::Environments;
use checkout_domain::withdrawal::filter::WithdrawalFilter;
use checkout_domain::withdrawal::may_leave::Why;
use checkout_wire::create_withdrawal::WithdrawalStatus;
use checkout_wire::list_withdrawals::{ListWithdrawals, ListedWithdrawal, WithdrawalWait};

use crate::http::Shared;
use crate::http::auth::{Bearer, ReadWithdrawals};
use crate::http::list::{CSV, ListEntry, ListRequest};
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::parameters::Parameters;
use crate::http::problem::Refusal;
use crate::http::requests::fields::Fields;
use crate::http::requests::page;
use crate::http::requests::search::{addresses, transactions};
use crate::render::withdrawal as render;

const ABOUT: &str = "A page of the withdrawals of a business with their status as it is now, newest first unless `descending` is false. The \
cursors `after` and `before` are ids of withdrawals, exclusive, and stay valid while withdrawals are added. With `Accept: text/csv` the \
answer is CSV, and has all withdrawals from there on unless `limit` is given.";

/// With the sentence of each `waitingReason`.
fn about() -> String {
    let rows = Why::ALL.map(|why| format!("\n| `{}` | {} |", why.as_str(), why.sentence()));
    format!("{ABOUT}\n\n| `waitingReason` | |\n|---|---|{}", rows.concat())
}

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("listWithdrawals")
        .tag(tag::WITHDRAWALS)
        .summary("List withdrawals")
        .description(&about())
        .answers::<Vec<ListedWithdrawal>>(200, "The withdrawals.")
        .answers_text(200, "The withdrawals.", CSV)
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadWithdrawals>,
    headers: HeaderMap,
    Parameters(fields, _): Parameters<ListWithdrawals>,
) -> Result<Response, Refusal> {
    let filter = |fields: &mut Fields| filter(fields, &app.policy.environments);
    let is_entry = async |business, id| {
        Ok(app.store.withdrawal(id).await?.is_some_and(|found| found.business == business))
    };
    let request = ListRequest::read(&app, caller, fields, filter, "a withdrawal", is_entry).await?;
    let read = |app: Shared, business, filter, page| async move {
        let found = app.store.withdrawals(business, &filter, &page).await?;
        Ok(found.iter().map(render::listed).collect())
    };
    request.answer(app, &headers, read).await
}

fn filter(fields: &mut Fields, environments: &Environments) -> WithdrawalFilter {
    let client_withdrawal_id = fields.text("clientWithdrawalId");
    let status = fields.word("status", WithdrawalStatus::KNOWN, WithdrawalStatus::known);
    let waits = fields.word("waitingFor", WithdrawalWait::KNOWN, WithdrawalWait::known);
    let currency = fields.currency("currency");
    let network = fields.network();
    WithdrawalFilter {
        client_withdrawal_id,
        status,
        currency,
        network,
        recipients: addresses(fields, network, environments).map(|(addresses, _)| addresses),
        transactions: transactions(fields),
        is_unapproved: waits == Some(WithdrawalWait::Approval),
        is_above_fee: waits == Some(WithdrawalWait::Fee),
        created: page::created(fields),
    }
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
        "waitingReason",
    ];

    fn id(&self) -> &str {
        &self.withdrawal.withdraw_id
    }
}
