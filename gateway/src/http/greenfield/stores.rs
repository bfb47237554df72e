//! `GET /api/v1/stores` and `GET /api/v1/stores/{storeId}`, and the payment methods of a store.

use axum::Json;
use axum::extract::State;
use checkout_core::Pair;
use checkout_domain::business::Business;
use checkout_wire::rules::DEFAULT_EXPIRATION_MINUTES;
use serde_json::{Value, json};

use super::shop::Shop;
use crate::greenfield::methods;
use crate::http::Shared;
use crate::http::auth::ReadBusiness;
use crate::service::App;

pub(super) async fn list(shop: Shop<ReadBusiness>) -> Json<Value> {
    Json(json!([store(&shop.business)]))
}

pub(super) async fn read(shop: Shop<ReadBusiness>) -> Json<Value> {
    Json(store(&shop.business))
}

pub(super) async fn payment_methods(State(app): State<Shared>, shop: Shop<ReadBusiness>) -> Json<Value> {
    let method = |pair: &'static Pair| {
        let id = methods::id(pair);
        json!({"paymentMethodId": id, "paymentMethod": id, "cryptoCode": pair.currency.code(), "enabled": true})
    };
    Json(offered(&app, &shop.business).into_iter().map(method).collect())
}

/// What payers can choose.
pub(super) fn offered(app: &App, business: &Business) -> Vec<&'static Pair> {
    methods::offered(business, |network| app.chains.contains_key(&network))
}

fn store(business: &Business) -> Value {
    let tolerance = business.underpayment_tolerance.unwrap_or_default();
    json!({
        "id": business.id.to_string(),
        "name": business.name,
        "website": null,
        "archived": false,
        "supportUrl": business.support_url,
        "defaultCurrency": business.default_display().code(),
        "invoiceExpiration": DEFAULT_EXPIRATION_MINUTES * 60,
        "monitoringExpiration": 7 * 86_400,
        "speedPolicy": "MediumSpeed",
        // In percent.
        "paymentTolerance": (tolerance * checkout_core::Decimal::ONE_HUNDRED).normalize().to_string(),
        "anyoneCanCreateInvoice": false,
        "networkFeeMode": "Never",
    })
}
