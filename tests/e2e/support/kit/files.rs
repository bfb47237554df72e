//! The folder of the kit, as a plain web server has it.

use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use checkout_test_nodes::serve_at;
use parking_lot::Mutex;
use serde_json::Value;

use super::super::places;

pub(crate) struct KitFiles {
    pub(crate) origin: String,
    shop: Arc<Mutex<String>>,
}

impl KitFiles {
    /// Serves it below `/pay/`, with these settings.
    pub(crate) fn serve(listener: TcpListener, settings: &Value) -> Self {
        let (folder, settings) = (places::kit(), settings.to_string());
        let shop = Arc::<Mutex<String>>::default();
        let page = Arc::clone(&shop);
        let answer = move |target: Uri| async move {
            if target.path() == "/" {
                return ([(CONTENT_TYPE, "text/html; charset=utf-8")], page.lock().clone()).into_response();
            }
            match target.path().strip_prefix("/pay/") {
                Some("checkout.json") => ([(CONTENT_TYPE, "application/json")], settings).into_response(),
                Some("") => file(&folder.join("index.html")),
                Some(name) => file(&folder.join(name)),
                None => StatusCode::NOT_FOUND.into_response(),
            }
        };
        Self { origin: serve_at(listener, Router::new().fallback(answer)), shop }
    }

    /// The page of the same server at `/`.
    pub(crate) fn put_shop(&self, html: String) {
        *self.shop.lock() = html;
    }
}

fn file(path: &Path) -> Response {
    let kind = match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("json") => "application/json",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    };
    match std::fs::read(path) {
        Ok(content) => ([(CONTENT_TYPE, kind)], content).into_response(),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}
