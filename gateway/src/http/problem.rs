//! Every error of the API: RFC 9457 problem details.

use std::any::Any;
use std::time::Duration;

use aide::OperationOutput;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use checkout_domain::access::scope::Scope;
use checkout_domain::ports::{ChainError, StoreError};
use checkout_wire::{FieldError, Problem};

use crate::http::requests::fields::MAX_ERRORS;
use crate::service::transfers::record_transfers::RecordError;
use crate::site;
use crate::unwind::Panicked;

/// The media type of problem details.
pub const MEDIA_TYPE: HeaderValue = HeaderValue::from_static("application/problem+json");

/// An error answer. An outer layer adds the request id.
#[derive(Clone, Debug)]
pub struct Refusal {
    status: StatusCode,
    code: &'static str,
    title: &'static str,
    detail: String,
    errors: Vec<FieldError>,
    header: Option<(&'static str, Box<str>)>,
}

impl Refusal {
    pub fn new(
        status: StatusCode,
        code: &'static str,
        title: &'static str,
        detail: impl Into<String>,
    ) -> Self {
        Self { status, code, title, detail: detail.into(), errors: Vec::new(), header: None }
    }

    fn with_header(mut self, name: &'static str, value: &str) -> Self {
        self.header = Some((name, value.into()));
        self
    }

    /// 400: the body does not match its type.
    pub fn unreadable(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "unreadable_body", "The body cannot be read", detail)
    }

    /// 400: the recipient in this field is this gateway itself.
    pub fn own_address(field: &str) -> Self {
        let detail = "The address is an account of this gateway: one that pays, or one to which payers pay. What is sent there reaches nobody else. Money is not moved between two businesses of one gateway: withdraw it to an address outside, and pay from there. Nothing was changed.";
        let (pointer, code) = (format!("/{field}"), "own_address".to_owned());
        let error = FieldError { pointer, code, detail: "is an account of this gateway".to_owned() };
        let title = "The address is the gateway's own";
        Self { errors: vec![error], ..Self::new(StatusCode::BAD_REQUEST, "own_address", title, detail) }
    }

    /// 400: an approval that does not name what was seen; 422 if it names it wrongly.
    pub fn unseen(errors: Vec<FieldError>) -> Self {
        if errors.iter().any(|error| error.code != "required") {
            return Self::invalid(errors);
        }
        let detail = "Name the address, tag and amount that were seen. Nothing was changed.";
        let title = "An approval names what was seen";
        Self { errors, ..Self::new(StatusCode::BAD_REQUEST, "unseen", title, detail) }
    }

    /// 401: the token is missing.
    pub fn no_token() -> Self {
        let detail = "Send a token as `Authorization: Bearer …`.";
        Self::new(StatusCode::UNAUTHORIZED, "no_token", "A token is required", detail)
            .with_header("www-authenticate", "Bearer")
    }

    /// 401: a token that is unknown, revoked or expired.
    pub fn bad_token() -> Self {
        let detail = "The token is unknown, revoked or expired.";
        Self::new(StatusCode::UNAUTHORIZED, "bad_token", "The token is not accepted", detail)
            .with_header("www-authenticate", "Bearer error=\"invalid_token\"")
    }

    /// 401: a header that has no token.
    pub fn no_scheme() -> Self {
        let detail = "The `Authorization` header has to be the word `Bearer`, a space and the token.";
        Self { detail: detail.to_owned(), ..Self::bad_token() }
    }

    /// 403: none of the token's scopes allows the request (RFC 6750, section 3.1).
    pub fn scope(needed: &[Scope]) -> Self {
        let words: Vec<&str> = needed.iter().map(|scope| scope.as_str()).collect();
        let detail = match words.as_slice() {
            [] => "This needs a token without scopes.".to_owned(),
            words => format!("The token needs the scope `{}`.", words.join("` or `")),
        };
        let line = format!("Bearer error=\"insufficient_scope\", scope=\"{}\"", words.join(" "));
        Self::new(StatusCode::FORBIDDEN, "scope", "The token may not do this", detail)
            .with_header("www-authenticate", &line)
    }

    /// 404, also for resources that the caller cannot access.
    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "Not found", detail)
    }

    pub fn no_payment() -> Self {
        Self::not_found("The payment does not exist, or the token cannot access it.")
    }

    pub fn no_withdrawal() -> Self {
        Self::not_found("The withdrawal does not exist, or the token cannot access it.")
    }

    pub fn no_refund() -> Self {
        Self::not_found("The refund does not exist, or the token cannot access it.")
    }

    pub fn no_sale_link() -> Self {
        Self::not_found("The sale link does not exist, or the token cannot access it.")
    }

    pub fn no_counter() -> Self {
        Self::not_found("The counter does not exist, or the token cannot access it.")
    }

    pub fn no_route() -> Self {
        Self::not_found("This path does not exist.")
    }

    /// As [`no_route`](Self::no_route), with the mistake that the path shows.
    pub fn no_route_at(path: &str) -> Self {
        if path.contains("//") {
            let detail = "This path does not exist: it has two slashes in a row. Does the base address end with a slash?";
            return Self::not_found(detail);
        }
        match path.strip_suffix('/') {
            Some(path) => {
                Self::not_found(format!("This path does not exist: it ends with a slash. Ask for {path}."))
            }
            None => Self::no_route(),
        }
    }

    /// 405; the router adds `Allow`.
    pub fn wrong_method() -> Self {
        let detail = "The Allow header lists the methods of this path.";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "Method not allowed", detail)
    }

    /// 408; the connection is closed, because the rest of the body may still arrive.
    pub fn slow_body(limit: Duration) -> Self {
        let detail = format!("The limit for the whole body is {} seconds.", limit.as_secs());
        Self::new(StatusCode::REQUEST_TIMEOUT, "body_timeout", "The body did not come in time", detail)
            .with_header("connection", "close")
    }

    /// 409: a conflict with the current state.
    pub fn conflict(code: &'static str, title: &'static str, detail: &str) -> Self {
        Self::new(StatusCode::CONFLICT, code, title, detail)
    }

    /// 413
    pub fn too_large(limit: usize) -> Self {
        let detail = format!("The limit is {limit} bytes.");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", "The body is too large", detail)
    }

    /// 414
    pub fn address_too_long(limit: usize) -> Self {
        let detail = format!("The limit for path and query is {limit} bytes.");
        Self::new(StatusCode::URI_TOO_LONG, "address_too_long", "The address is too long", detail)
    }

    /// 415
    pub fn wrong_media_type() -> Self {
        let detail = "Send JSON with `Content-Type: application/json`.";
        let title = "The media type is not supported";
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "wrong_media_type", title, detail)
    }

    /// 415
    pub fn encoded() -> Self {
        let detail = "Send the body without `Content-Encoding`.";
        let title = "The content encoding is not supported";
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_encoding", title, detail)
            .with_header("accept-encoding", "identity")
    }

    /// 422: all errors of the request.
    pub fn invalid(errors: Vec<FieldError>) -> Self {
        let detail = match errors.as_slice() {
            [one] if one.pointer.is_empty() => format!("The body {}.", one.detail),
            [one] => format!("{} {}", one.pointer, one.detail),
            all if all.len() == MAX_ERRORS => {
                format!("The first {MAX_ERRORS} errors are listed in `errors`.")
            }
            all => format!("{} errors, listed in `errors`.", all.len()),
        };
        let title = "The request breaks a rule";
        let refusal = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed", title, detail);
        Self { errors, ..refusal }
    }

    /// 429: retry after `wait`.
    pub fn too_many(wait: Duration) -> Self {
        let seconds = whole_seconds(wait);
        let detail = format!("Retry after {seconds} s.");
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", "Too many requests", detail)
            .with_header("retry-after", &seconds.to_string())
    }

    /// 503: try again.
    pub fn unavailable(code: &'static str, title: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, title, detail).with_header("retry-after", "5")
    }

    fn internal() -> Self {
        let detail = "Include the request id in support requests.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "Internal error", detail)
    }

    /// Its code, its detail and the errors of fields, for an interface that has another form of errors.
    pub(super) fn told(&self) -> (&'static str, &str, &[FieldError]) {
        (self.code, &self.detail, &self.errors)
    }

    /// For a person, in the place of the body.
    pub fn into_page(self, request_id: &str) -> Response {
        let text = if self.status.is_server_error() {
            format!("{} Request id: {request_id}.", self.detail)
        } else {
            self.detail
        };
        site::notice(self.status, ["en-US", self.title, &text], None)
    }

    /// The body, once the request has its id.
    pub fn into_body(self, request_id: &str) -> Body {
        Body::from(self.into_bytes(request_id))
    }

    pub fn into_bytes(self, request_id: &str) -> Vec<u8> {
        let problem = Problem {
            kind: format!("urn:crypto-checkout:problem:{}", self.code),
            title: self.title.to_owned(),
            status: self.status.as_u16(),
            detail: self.detail,
            code: self.code.to_owned(),
            request_id: request_id.to_owned(),
            errors: self.errors,
        };
        serde_json::to_vec(&problem).expect("a problem of texts and a number is JSON")
    }
}

/// As `Retry-After` has it: rounded up.
pub fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

/// A route lists its problems in its description.
impl OperationOutput for Refusal {
    type Inner = ();
}

impl IntoResponse for Refusal {
    /// The outermost layer writes the body.
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.status;
        response.headers_mut().insert(header::CONTENT_TYPE, MEDIA_TYPE);
        if let Some((name, value)) = &self.header
            && let Ok(value) = HeaderValue::from_str(value)
        {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
        response.extensions_mut().insert(self);
        response
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "the store failed");
        if error.is_unknown() {
            return Self::unavailable(
                "outcome_unknown",
                "The outcome is not known",
                "The request was carried out or changed nothing. Send the same request again: it is safe under the same id.",
            );
        }
        Self::unavailable(
            "store_unavailable",
            "The store is not available",
            "Nothing was changed. Try again.",
        )
    }
}

impl From<ChainError> for Refusal {
    fn from(error: ChainError) -> Self {
        tracing::error!(%error, "the chain failed");
        Self::unavailable("chain_unavailable", "The chain is not available", "Try again.")
    }
}

impl From<RecordError> for Refusal {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Chain(error) => error.into(),
            RecordError::Store(error) => error.into(),
        }
    }
}

/// Adds the request id to a problem from another layer.
pub async fn with_request_id(response: Response, id: &str) -> Response {
    let (mut parts, body) = response.into_parts();
    let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
    let Ok(mut problem) = serde_json::from_slice::<Problem>(&bytes) else {
        return Response::from_parts(parts, Body::from(bytes));
    };
    id.clone_into(&mut problem.request_id);
    parts.headers.remove(header::CONTENT_LENGTH);
    let bytes = serde_json::to_vec(&problem).expect("a problem of texts and a number is JSON");
    Response::from_parts(parts, Body::from(bytes))
}

/// A panic fails its request, not the gateway.
#[expect(clippy::needless_pass_by_value, reason = "the signature is that of the layer")]
pub fn panicked(payload: Box<dyn Any + Send + 'static>) -> Response {
    let Panicked(panic) = Panicked::of(payload.as_ref());
    tracing::error!(panic, "a request panicked");
    Refusal::internal().into_response()
}
