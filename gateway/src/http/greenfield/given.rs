//! The JSON of a request. Fields that are not known are left alone: a shop may be newer than this.

use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;

use crate::http::body;
use crate::http::problem::Refusal;

pub(super) struct Given<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Given<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        let bytes = body::read_json(request).await?;
        serde_json::from_slice(&bytes).map(Self).map_err(|error| Refusal::unreadable(format!("{error}.")))
    }
}
