//! `GET /api/v1/ledger`

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use checkout_domain::ledger::filter::LedgerFilter;
use checkout_wire::list_ledger::{LedgerEntry, ListLedger};
use serde_json::Value;

use crate::http::Shared;
use crate::http::auth::{Bearer, ReadWithdrawals};
use crate::http::list::{self, CSV, ListEntry, ListRequest};
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::parameters::Parameters;
use crate::http::problem::Refusal;
use crate::http::requests::fields::Fields;
use crate::http::requests::page;
use crate::render::ledger as render;

const ABOUT: &str = "A page of the bookings of a business, newest first unless `descending` is false. The lines of an entry add up to zero \
in each currency; the lines of all entries of an account add up to its balance, and those of a month to the change of it in that month. The cursors \
`after` and `before` are ids of entries, exclusive, and stay valid while entries are added. With `Accept: text/csv` the answer is CSV with a row for \
each line, and has all entries from there on unless `limit` is given.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("listLedger")
        .tag(tag::WITHDRAWALS)
        .summary("List ledger entries")
        .description(ABOUT)
        .answers::<Vec<LedgerEntry>>(200, "The entries.")
        .answers_text(200, "The lines of the entries.", CSV)
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadWithdrawals>,
    headers: HeaderMap,
    Parameters(fields, _): Parameters<ListLedger>,
) -> Result<Response, Refusal> {
    let is_entry = |business, id| app.store.is_entry_of(business, id);
    let filter =
        |fields: &mut Fields| LedgerFilter { payment: page::payment(fields), booked: page::created(fields) };
    let request = ListRequest::read(&app, caller, fields, filter, "an entry", is_entry).await?;
    let read = |app: Shared, business, filter, page| async move {
        let found = app.store.entries(business, &filter, &page).await?;
        Ok(found.iter().map(render::entry).collect())
    };
    request.answer(app, &headers, read).await
}

impl ListEntry for LedgerEntry {
    const COLUMNS: &'static [&'static str] = &[
        "entryId",
        "bookedAt",
        "event",
        "paymentId",
        "clientPaymentId",
        "depositId",
        "withdrawalId",
        "clientWithdrawalId",
        "account",
        "currency",
        "amount",
        "uniformRate",
        "uniformAmount",
    ];

    fn id(&self) -> &str {
        &self.entry_id
    }

    fn rows(&self) -> Vec<Value> {
        let fields = list::fields(self);
        let row = |line| {
            let mut row = fields.clone();
            row.extend(list::fields(line));
            row.into()
        };
        self.lines.iter().map(row).collect()
    }
}
