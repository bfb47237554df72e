//! `GET` and `POST /checkout/{paymentId}/claim`: the form with which a payer asks for money back, checked and drawn by the gateway.
//!
//! What the payer types is never part of a URL, so that a private key typed by mistake is in no log.

use aide::transform::TransformOperation;
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Response, Uri};
use checkout_domain::ports::page::{ClaimRefusal, PageForm, TypedClaim};
use checkout_wire::claim_refund::ClaimRefund;
use url::form_urlencoded;

use super::checkout_page::{PageId, Visit, payer, session_token};
use super::form_page::{self, FormRequest, typed};
use crate::http::Shared;
use crate::http::auth::Verified;
use crate::http::refunds::claim_refund::read;
use crate::http::requests::fields::Fields;
use crate::http::requests::names::Names;
use crate::service::App;
use crate::service::refunds::claim_refund::claim;
use crate::service::refused::Refused;

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    form_page::answers(operation, "To the page, which shows the claim.")
        .id("claimOnCheckoutPage")
        .summary("Ask for a refund on the page")
        .description(
            "The form of the page sends this: `claim` is the `claimId`, `to` the address and `tag` its tag. The answer is the form, with what is wrong with the address; with `review` the address once more, if it is right. With `ask` the claim is stored.",
        )
}

pub(in crate::http) fn reopen_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    form_page::reopen_operation(operation)
        .id("reopenClaimOnCheckoutPage")
        .summary("Open the address of a sent form")
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    path: PageId,
    uri: Uri,
    headers: HeaderMap,
    verified: Option<Extension<Verified>>,
    body: Body,
) -> Response<Body> {
    let request = FormRequest::of(&uri);
    let visit = request.visit(path, &headers, verified.as_deref());
    let form = Form::read(&typed(body).await);
    let mut typed = form.typed;
    if form.asks {
        match ask(&app, &visit, &typed).await {
            Ok(()) => return request.close(),
            Err(refused) => {
                typed.refusal = Some(match refused {
                    Refused::Store(_) => ClaimRefusal::NotReached,
                    _ => ClaimRefusal::NotNow,
                });
            }
        }
    }
    // There is no form to show if another claim came first or the link is wrong: the page says so.
    request.draw(&app, &visit, PageForm::Claim(typed)).await
}

struct Form {
    typed: TypedClaim,
    /// The payer looked at the address once more.
    asks: bool,
}

impl Form {
    fn read(body: &[u8]) -> Self {
        let fields: Vec<_> = form_urlencoded::parse(body).collect();
        let find = |name| fields.iter().find(|(known, _)| known == name).map(|(_, text)| text.trim());
        let text = |name| find(name).unwrap_or_default().to_owned();
        let asks = find("ask").is_some();
        let review = asks || find("review").is_some();
        let typed =
            TypedClaim { id: text("claim"), address: text("to"), tag: text("tag"), review, refusal: None };
        Self { typed, asks }
    }
}

async fn ask(app: &App, visit: &Visit<'_>, typed: &TypedClaim) -> Result<(), Refused> {
    let (id, token) = visit.id.zip(session_token(visit.query)).ok_or(Refused::NoPayment)?;
    payer(app, &token, id, visit.verified).await?.ok_or(Refused::NoPayment)?;
    let tag = Some(typed.tag.clone()).filter(|tag| !tag.is_empty());
    let texts = [
        ("claimId", Some(typed.id.clone())),
        ("address", Some(typed.address.clone())),
        ("destinationTag", tag),
    ];
    let texts = texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?)));
    let (asked, to) = read(Fields::of_texts(texts.collect(), Names::of::<ClaimRefund>()))?;
    claim(app, id, asked, &to).await.map(|_| ())
}
