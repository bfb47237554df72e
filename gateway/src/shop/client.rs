//! The gateway's API, as a merchant's back end calls it.

use std::fmt;
use std::io;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, Method, Request, StatusCode, Uri, header};
use checkout_core::wire::create_payment::{CreatePayment, CreatedPayment};
use checkout_core::wire::{Payment, PaymentType, Problem};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde::de::DeserializeOwned;

const PATIENCE: Duration = Duration::from_secs(10);
const MAX_ANSWER: usize = 1 << 20;

pub(super) struct Gateway {
    client: Client<HttpConnector, Body>,
    url: String,
    authorization: HeaderValue,
}

impl Gateway {
    pub(super) fn new(url: &str, business_token: &str) -> io::Result<Self> {
        let refused = |reason: &str| io::Error::new(io::ErrorKind::InvalidInput, reason);
        let uri: Uri = url.parse().map_err(|_| refused("the shop's gateway_url is not a URL"))?;
        if uri.scheme_str() != Some("http") || uri.authority().is_none() {
            return Err(refused(
                "the shop reaches the gateway over plain HTTP: gateway_url must begin with http://",
            ));
        }
        let mut authorization = HeaderValue::try_from(format!("Bearer {business_token}"))
            .map_err(|_| refused("the business token does not fit into a header"))?;
        authorization.set_sensitive(true);
        Ok(Self {
            client: Client::builder(TokioExecutor::new()).build_http(),
            url: url.trim_end_matches('/').to_owned(),
            authorization,
        })
    }

    /// A payment of that many EUR, for one order.
    pub(super) async fn create_payment(
        &self,
        order: &str,
        price: &str,
        redirect_url: &str,
    ) -> Result<CreatedPayment, GatewayError> {
        let request = CreatePayment {
            business_id: None,
            client_payment_id: order.to_owned(),
            locale: "en-US".to_owned(),
            kind: Some(PaymentType::OneTime),
            rate_type: None,
            display_currency: Some("EUR".to_owned()),
            display_amount: Some(price.to_owned()),
            deposit_currency: None,
            deposit_amount: None,
            network: None,
            expiration_minutes: None,
            redirect_url: Some(redirect_url.to_owned()),
        };
        let body = serde_json::to_vec(&request).expect("a request of texts is JSON");
        self.ask(Method::POST, "/api/v1/payments", Body::from(body)).await
    }

    pub(super) async fn payment(&self, payment_id: &str) -> Result<Payment, GatewayError> {
        self.ask(Method::GET, &format!("/api/v1/payments/{payment_id}"), Body::empty()).await
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Body,
    ) -> Result<T, GatewayError> {
        tokio::time::timeout(PATIENCE, self.exchange(method, path, body))
            .await
            .map_err(|_| GatewayError::Unreachable("no answer in ten seconds".to_owned()))?
    }

    async fn exchange<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Body,
    ) -> Result<T, GatewayError> {
        let unreachable = |error: &dyn std::error::Error| GatewayError::Unreachable(error.to_string());
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.url))
            .header(header::AUTHORIZATION, &self.authorization)
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json")
            .body(body)
            .map_err(|error| unreachable(&error))?;
        let response = self.client.request(request).await.map_err(|error| unreachable(&error))?;
        let status = response.status();
        let bytes = to_bytes(Body::new(response.into_body()), MAX_ANSWER)
            .await
            .map_err(|error| unreachable(&error))?;
        if status.is_success() {
            serde_json::from_slice(&bytes).map_err(|error| GatewayError::Unreadable(error.to_string()))
        } else {
            Err(GatewayError::Refused { status, problem: serde_json::from_slice(&bytes).ok().map(Box::new) })
        }
    }
}

/// Why the gateway did not give what the shop asked for.
#[derive(Debug)]
pub(super) enum GatewayError {
    Unreachable(String),
    Unreadable(String),
    Refused { status: StatusCode, problem: Option<Box<Problem>> },
}

impl fmt::Display for GatewayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(reason) => write!(f, "The payment service cannot be reached: {reason}"),
            Self::Unreadable(reason) => {
                write!(f, "The payment service answered what cannot be read: {reason}")
            }
            Self::Refused { status, problem: None } => write!(f, "The payment service answered {status}"),
            Self::Refused { status, problem: Some(problem) } => {
                write!(f, "The payment service answered {status}: {}", problem.title)?;
                if !problem.detail.is_empty() {
                    write!(f, " ({})", problem.detail)?;
                }
                for error in &problem.errors {
                    write!(f, "; {} {}", error.pointer, error.detail)?;
                }
                Ok(())
            }
        }
    }
}
