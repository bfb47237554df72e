//! Requests to the gateway.

use core::str::FromStr;

use js_sys::{Object, Promise};
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

use super::json::Json;
use super::{dispatch, js, window};
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

/// `None`: no answer, or the connection broke in the middle of it.
async fn fetch(call: &Call) -> Option<Reply> {
    let response = wait(js::call(&window(), "fetch", [(&call.path).into(), request(call)])).await?;
    let status =
        js::get(&response, "status").as_f64().and_then(|status| u16::try_from(super::whole(status)).ok())?;
    let body = if status == 200 {
        let text = wait(js::call(&response, "text", [])).await?.as_string()?;
        Json::parse(&text).and_then(|node| read(call.purpose, node)).unwrap_or(Body::Unreadable)
    } else {
        Body::Empty
    };
    let headers = js::get(&response, "headers");
    let header = |name: &str| js::call(&headers, "get", [name.into()])?.as_string();
    Some(Reply {
        status,
        server_time: number(header("X-Server-Time")),
        etag: header("ETag"),
        retry_after: number(header("Retry-After")),
        request_id: header("X-Request-Id"),
        body,
    })
}

fn request(call: &Call) -> JsValue {
    let (request, headers) = (Object::new(), Object::new());
    let header = |name: &str, value: &str| js::set(&headers, name, &value.into());
    header("Authorization", &["Bearer ", &call.token].concat());
    header("Accept", "application/json");
    if let Some(etag) = &call.etag {
        header("If-None-Match", etag);
    }
    if let Some(body) = &call.body {
        header("Content-Type", "application/json");
        js::set(&request, "body", &body.into());
    }
    js::set(&request, "headers", &headers);
    js::set(&request, "method", &call.method.into());
    js::set(&request, "credentials", &"omit".into());
    // The token goes nowhere else.
    js::set(&request, "redirect", &"error".into());
    let timeout = u32::try_from(CALL_TIMEOUT).unwrap_or(u32::MAX);
    js::set(&request, "signal", &AbortSignal::timeout_with_u32(timeout));
    request.into()
}

async fn wait(promise: Option<JsValue>) -> Option<JsValue> {
    JsFuture::from(promise?.unchecked_into::<Promise>()).await.ok()
}

fn read(purpose: Purpose, node: Json) -> Option<Body> {
    match purpose {
        Purpose::Open => decode::checkout_view(node).map(|view| Body::View(Box::new(view))),
        Purpose::Watch => decode::payment(node).map(|payment| Body::Payment(Box::new(payment))),
        Purpose::Quote => decode::updated_payment(node).map(|payment| Body::Payment(Box::new(payment))),
    }
}

fn number<T: FromStr>(text: Option<String>) -> Option<T> {
    text?.parse().ok()
}
