//! A client of the gateway's API, like that of a merchant's back end.

use std::fmt;
use std::io;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use checkout_chain_http::client::{builder, reason, web_roots};
use checkout_wire::create_payment::{CreatePayment, CreatedPayment};
use checkout_wire::{Payment, PaymentType, Problem};
use reqwest::Client;
use serde::de::DeserializeOwned;

const TIMEOUT: Duration = Duration::from_secs(10);
const MAX_ANSWER: usize = 1 << 20;

pub(super) struct Gateway {
    client: Client,
    url: String,
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
        let json = HeaderValue::from_static("application/json");
        let headers = HeaderMap::from_iter([
            (header::AUTHORIZATION, authorization),
            (header::CONTENT_TYPE, json.clone()),
            (header::ACCEPT, json),
        ]);
        let client = builder(web_roots(), TIMEOUT).default_headers(headers).build();
        let client = client.map_err(io::Error::other)?;
        Ok(Self { client, url: url.trim_end_matches('/').to_owned() })
    }

    /// Creates a payment in EUR for one order.
    pub(super) async fn create_payment(
        &self,
        order: &str,
        price: &str,
        redirect_url: &str,
    ) -> Result<CreatedPayment, GatewayError> {
        let request = CreatePayment {
            business_id: None,
            client_payment_id: order.into(),
            locale: "en-US".into(),
            kind: Some(PaymentType::OneTime),
            rate_type: None,
            display_currency: Some("EUR".into()),
            display_amount: Some(price.into()),
            deposit_currency: None,
            deposit_amount: None,
            network: None,
            expiration_minutes: None,
            redirect_url: Some(redirect_url.into()),
            description: None,
            metadata: None,
        };
        let body = serde_json::to_string(&request).expect("a request of texts is JSON");
        self.call(Method::POST, "/api/v1/payments", body).await
    }

    pub(super) async fn payment(&self, payment_id: &str) -> Result<Payment, GatewayError> {
        self.call(Method::GET, &format!("/api/v1/payments/{payment_id}"), String::new()).await
    }

    async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: String,
    ) -> Result<T, GatewayError> {
        let request = self.client.request(method, format!("{}{path}", self.url)).body(body);
        let response = request.send().await.map_err(|error| {
            GatewayError::Unreachable(if error.is_timeout() {
                "no answer in ten seconds".to_owned()
            } else {
                reason(&error)
            })
        })?;
        let status = response.status();
        let body = Body::new(reqwest::Body::from(response));
        let bytes =
            to_bytes(body, MAX_ANSWER).await.map_err(|error| GatewayError::Unreachable(error.to_string()))?;
        if status.is_success() {
            serde_json::from_slice(&bytes).map_err(|error| GatewayError::Unreadable(error.to_string()))
        } else {
            Err(GatewayError::Refused { status, problem: serde_json::from_slice(&bytes).ok().map(Box::new) })
        }
    }
}

/// Why a request to the gateway failed.
#[derive(Debug)]
pub(super) enum GatewayError {
    Unreachable(String),
    Unreadable(String),
    Refused { status: StatusCode, problem: Option<Box<Problem>> },
}

impl GatewayError {
    /// Whether another payment has this id.
    pub(super) fn is_conflict(&self) -> bool {
        matches!(self, Self::Refused { status: StatusCode::CONFLICT, .. })
    }
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
