//! `GET` and `POST /checkout/{paymentId}/receipt`: the form with which a payer asks for the receipt by e-mail.

use aide::transform::TransformOperation;
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Response, Uri};
use checkout_domain::ports::Stored;
use checkout_domain::ports::page::{PageForm, ReceiptAnswer, TypedReceipt};

use super::checkout_page::{PageId, Visit, parameter};
use super::form_page::{self, Asked, FormRequest, typed};
use crate::http::Shared;
use crate::http::auth::Verified;
use crate::http::middleware::limit::Lookups;
use crate::service::App;
use crate::service::mail::request_receipt;

/// Of a language, in bytes.
const LONGEST_LOCALE: usize = 35;

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    form_page::answers(operation, "To the page, if it has no receipt or the gateway sends no mail.")
        .id("requestReceiptOnCheckoutPage")
        .summary("Ask for a receipt by e-mail")
        .description(
            "The form of the page sends this: `email` is the address. A payment that is paid has one mail for each of at most three addresses, in the language of the page. An address is erased when its mail is delivered or given up.",
        )
}

pub(in crate::http) fn reopen_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    form_page::reopen_operation(operation)
        .id("reopenReceiptOnCheckoutPage")
        .summary("Open the address of a sent request for a receipt")
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
    let address = parameter(&body, "email").unwrap_or_default().trim().to_owned();
    let answer = ask(&app, &visit, &address, lookups.as_deref()).await.unwrap_or_else(|error| {
        tracing::error!(%error, "a receipt was not stored");
        Some(ReceiptAnswer::NotNow)
    });
    request.draw(&app, &visit, PageForm::Receipt(TypedReceipt { address, answer })).await
}

/// `None` without the right token, or of a payment without a receipt.
async fn ask(
    app: &App,
    visit: &Visit<'_>,
    address: &str,
    lookups: Option<&Lookups>,
) -> Stored<Option<ReceiptAnswer>> {
    let record = match visit.asked(app, lookups).await? {
        Asked::Payment(record) => record,
        Asked::TooOften => return Ok(Some(ReceiptAnswer::NotNow)),
        Asked::Nothing => return Ok(None),
    };
    let is_tag = |text: &String| {
        text.len() <= LONGEST_LOCALE && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let of_page = parameter(visit.query, "locale").filter(is_tag);
    request_receipt::request(app, record.payment.id, address, of_page.unwrap_or(record.payment.locale)).await
}
