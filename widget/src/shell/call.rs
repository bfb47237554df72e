//! Requests to the gateway.

use core::str::FromStr;

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortSignal, Headers, RequestCredentials, RequestInit, RequestRedirect, Response};

use super::json::Json;
use super::{dispatch, window};
use crate::decode;
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
    let read = |node: Json| match purpose {
        Purpose::Open => decode::checkout_view(node).map(|view| Body::View(Box::new(view))),
        Purpose::Watch => decode::payment(node).map(|payment| Body::Payment(Box::new(payment))),
        Purpose::Quote => decode::updated_payment(node).map(|payment| Body::Payment(Box::new(payment))),
    };
    Ok(Json::parse(&text).and_then(read).unwrap_or(Body::Unreadable))
}

fn header(response: &Response, name: &str) -> Option<String> {
    response.headers().get(name).ok().flatten()
}

fn number<T: FromStr>(response: &Response, name: &str) -> Option<T> {
    header(response, name)?.parse().ok()
}
