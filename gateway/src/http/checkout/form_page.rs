//! A form below the page of a payment, checked and drawn by the gateway.

use aide::transform::TransformOperation;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Query;
use axum::http::{HeaderMap, Response, Uri};
use checkout_domain::ports::page::PageForm;

use super::checkout_page::{PageId, PageQuery, Visit, back_to_the_page, id_of, payer, session_token};
use crate::http::auth::Verified;
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

/// A request for a form. `name` is the last part of its path, and the parameter with which the page opens it.
#[derive(Clone, Copy)]
pub(in crate::http) struct FormRequest<'a> {
    pub(in crate::http) uri: &'a Uri,
    pub(in crate::http) name: &'static str,
}

impl<'a> FormRequest<'a> {
    pub(in crate::http) fn query(self) -> &'a str {
        self.uri.query().unwrap_or_default()
    }

    /// The path of the payment's page.
    pub(in crate::http) fn page(self) -> &'a str {
        let path = self.uri.path();
        path.strip_suffix(self.name).and_then(|path| path.strip_suffix('/')).unwrap_or(path)
    }

    pub(in crate::http) fn visit(
        self,
        path: PageId,
        headers: &'a HeaderMap,
        verified: Option<&'a Verified>,
    ) -> Visit<'a> {
        Visit { id: id_of(path), path: self.page(), query: self.query(), headers, verified }
    }

    /// Opens the form anew: what was typed is gone. The token is read for the rate limit alone.
    pub(in crate::http) async fn reopen(
        self,
        app: &App,
        path: PageId,
        verified: Option<&Verified>,
    ) -> Response<Body> {
        if let Some((id, token)) = id_of(path).zip(session_token(self.query())) {
            let _ = payer(app, &token, id, verified).await;
        }
        back_to_the_page(self.page(), self.query(), None)
    }

    /// To the page, without the form.
    pub(in crate::http) fn close(self) -> Response<Body> {
        let of_form = |pair: &&str| pair.strip_prefix(self.name).is_some_and(|rest| rest.starts_with('='));
        let kept = self.query().split('&').filter(|pair| !of_form(pair));
        back_to_the_page(self.page(), &kept.collect::<Vec<_>>().join("&"), None)
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
