//! `GET /api/v1/deposits`

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use checkout_domain::payment::deposit_filter::DepositFilter;
use checkout_wire::list_deposits::{ListDeposits, ListedDeposit};
use checkout_wire::payment::DepositStatus;
use serde_json::Value;

use crate::http::Shared;
use crate::http::auth::{Bearer, ReadPayments};
use crate::http::list::{self, CSV, ListEntry, ListRequest};
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::parameters::Parameters;
use crate::http::problem::Refusal;
use crate::http::requests::fields::Fields;
use crate::http::requests::page;
use crate::http::requests::search::transactions;
use crate::render::deposit as render;

const ABOUT: &str = "A page of the deposits of a business, held and refused ones among them, newest first unless `descending` is false. Those that \
left their chain are not listed. The cursors `after` and `before` are ids of deposits, exclusive, and stay valid while deposits are added. With \
`Accept: text/csv` the answer is CSV, and has all deposits from there on unless `limit` is given.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("listDeposits")
        .tag(tag::PAYMENTS)
        .summary("List deposits")
        .description(ABOUT)
        .answers::<Vec<ListedDeposit>>(200, "The deposits.")
        .answers_text(200, "The deposits.", CSV)
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadPayments>,
    headers: HeaderMap,
    Parameters(fields, _): Parameters<ListDeposits>,
) -> Result<Response, Refusal> {
    let is_entry = |business, id| app.store.is_deposit_of(business, id);
    let request = ListRequest::read(&app, caller, fields, filter, "a deposit", is_entry).await?;
    let read = |app: Shared, business, filter, page| async move {
        let found = app.store.listed_deposits(business, &filter, &page).await?;
        Ok(found.iter().map(render::listed).collect())
    };
    request.answer(app, &headers, read).await
}

fn filter(fields: &mut Fields) -> DepositFilter {
    let status = |status| status == DepositStatus::Confirmed;
    DepositFilter {
        payment: page::payment(fields),
        is_confirmed: fields.word("status", DepositStatus::KNOWN, DepositStatus::known).map(status),
        is_held: fields.parsed("held", "wrong_type", "must be true or false"),
        currency: fields.currency("currency"),
        network: fields.network(),
        transactions: transactions(fields),
        seen: page::created(fields),
    }
}

impl ListEntry for ListedDeposit {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "paymentId",
        "clientPaymentId",
        "depositReceivedAt",
        "status",
        "heldFor",
        "senderOwner",
        "decision",
        "refused",
        "depositCurrency",
        "network",
        "depositAmount",
        "displayCurrency",
        "displayAmount",
        "fromAddress",
        "toAddress",
        "transactionId",
        "onChainFee",
        "refundStatus",
        "refundAmount",
        "refundTransactionId",
        "confirmations",
        "requiredConfirmations",
    ];

    fn id(&self) -> &str {
        &self.deposit.id
    }

    fn rows(&self) -> Vec<Value> {
        let mut row = list::fields(self);
        if let Some(refund) = &self.deposit.refund {
            row.insert("refundStatus".to_owned(), refund.status.as_str().into());
            row.insert("refundAmount".to_owned(), refund.amount.as_str().into());
            row.insert("refundTransactionId".to_owned(), refund.transaction_id.clone().into());
        }
        vec![row.into()]
    }
}
