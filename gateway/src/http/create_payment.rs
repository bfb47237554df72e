//! `POST /api/v1/payments`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::Shared;
use super::auth::Bearer;
use super::body::Body;
use super::problem::Refusal;
use crate::service::create_payment::{self, Refused};

pub(super) async fn handle(
    State(app): State<Shared>,
    Bearer(caller): Bearer,
    Body(fields): Body,
) -> Result<Response, Refusal> {
    let created = create_payment::create(&app, caller, fields).await?;
    let status = if created.replayed { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, Json(created.answer)).into_response())
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::NotAllowed => Self::no_route(),
            Refused::Invalid(errors) => Self::invalid(errors),
            Refused::Conflict => Self::conflict(
                "client_payment_id_taken",
                "The clientPaymentId is taken",
                "Another request was answered under this clientPaymentId. Nothing was changed.",
            ),
            Refused::Store(error) => error.into(),
        }
    }
}
