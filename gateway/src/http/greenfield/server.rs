//! `GET /api/v1/server/info` and `GET /api/v1/api-keys/current`

use axum::Json;
use axum::extract::State;
use checkout_domain::access::scope::{Scope, Scopes};
use checkout_domain::access::token::TokenHash;
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

/// The permission for the scope with which money goes out.
pub(super) const REFUND: &str = "btcpay.store.cancreatenonapprovedpullpayments";

/// What a scope allows, by the names of the Greenfield API.
const PERMISSIONS: [(&str, &[Scope]); 6] = [
    ("btcpay.store.canviewinvoices", &[Scope::Payments, Scope::Read]),
    ("btcpay.store.cancreateinvoice", &[Scope::Payments]),
    ("btcpay.store.canviewstoresettings", &[Scope::Payments, Scope::Withdrawals, Scope::Read]),
    ("btcpay.store.canmodifyinvoices", &[Scope::Payments]),
    ("btcpay.store.webhooks.canmodifywebhooks", &[Scope::Payments]),
    (REFUND, &[Scope::Withdrawals]),
];

/// A plugin asks for it, and changes webhooks only. A key shows it if it was asked for.
const SETTINGS: &str = "btcpay.store.canmodifystoresettings";

/// All that a plugin may ask for.
pub(super) const KNOWN_PERMISSIONS: [&str; 7] = {
    let mut names = [SETTINGS; 7];
    let mut place = 0;
    while place < PERMISSIONS.len() {
        names[place] = PERMISSIONS[place].0;
        place += 1;
    }
    names
};

/// What a token with these scopes may be asked for.
pub(super) fn granted(scopes: Scopes) -> impl Iterator<Item = &'static str> {
    let settings = scopes.allow(&[Scope::Payments]).then_some(SETTINGS);
    held(scopes).chain(settings)
}

fn held(scopes: Scopes) -> impl Iterator<Item = &'static str> {
    PERMISSIONS.into_iter().filter(move |(_, needed)| scopes.allow(needed)).map(|(name, _)| name)
}

pub(super) async fn current_key(shop: Shop<ReadBusiness>) -> Json<Value> {
    let (store, scopes) = (shop.business.id, shop.known.scopes);
    let permissions: Vec<String> = match shop.greenfield.permissions.get(TokenHash::of(&shop.token).handle())
    {
        Some(asked) => {
            granted(scopes).filter(|name| asked.iter().any(|one| one == name)).map(str::to_owned).collect()
        }
        None => held(scopes).map(str::to_owned).collect(),
    };
    let permissions: Vec<String> = permissions.into_iter().map(|name| format!("{name}:{store}")).collect();
    Json(json!({
        "apiKey": shop.token,
        "label": shop.business.name,
        "userId": null,
        "permissions": permissions,
    }))
}
