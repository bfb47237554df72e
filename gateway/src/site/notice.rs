//! A page of one sentence, for a person whose request is refused.

use std::sync::LazyLock;

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};

use super::page::source;
use super::policy;
use crate::texts::html::escape;

const PAGE: &str = include_str!("../../../www/notice.html");

/// Any site may frame it, because it has nothing of a payment. With seconds it opens what was asked for by itself.
pub(crate) fn notice(
    status: StatusCode,
    [lang, title, text]: [&str; 3],
    seconds: Option<u64>,
) -> Response<Body> {
    static STYLE: LazyLock<String> = LazyLock::new(|| {
        let style = PAGE.split_once("<style>").and_then(|(_, rest)| rest.split_once("</style>"));
        source(style.map_or("", |(style, _)| style))
    });
    let refresh = seconds.map(|seconds| format!("<meta http-equiv=\"refresh\" content=\"{seconds}\">"));
    let page = PAGE.replace("{{lang}}", lang).replace("{{refresh}}", &refresh.unwrap_or_default());
    let page = page.replace("{{title}}", &escape(title)).replace("{{text}}", &escape(text));
    let mut response = Response::new(Body::from(page));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::VARY, HeaderValue::from_static("Accept, Sec-Fetch-Mode"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(policy::AS_IT_IS));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    policy::protect_refused(headers, "'none'", &STYLE);
    response
}
