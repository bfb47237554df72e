//! `POST /api/v1/callbacks/{callbackId}/resend`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_domain::ports::callbacks::Resent;
use checkout_wire::list_callbacks::Callback;
use checkout_wire::texts::CallbackId;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::events;
use crate::http::Shared;
use crate::http::auth::{Bearer, ResendCallbacks};
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::http::requests::id;
use crate::render::callback::callback;

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Sends a callback again now, with the same id and the same body, whatever became of it before. One that is `HELD` is \
                 refused: it is sent by itself when its deposit is on the chain again.";
    operation
        .id("resendCallback")
        .tag(tag::CALLBACKS)
        .summary("Send a callback again")
        .description(about)
        .answers::<Callback>(200, "The callback, which is due now.")
        .refuses(409, &["callback_held"])
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct CallbackPath {
    /// Identifier of the callback.
    #[schemars(with = "CallbackId")]
    callback_id: String,
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ResendCallbacks>,
    path: Result<Path<CallbackPath>, PathRejection>,
) -> Result<Json<Callback>, Refusal> {
    let missing = || Refusal::not_found("The callback does not exist, or the token cannot access it.");
    let id = path.ok().and_then(|Path(path)| id::parse(&path.callback_id)).ok_or_else(missing)?;
    let found = app.store.callback(id).await?;
    if found.is_none_or(|(found, _)| !caller.acts_for(found.business)) {
        return Err(missing());
    }
    let mut tx = app.store.begin().await?;
    match tx.resend_callback(id, app.clock.now()).await? {
        Resent::Due => tx.commit().await?,
        Resent::NoCallback => return Err(missing()),
        Resent::Held => {
            let detail = Resent::Held.refusal().unwrap_or_default();
            return Err(Refusal::conflict("callback_held", "The callback is held", detail));
        }
    }
    let (found, attempts) = app.store.callback(id).await?.ok_or_else(missing)?;
    Ok(Json(callback(&found, events::name(&found.kind), &attempts)))
}
