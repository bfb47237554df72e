//! A form below the page of a payment, checked and drawn by the gateway.

use aide::transform::TransformOperation;
use axum::Extension;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, Response, Uri};
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::ports::Stored;
use checkout_domain::ports::page::PageForm;

use super::checkout_page::{PageId, PageQuery, Visit, back_to_the_page, id_of, payer, session_token};
use crate::http::Shared;
use crate::http::auth::Verified;
use crate::http::middleware::limit::Lookups;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::service::App;

/// In bytes, escaped; an address has at most 200.
const LONGEST_FORM: usize = 1024;

/// What the payer typed; nothing if it is too long.
pub(in crate::http) async fn typed(body: Body) -> Bytes {
    to_bytes(body, LONGEST_FORM).await.unwrap_or_default()
}

/// `page`: when the page is the answer.
pub(in crate::http) fn answers<'a>(operation: TransformOperation<'a>, page: &str) -> TransformOperation<'a> {
    operation
        .tag(tag::CHECKOUT)
        .input::<Query<PageQuery>>()
        .answers_text(200, "The form.", "text/html; charset=utf-8")
        .answers_nothing(303, page)
        .answers_header(303, "Location", "The page.")
        .refuses(503, &["site_not_built"])
}

pub(in crate::http) fn reopen_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .tag(tag::CHECKOUT)
        .description("Somebody reloads the answer to the form by its address: what was typed is gone.")
        .input::<Query<PageQuery>>()
        .answers_nothing(303, "To the page.")
        .answers_header(303, "Location", "The page.")
}

/// A request for a form.
#[derive(Clone, Copy)]
pub(in crate::http) struct FormRequest<'a> {
    /// The path of the payment's page.
    page: &'a str,
    /// The rest of the form's path, and the parameter with which the page opens it.
    name: &'a str,
    query: &'a str,
}

impl<'a> FormRequest<'a> {
    pub(in crate::http) fn of(uri: &'a Uri) -> Self {
        let (page, name) = uri.path().rsplit_once('/').unwrap_or((uri.path(), ""));
        Self { page, name, query: uri.query().unwrap_or_default() }
    }

    pub(in crate::http) fn visit(
        self,
        path: PageId,
        headers: &'a HeaderMap,
        verified: Option<&'a Verified>,
    ) -> Visit<'a> {
        Visit { id: id_of(path), path: self.page, query: self.query, headers, verified }
    }

    /// To the page, without the form.
    pub(in crate::http) fn close(self) -> Response<Body> {
        let of_form = |pair: &&str| pair.strip_prefix(self.name).is_some_and(|rest| rest.starts_with('='));
        let kept = self.query.split('&').filter(|pair| !of_form(pair));
        back_to_the_page(self.page, &kept.collect::<Vec<_>>().join("&"), None)
    }

    /// The form, or the page if it has no such form to show.
    pub(in crate::http) async fn draw(self, app: &App, visit: &Visit<'_>, form: PageForm) -> Response<Body> {
        match visit.draw(app, false, Some(form)).await {
            Ok(drawn) if drawn.drawing.data.is_some() => self.close(),
            Ok(drawn) => drawn.answer(visit.headers),
            Err(refused) => refused,
        }
    }
}

/// Opens a form anew: what was typed is gone. The token is read for the rate limit alone.
pub(in crate::http) async fn reopen(
    State(app): State<Shared>,
    path: PageId,
    uri: Uri,
    verified: Option<Extension<Verified>>,
) -> Response<Body> {
    let FormRequest { page, query, .. } = FormRequest::of(&uri);
    if let Some((id, token)) = id_of(path).zip(session_token(query)) {
        let _ = payer(&app, &token, id, verified.as_deref()).await;
    }
    back_to_the_page(page, query, None)
}

/// What a form asks about.
pub(in crate::http) enum Asked {
    Payment(Box<PaymentWithDeposits>),
    /// The payers of its business ask too often.
    TooOften,
    /// The token is not that of the payment.
    Nothing,
}

impl Visit<'_> {
    /// The payment of a form that costs more than the page, within the limit of its business.
    pub(in crate::http) async fn asked(&self, app: &App, lookups: Option<&Lookups>) -> Stored<Asked> {
        let Some((id, token)) = self.id.zip(session_token(self.query)) else { return Ok(Asked::Nothing) };
        if payer(app, &token, id, self.verified).await?.is_none() {
            return Ok(Asked::Nothing);
        }
        let Some(record) = app.store.payment(id).await? else { return Ok(Asked::Nothing) };
        let is_too_often = lookups.is_some_and(|lookups| !lookups.take(record.payment.business));
        Ok(if is_too_often { Asked::TooOften } else { Asked::Payment(Box::new(record)) })
    }
}
