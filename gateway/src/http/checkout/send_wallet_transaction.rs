//! `POST /checkout/{paymentId}/wallet`: sends what a wallet in the payer's browser has signed.

use aide::transform::TransformOperation;
use axum::Extension;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::Uri;
use axum::response::Response;
use checkout_wire::send_wallet_transaction::{WalletSendState, WalletSent};

use super::checkout_page::{PageId, PageQuery, parameter};
use super::form_page::typed;
use super::wallet_page::{asked, fresh};
use crate::http::Shared;
use crate::http::auth::Verified;
use crate::http::middleware::limit::Lookups;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::service::payments::wallet_signing::Signing;

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("sendWalletTransaction")
        .tag(tag::CHECKOUT)
        .summary("Send what a wallet in the browser has signed")
        .description(
            "The page sends it as a form: `unsigned` is that of `getWalletPage`, `signature` is what the wallet answered, in hexadecimal digits. On TRON only, where wallets sign and do not send. The gateway sends nothing but the transfer that the payment asks for, signed by the account that pays. The same transaction may be sent again; the network takes it once.",
        )
        .input::<Query<PageQuery>>()
        .answers::<WalletSent>(200, "What became of it.")
        .refuses(404, &["not_found"])
        .refuses(503, &["store_unavailable"])
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    path: PageId,
    uri: Uri,
    verified: Option<Extension<Verified>>,
    lookups: Option<Extension<Lookups>>,
    body: Body,
) -> Result<Response, Refusal> {
    let body = typed(body).await;
    let asked = asked(&app, path, &uri, verified.as_deref()).await?;
    let field = |name| parameter(&body, name).unwrap_or_default();
    let payment = asked.page.payment.as_ref();
    let state = match payment.and_then(|payment| Signing::of(&app, payment, asked.deposits)) {
        None => WalletSendState::NotSent,
        Some(_) if lookups.is_some_and(|lookups| !lookups.take(asked.business)) => WalletSendState::Unknown,
        Some(signing) => signing.send(&field("unsigned"), &field("signature")).await,
    };
    Ok(fresh(&WalletSent { state: state.into() }))
}
