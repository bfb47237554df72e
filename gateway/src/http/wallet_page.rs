//! `GET /checkout/{paymentId}/wallet`: what the page asks a wallet in the payer's browser.

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::{Query, State};
use axum::http::{Uri, header};
use axum::response::{IntoResponse as _, Response};
use checkout_core::wire::wallet_page::WalletPage;
use checkout_domain::ports::page::WalletRequest;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Shared;
use super::checkout_page::{PageId, id_of, parameter, payer, session_token, view};
use super::openapi::operation::Describe as _;
use super::openapi::tag;
use super::problem::Refusal;

pub(super) const ROUTE: &str = "/checkout/{paymentId}/wallet";

pub(super) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("getWalletPage")
        .tag(tag::CHECKOUT)
        .summary("Get what a wallet in the browser is asked")
        .description(
            "The page asks for it when a wallet announces itself (EIP-6963), and again just before the wallet is to send: the transaction, the chain and the texts of the page. Nothing that a wallet answers comes back to the gateway, which follows the chain alone.",
        )
        .input::<Query<WalletQuery>>()
        .answers::<WalletPage>(200, "What the wallet is asked.")
        .refuses(404, &["not_found"])
        .refuses(503, &["store_unavailable"])
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "for the document; the page's address is read as it is")]
pub(super) struct WalletQuery {
    /// Token of the payment.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    session_token: Option<String>,
    /// Language of the page.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none", example = &"en-US")]
    locale: Option<String>,
    /// Account in the wallet, whose balance is to be read.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    account: Option<String>,
}

pub(super) async fn handle(State(app): State<Shared>, path: PageId, uri: Uri) -> Result<Response, Refusal> {
    let query = uri.query().unwrap_or_default();
    let (id, token) = id_of(path).zip(session_token(query)).ok_or_else(Refusal::no_payment)?;
    payer(&app, &token, id).await?.ok_or_else(Refusal::no_payment)?;
    let view = view(&app, id).await?.ok_or_else(Refusal::no_payment)?;
    let page = app.page.wallet(WalletRequest {
        path: uri.path().strip_suffix("/wallet").unwrap_or(uri.path()).to_owned(),
        query: format!("?{query}"),
        account: parameter(query, "account"),
        view,
        now: app.clock.now_millis(),
    });
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(page)).into_response())
}
