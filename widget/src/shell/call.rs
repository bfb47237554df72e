//! Requests to the gateway.

use core::str::FromStr;

use checkout_core::wire::checkout_view::CheckoutView;
use checkout_core::wire::payment::Payment;
use checkout_core::wire::update_payment::UpdatedPayment;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortSignal, Headers, RequestCredentials, RequestInit, RequestRedirect, Response};

use super::json::Json;
use super::{dispatch, window};
use crate::decode::decode;
use crate::effect::Call;
use crate::event::{Answer, Body, Reply, What};
use crate::line::{CALL_TIMEOUT, Purpose};

pub(super) fn call(call: Call) {
    spawn_local(async move {
        let answer = fetch(&call).await.map_or(Answer::None, |reply| Answer::Reply(Box::new(reply)));
        dispatch(What::Answered { call: call.id, answer });
    });
}

async fn fetch(call: &Call) -> Result<Reply, JsValue> {
    let headers = Headers::new()?;
    headers.set("Authorization", &["Bearer ", &call.token].concat())?;
    headers.set("Accept", "application/json")?;
    if let Some(etag) = &call.etag {
        headers.set("If-None-Match", etag)?;
    }
    let init = RequestInit::new();
    init.set_method(call.method);
    if let Some(body) = &call.body {
        headers.set("Content-Type", "application/json")?;
        init.set_body(&JsValue::from_str(body));
    }
    init.set_headers(&headers);
    init.set_credentials(RequestCredentials::Omit);
    // The token goes nowhere else.
    init.set_redirect(RequestRedirect::Error);
    let timeout = u32::try_from(CALL_TIMEOUT).unwrap_or(u32::MAX);
    init.set_signal(Some(&AbortSignal::timeout_with_u32(timeout)));
    let response = JsFuture::from(window().fetch_with_str_and_init(&call.path, &init)).await?;
    let response: Response = response.dyn_into()?;
    Ok(Reply {
        status: response.status(),
        server_time: number(&response, "X-Server-Time"),
        etag: header(&response, "ETag"),
        retry_after: number(&response, "Retry-After"),
        request_id: header(&response, "X-Request-Id"),
        body: if response.status() == 200 { body(call.purpose, &response).await? } else { Body::Empty },
    })
}

/// An error means that the connection broke in the middle.
async fn body(purpose: Purpose, response: &Response) -> Result<Body, JsValue> {
    let text = JsFuture::from(response.text()?).await?.as_string().unwrap_or_default();
    let body = match purpose {
        Purpose::Open => read::<CheckoutView>(&text).map(|view| Body::View(Box::new(view))),
        Purpose::Watch => read::<Payment>(&text).map(|payment| Body::Payment(Box::new(payment))),
        Purpose::Quote => {
            read::<UpdatedPayment>(&text).map(|answer| Body::Payment(Box::new(answer.payment_info)))
        }
    };
    Ok(body.unwrap_or(Body::Unreadable))
}

fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    decode(Json::parse(text)?).ok()
}

fn header(response: &Response, name: &str) -> Option<String> {
    response.headers().get(name).ok().flatten()
}

fn number<T: FromStr>(response: &Response, name: &str) -> Option<T> {
    header(response, name)?.parse().ok()
}
