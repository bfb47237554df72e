//! BTCPay Server's Greenfield API, as shops use it.

mod authorize;
mod invoices;
mod keys;
mod marks;
mod webhooks;
mod woocommerce;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use checkout_domain::access::scope::{Scope, Scopes};
use checkout_domain::access::token::{Caller, TokenHash};
use checkout_domain::business::settings::Settings;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::{START, World};

/// A gateway whose business answers shops.
pub(super) async fn world() -> World {
    World::with(Settings {
        name: Some("Kettle & Co".to_owned()),
        greenfield: Some(true),
        ..Settings::default()
    })
    .await
}

impl World {
    /// A token of the business with these scopes; without any, with all.
    async fn key(&self, scopes: &[Scope]) -> String {
        let token = format!("biz_{}", self.app.new_id());
        let mut tx = self.app.store.begin().await.unwrap();
        let caller = Caller::Business(self.business.id);
        tx.put_credential(&TokenHash::of(&token), caller, Scopes::of(scopes), START).await.unwrap();
        tx.commit().await.unwrap();
        token
    }

    /// A request of a plugin, whose token has the scheme `token`.
    pub(super) async fn plugin(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> (StatusCode, Value) {
        self.plugin_with(&self.token, method, path, body).await
    }

    pub(super) async fn plugin_with(
        &self,
        token: &str,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> (StatusCode, Value) {
        let path = path.replace("{store}", &self.business.id.to_string());
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::AUTHORIZATION, format!("token {token}"))
            .header(header::ACCEPT, "application/json")
            .header(header::CONTENT_TYPE, "application/json");
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let response = self.router.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }

    async fn read(&self, path: &str) -> Value {
        let (status, json) = self.plugin(Method::GET, path, None).await;
        assert_eq!(status, StatusCode::OK, "{path}: {json}");
        json
    }

    async fn write(&self, path: &str, body: &Value) -> Value {
        let (status, json) = self.plugin(Method::POST, path, Some(body)).await;
        assert_eq!(status, StatusCode::OK, "{path}: {json}");
        json
    }

    /// An invoice of 100 EUR for an order.
    async fn invoice(&self, order: &str) -> Value {
        let body = json!({"amount": "100.00", "currency": "EUR", "metadata": {"orderId": order}});
        self.write("/api/v1/stores/{store}/invoices", &body).await
    }

    async fn read_invoice(&self, id: &str) -> Value {
        self.read(&format!("/api/v1/stores/{{store}}/invoices/{id}")).await
    }

    /// Chooses bitcoin on the payer's page. Returns the id of the payment.
    async fn choose(&self, invoice: &Value) -> String {
        let payment = invoice["id"].as_str().unwrap()[..36].to_owned();
        let link = invoice["checkoutLink"].as_str().unwrap();
        let token = link.split_once("sessionToken=").unwrap().1.split('&').next().unwrap();
        let body = json!({"depositCurrency": "BTC", "network": "BTC"});
        let chosen = self.patch(&format!("/api/v1/payments/{payment}"), token, &body).await;
        assert_eq!(chosen.status, StatusCode::OK, "{}", chosen.json);
        payment
    }
}

/// The status of an invoice and what is beside it.
fn status(invoice: &Value) -> (&str, &str) {
    (invoice["status"].as_str().unwrap(), invoice["additionalStatus"].as_str().unwrap())
}
