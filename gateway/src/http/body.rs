//! The body of a request as fields, or the right refusal.

use aide::OperationInput;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use checkout_core::wire::FieldError;

use super::problem::Refusal;
use crate::domain::input::fields::{Fields, Unreadable};

/// No request of this API is longer.
pub const LIMIT: usize = 64 * 1024;

/// A JSON object.
pub struct Body(pub Fields);

/// A route names the type of its body in its description.
impl OperationInput for Body {}

impl<S: Send + Sync> FromRequest<S> for Body {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        if !is_json(request.headers()) {
            return Err(Refusal::wrong_media_type());
        }
        if announced_length(request.headers()).is_some_and(|length| length > LIMIT) {
            return Err(Refusal::too_large(LIMIT));
        }
        let bytes = axum::body::to_bytes(request.into_body(), LIMIT).await.map_err(|error| {
            let mut cause: Option<&dyn std::error::Error> = Some(&error);
            while let Some(error) = cause {
                if error.to_string().contains("length limit exceeded") {
                    return Refusal::too_large(LIMIT);
                }
                cause = error.source();
            }
            Refusal::unreadable("The body ended before its end.")
        })?;
        match Fields::parse(&bytes) {
            Ok(fields) => Ok(Self(fields)),
            Err(Unreadable::Syntax(place)) => Err(Refusal::unreadable(format!("This is not JSON: {place}."))),
            Err(Unreadable::NotAnObject) => Err(Refusal::invalid(vec![FieldError {
                pointer: String::new(),
                code: "wrong_type".to_owned(),
                detail: "the body must be a JSON object".to_owned(),
            }])),
        }
    }
}

/// `application/json`, with whatever parameters, or another type of JSON syntax.
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
