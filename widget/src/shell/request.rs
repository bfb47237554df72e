//! Requests to the gateway.

use core::str::FromStr;

use gloo_net::http::{Headers, Request, RequestBuilder, Response};
use gloo_timers::callback::Timeout;
use wasm_bindgen_futures::spawn_local;
use web_sys::{AbortController, RequestCache, RequestCredentials, RequestRedirect};

use super::dispatch;
use crate::connection::{CALL_TIMEOUT, Purpose};
use crate::effect::Call;
use crate::event::{Answer, Body, Reply, What};
use crate::json;

/// Also before Leptos has started: a page without data asks for its payment at once.
pub(super) fn send(call: Call) {
    spawn_local(async move {
        let answer = fetch(&call).await.map_or(Answer::None, |reply| Answer::Reply(Box::new(reply)));
        dispatch(What::Answered { call: call.id, answer });
    });
}

/// Returns `None` if there is no answer or the connection broke during it.
async fn fetch(call: &Call) -> Option<Reply> {
    // Some supported browsers have no `AbortSignal.timeout`.
    let abort = AbortController::new().ok()?;
    let signal = abort.signal();
    let timeout = u32::try_from(CALL_TIMEOUT).unwrap_or(u32::MAX);
    let _timeout = Timeout::new(timeout, move || abort.abort());
    let request = builder(call)
        .headers(headers(call))
        .credentials(RequestCredentials::Omit)
        .cache(RequestCache::NoStore)
        // The token is not sent to any other URL.
        .redirect(RequestRedirect::Error)
        .abort_signal(Some(&signal));
    let request = match &call.body {
        Some(body) => request.body(body.as_str()).ok()?,
        None => request.build().ok()?,
    };
    let response = request.send().await.ok()?;
    let body = if response.status() == 200 {
        read(call.purpose, &response.text().await.ok()?).unwrap_or(Body::Unreadable)
    } else {
        Body::Empty
    };
    Some(Reply {
        status: response.status(),
        server_time: number(&response, "X-Server-Time"),
        etag: response.headers().get("ETag"),
        retry_after: number(&response, "Retry-After"),
        request_id: response.headers().get("X-Request-Id"),
        body,
    })
}

fn builder(call: &Call) -> RequestBuilder {
    match call.method {
        "PATCH" => Request::patch(&call.path),
        _ => Request::get(&call.path),
    }
}

fn headers(call: &Call) -> Headers {
    let headers = Headers::new();
    headers.set("Authorization", &["Bearer ", &call.token].concat());
    headers.set("Accept", "application/json");
    if let Some(etag) = &call.etag {
        headers.set("If-None-Match", etag);
    }
    if call.body.is_some() {
        headers.set("Content-Type", "application/json");
    }
    headers
}

fn read(purpose: Purpose, text: &str) -> Option<Body> {
    match purpose {
        Purpose::Open | Purpose::Watch => json::read(text).map(Body::View),
        Purpose::Quote => json::read(text).map(Body::Chosen),
    }
}

fn number<T: FromStr>(response: &Response, header: &str) -> Option<T> {
    response.headers().get(header)?.parse().ok()
}
