//! `POST` and `GET /api/v1/counters`, `POST /api/v1/counters/{counterId}/withdraw`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use checkout_domain::rates::fiat::Fiat;
use checkout_wire::counters::{Counter, CreateCounter, CreatedCounter, ListCounters};
use checkout_wire::texts::CounterId;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::http::Shared;
use crate::http::auth::{Bearer, ChangePayments, ReadPayments};
use crate::http::body::Body;
use crate::http::list::ListRequest;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::parameters::Parameters;
use crate::http::payments::create_payment::fiat_amount;
use crate::http::problem::Refusal;
use crate::http::requests::fields::Fields;
use crate::http::requests::id;
use crate::http::resolve_business;
use crate::http::sales::create_sale_link::title;
use crate::render::counter::{counter, counter_url};
use crate::service::sales::counters::{self, NewCounter};

pub(in crate::http) fn create_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("createCounter")
        .tag(tag::COUNTERS)
        .summary("Create a counter")
        .description(
            "Creates a page for a shop's counter: somebody types an amount, the buyer scans the code and pays. Its link works without an \
             account, makes and reads sales of this counter alone, up to `maxAmount` each, and is shown once. The request is not idempotent: \
             after an answer that was lost, withdraw what the list has and create another.",
        )
        .answers::<CreatedCounter>(201, "The counter with its link.")
        .refuses(403, &["business_disabled"])
        .refuses(503, &["outcome_unknown"])
        .leads_to("withdrawCounter", "counterId", "/counterId")
}

pub(in crate::http) async fn create(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ChangePayments>,
    Body(fields, _): Body<CreateCounter>,
) -> Result<Response, Refusal> {
    let (business, new) = resolve_business::enabled(&app, caller, fields, read).await?;
    let (id, now) = (app.new_id(), app.clock.now());
    let made = counters::create(app.store.as_ref(), &business, new, id, now, app.random.as_ref()).await?;
    let (made, secret) = made;
    let url = counter_url(&app.public_url, &secret).into();
    Ok((StatusCode::CREATED, Json(CreatedCounter { counter: counter(&made), url })).into_response())
}

/// Reads the body by the rules common to all businesses.
pub fn read(fields: &mut Fields) -> Option<NewCounter> {
    let title = title(fields);
    fields.require("displayCurrency");
    let fiat: Option<Fiat> =
        fields.parsed("displayCurrency", "unknown_currency", "is not a known fiat currency");
    fields.require("maxAmount");
    let max = fiat_amount(fields, "maxAmount", fiat);
    Some(NewCounter { title: title?, fiat: fiat?, max: max? })
}

pub(in crate::http) fn list_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "A page of the counters of a business, newest first unless `descending` is false. The cursors `after` and `before` are ids \
                 of counters, exclusive, and stay valid while counters are added. Their links are not shown again.";
    operation
        .id("listCounters")
        .tag(tag::COUNTERS)
        .summary("List counters")
        .description(about)
        .answers::<Vec<Counter>>(200, "The counters.")
}

pub(in crate::http) async fn list(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadPayments>,
    Parameters(fields, _): Parameters<ListCounters>,
) -> Result<Json<Vec<Counter>>, Refusal> {
    let is_entry = async |business, id| {
        Ok(app.store.counter(id).await?.is_some_and(|counter| counter.business == business))
    };
    let no_filter = |_: &mut Fields| ();
    let request = ListRequest::read(&app, caller, fields, no_filter, "a counter", is_entry).await?;
    let found = app.store.counters(request.business, &request.page).await?;
    Ok(Json(found.iter().map(counter).collect()))
}

pub(in crate::http) fn withdraw_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("withdrawCounter")
        .tag(tag::COUNTERS)
        .summary("Withdraw a counter")
        .description(
            "Its link is worth nothing any more, at once and for good, and its page says so. Sales that were begun can still be paid. A \
             counter that is withdrawn already stays as it is.",
        )
        .answers::<Counter>(200, "The counter.")
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct CounterPath {
    /// Identifier of the counter.
    #[schemars(with = "CounterId")]
    counter_id: String,
}

pub(in crate::http) async fn withdraw(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ChangePayments>,
    path: Result<Path<CounterPath>, PathRejection>,
) -> Result<Json<Counter>, Refusal> {
    let id: Option<Uuid> = path.ok().and_then(|Path(path)| id::parse(&path.counter_id));
    let id = id.ok_or_else(Refusal::no_counter)?;
    let is_own = |business| caller.acts_for(business);
    let found = counters::withdraw(app.store.as_ref(), id, is_own, app.clock.now()).await?;
    Ok(Json(counter(&found.ok_or_else(Refusal::no_counter)?)))
}
