//! `GET /api/v1/server/info` and `GET /api/v1/api-keys/current`

use axum::Json;
use axum::extract::State;
use checkout_domain::access::scope::Scope;
use serde_json::{Value, json};

use super::shop::Shop;
use super::stores::offered;
use crate::greenfield::methods;
use crate::http::Shared;
use crate::http::auth::ReadBusiness;

/// The version of BTCPay Server whose document this follows: plugins ask whether it has what they use.
const VERSION: &str = "2.0.0";

pub(super) async fn info(State(app): State<Shared>, shop: Shop<ReadBusiness>) -> Json<Value> {
    let methods: Vec<String> = offered(&app, &shop.business).into_iter().map(methods::id).collect();
    Json(json!({
        "version": VERSION,
        "onion": null,
        "supportedPaymentMethods": methods,
        "fullySynched": true,
        "syncStatus": [],
    }))
}

/// What a scope allows, by the names of the Greenfield API.
const PERMISSIONS: [(&str, &[Scope]); 6] = [
    ("btcpay.store.canviewinvoices", &[Scope::Payments, Scope::Read]),
    ("btcpay.store.cancreateinvoice", &[Scope::Payments]),
    ("btcpay.store.canviewstoresettings", &[Scope::Payments, Scope::Withdrawals, Scope::Read]),
    ("btcpay.store.canmodifyinvoices", &[Scope::Payments]),
    ("btcpay.store.webhooks.canmodifywebhooks", &[Scope::Payments]),
    ("btcpay.store.cancreatenonapprovedpullpayments", &[Scope::Withdrawals]),
];

pub(super) async fn current_key(shop: Shop<ReadBusiness>) -> Json<Value> {
    let store = shop.business.id;
    let held = PERMISSIONS.iter().filter(|(_, scopes)| shop.known.scopes.allow(scopes));
    let permissions: Vec<String> = held.map(|(name, _)| format!("{name}:{store}")).collect();
    Json(json!({
        "apiKey": shop.token,
        "label": shop.business.name,
        "userId": null,
        "permissions": permissions,
    }))
}
