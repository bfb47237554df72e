//! `POST /api/v1/counter/sales`, `GET /api/v1/counter/sales/{paymentId}` and `POST …/cancel`, with the secret of a counter

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::{PaymentWithDeposits, status};
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::sale::counter::Counter;
use checkout_wire::PaymentStatus;
use checkout_wire::counters::{CounterSale, CreateCounterSale};

use super::own_counter::AtCounter;
use crate::http::Shared;
use crate::http::body::Body;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::payments::cancel_payment::outcome;
use crate::http::payments::create_payment::{fiat_amount, locale};
use crate::http::payments::get_payment::PaymentPath;
use crate::http::problem::Refusal;
use crate::http::refused::created;
use crate::http::requests::fields::Fields;
use crate::http::requests::{id, notes, page};
use crate::render::counter::counter_sale;
use crate::service::App;
use crate::service::payments::create_payment::payment_url;
use crate::service::refused::Created;
use crate::service::sales::sell_at_counter::{self, NewSale};

pub(in crate::http) fn create_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("createCounterSale")
        .tag(tag::COUNTERS)
        .summary("Sell at a counter")
        .description(
            "Makes a `ONE_TIME` payment of 30 minutes for an amount that somebody typed. `saleNumber` makes the request idempotent: the same \
             request returns the sale as it is then with status 200; a different request with the same number returns 409.",
        )
        .answers::<CounterSale>(201, "The sale.")
        .answers::<CounterSale>(200, "The sale of an earlier, identical request, as it is then.")
        .refuses(403, &["business_disabled"])
        .refuses(409, &["sale_number_taken"])
        .refuses(503, &["outcome_unknown"])
        .leads_to("getCounterSale", "paymentId", "/paymentId")
        .leads_to("cancelCounterSale", "paymentId", "/paymentId")
}

pub(in crate::http) async fn create(
    State(app): State<Shared>,
    AtCounter(counter): AtCounter,
    body: Body<CreateCounterSale>,
) -> Result<Response, Refusal> {
    let sale = body.read(|fields| read(fields, counter.fiat))?;
    let Created { body, replayed } = sell_at_counter::sell(&app, &counter, sale).await?;
    Ok(created(Created { body: view(&app, &counter, &body).await?, replayed }))
}

fn read(fields: &mut Fields, fiat: Fiat) -> Option<NewSale> {
    fields.require("saleNumber");
    let number = page::uuid(fields, "saleNumber");
    fields.require("displayAmount");
    let amount = fiat_amount(fields, "displayAmount", Some(fiat));
    let note = notes::description(fields);
    let locale = locale(fields);
    Some(NewSale { number: number?, amount: amount?, note, locale: locale? })
}

pub(in crate::http) fn get_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("getCounterSale")
        .tag(tag::COUNTERS)
        .summary("Get a sale at a counter")
        .description("The sale as it is now: `DEPOSITED` and `OVERPAID` are paid.")
        .answers::<CounterSale>(200, "The sale.")
}

pub(in crate::http) async fn get(
    State(app): State<Shared>,
    AtCounter(counter): AtCounter,
    path: Result<Path<PaymentPath>, PathRejection>,
) -> Result<Json<CounterSale>, Refusal> {
    let found = sell_at_counter::read(&app, &counter, sale_in(path)?).await?;
    Ok(Json(view(&app, &counter, &found.ok_or_else(Refusal::no_payment)?).await?))
}

pub(in crate::http) fn cancel_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("cancelCounterSale")
        .tag(tag::COUNTERS)
        .summary("Cancel a sale at a counter")
        .description("Ends a sale to which no deposit was seen. One that is over already stays as it is.")
        .answers::<CounterSale>(200, "The sale.")
        .refuses(409, &["deposit_seen"])
}

pub(in crate::http) async fn cancel(
    State(app): State<Shared>,
    AtCounter(counter): AtCounter,
    path: Result<Path<PaymentPath>, PathRejection>,
) -> Result<Json<CounterSale>, Refusal> {
    let over = outcome(sell_at_counter::cancel(&app, &counter, sale_in(path)?).await?)?;
    Ok(Json(view(&app, &counter, &over).await?))
}

fn sale_in(path: Result<Path<PaymentPath>, PathRejection>) -> Result<PaymentId, Refusal> {
    path.ok().and_then(|Path(path)| id::payment(&path.payment_id)).ok_or_else(Refusal::no_payment)
}

async fn view(app: &App, counter: &Counter, record: &PaymentWithDeposits) -> Result<CounterSale, Refusal> {
    let business = app.store.business(counter.business).await?.ok_or_else(Refusal::no_payment)?;
    let now = app.clock.now();
    // The page is worth money to whoever claims on it: nobody gets its link who needs none.
    let page = is_payable(record, now).then(|| {
        let url = payment_url(app, &business, &record.payment);
        let code = app.page.qr_code(&url);
        (url, code)
    });
    Ok(counter_sale(record, page, now))
}

fn is_payable(record: &PaymentWithDeposits, now: u64) -> bool {
    match status::status_at(record, now) {
        PaymentStatus::New | PaymentStatus::Pending | PaymentStatus::Awaiting => !status::is_covered(record),
        PaymentStatus::Deposited | PaymentStatus::Overpaid | PaymentStatus::Expired => false,
    }
}
