//! The body of a request as fields, or a refusal.

use std::marker::PhantomData;
use std::time::Duration;

use aide::OperationInput;
use aide::generate::GenContext;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use checkout_domain::chain::opt_ins::OptIns;
use checkout_wire::FieldError;
use schemars::JsonSchema;

use super::openapi::operation::takes_body;
use super::problem::Refusal;
use crate::http::requests::fields::{Fields, Unreadable};
use crate::http::requests::names::Names;

/// The maximum length of a body.
pub const LIMIT: usize = 64 * 1024;

/// Time limit for the whole body. Shorter than that of a request, so that the answer names the cause.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A JSON object with the fields that `T` describes.
pub struct Body<T>(pub Fields, pub PhantomData<T>);

/// A request without fields. As JSON, an HTML form of another site cannot send it.
#[derive(Debug, JsonSchema)]
#[schemars(inline)]
pub struct Nothing {}

impl<T> Body<T> {
    /// The result of `read`, unless there are errors.
    pub fn read<R>(self, read: impl FnOnce(&mut Fields) -> Option<R>) -> Result<R, Refusal> {
        self.0.read(read).map_err(Refusal::invalid)
    }
}

impl<T: JsonSchema> OperationInput for Body<T> {
    fn operation_input(context: &mut GenContext, operation: &mut aide::openapi::Operation) {
        takes_body::<T>(context, operation);
    }
}

impl<S: Send + Sync, T: JsonSchema + 'static> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        let opt_ins = request.extensions().get::<OptIns>().cloned().unwrap_or_default();
        let bytes = read_json(request).await?;
        match Fields::parse(&bytes, Names::of::<T>()) {
            Ok(fields) => Ok(Self(fields.knowing(opt_ins), PhantomData)),
            Err(Unreadable::Syntax(place)) => Err(Refusal::unreadable(format!("This is not JSON: {place}."))),
            Err(Unreadable::NotAnObject) => Err(Refusal::invalid(vec![FieldError {
                pointer: String::new(),
                code: "wrong_type".to_owned(),
                detail: "must be a JSON object".to_owned(),
            }])),
        }
    }
}

/// The bytes of a body that says it is JSON.
pub(super) async fn read_json(request: Request) -> Result<Bytes, Refusal> {
    if !is_json(request.headers()) {
        return Err(Refusal::wrong_media_type());
    }
    if announced_length(request.headers()).is_some_and(|length| length > LIMIT) {
        return Err(Refusal::too_large(LIMIT));
    }
    if is_encoded(request.headers()) {
        return Err(Refusal::encoded());
    }
    let bytes = read(request.into_body(), TIMEOUT).await?;
    match byte_order_mark(&bytes) {
        Some(mark) => Err(Refusal::unreadable(mark)),
        None => Ok(bytes),
    }
}

async fn read(body: axum::body::Body, limit: Duration) -> Result<Bytes, Refusal> {
    let whole = tokio::time::timeout(limit, axum::body::to_bytes(body, LIMIT)).await;
    whole.map_err(|_| Refusal::slow_body(limit))?.map_err(|error| {
        let mut cause: Option<&dyn std::error::Error> = Some(&error);
        while let Some(error) = cause {
            if error.to_string().contains("length limit exceeded") {
                return Refusal::too_large(LIMIT);
            }
            cause = error.source();
        }
        Refusal::unreadable("The body ended before its end.")
    })
}

/// What is wrong with a text that starts with a byte order mark (RFC 8259, section 8.1).
fn byte_order_mark(bytes: &[u8]) -> Option<&'static str> {
    const MARKS: [(&[u8], &str); 3] = [
        (&[0xef, 0xbb, 0xbf], "The body starts with a byte order mark. Send UTF-8 without it."),
        (&[0xff, 0xfe], "The body is UTF-16. Send UTF-8, without a byte order mark."),
        (&[0xfe, 0xff], "The body is UTF-16. Send UTF-8, without a byte order mark."),
    ];
    MARKS.iter().find(|(mark, _)| bytes.starts_with(mark)).map(|(_, detail)| *detail)
}

/// A body with a `Content-Encoding`.
fn is_encoded(headers: &HeaderMap) -> bool {
    let mut encodings = headers.get_all(header::CONTENT_ENCODING).iter();
    !encodings.all(|line| line.as_bytes().trim_ascii().eq_ignore_ascii_case(b"identity"))
}

/// `application/json` with any parameters, or another JSON media type.
fn is_json(headers: &HeaderMap) -> bool {
    let Some(line) = headers.get(header::CONTENT_TYPE).and_then(|line| line.to_str().ok()) else {
        return false;
    };
    let essence = line.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

fn announced_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::StatusCode;
    use axum::response::IntoResponse as _;

    use super::*;

    #[tokio::test]
    async fn a_body_that_never_ends_is_408() {
        let body = Body::from_stream(futures::stream::pending::<Result<Bytes, std::io::Error>>());
        let refusal = read(body, Duration::from_millis(20)).await.unwrap_err();
        assert_eq!(refusal.into_response().status(), StatusCode::REQUEST_TIMEOUT);
        assert_eq!(read(Body::from("{}"), Duration::from_secs(20)).await.unwrap(), "{}");
    }
}
