//! `GET` and `POST /checkout/{paymentId}/lookup`: the form with which a payer looks for a transfer, answered by the gateway.

use aide::transform::TransformOperation;
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Response, Uri};
use checkout_domain::ports::Stored;
use checkout_domain::ports::page::{PageForm, TypedLookup};
use checkout_wire::rules::Finding;

use super::checkout_page::{PageId, Visit, parameter};
use super::form_page::{self, Asked, FormRequest, typed};
use crate::http::Shared;
use crate::http::auth::Verified;
use crate::http::middleware::limit::Lookups;
use crate::service::App;
use crate::service::transfers::look_up_transaction;

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    form_page::answers(operation, "To the page, if there is nothing to look for.")
        .id("lookUpOnCheckoutPage")
        .summary("Look for a transfer on the page")
        .description(
            "The form of the page sends this: `transaction` is the id of the transfer that the payer misses, or the page of a block explorer. The answer is the form, with what the network says of the transaction.",
        )
}

pub(in crate::http) fn reopen_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    form_page::reopen_operation(operation)
        .id("reopenLookupOnCheckoutPage")
        .summary("Open the address of a sent look-up")
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    path: PageId,
    uri: Uri,
    headers: HeaderMap,
    verified: Option<Extension<Verified>>,
    lookups: Option<Extension<Lookups>>,
    body: Body,
) -> Response<Body> {
    let request = FormRequest::of(&uri);
    let visit = request.visit(path, &headers, verified.as_deref());
    let body = typed(body).await;
    let text = parameter(&body, "transaction").unwrap_or_default().trim().to_owned();
    let finding = find(&app, &visit, &text, lookups.as_deref()).await.unwrap_or_else(|error| {
        tracing::error!(%error, "the payment of a look-up was not read");
        Some(Finding::NotAsked)
    });
    let form = PageForm::Lookup(TypedLookup { text, finding });
    // There is no form to show if the link is wrong or nothing was chosen yet: the page says so.
    request.draw(&app, &visit, form).await
}

/// `None` without the right token.
async fn find(
    app: &App,
    visit: &Visit<'_>,
    text: &str,
    lookups: Option<&Lookups>,
) -> Stored<Option<Finding>> {
    Ok(match visit.asked(app, lookups).await? {
        Asked::Payment(record) => Some(look_up_transaction::look_up(app, &record, text).await),
        Asked::TooOften => Some(Finding::NotAsked),
        Asked::Nothing => None,
    })
}
