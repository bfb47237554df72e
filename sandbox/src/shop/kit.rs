//! The checkout as static files, on the shop's own web server: any folder of the kit, in front of the gateway's API.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use checkout_gateway::site;
use serde_json::json;

/// Below the shop's address.
pub(super) const PATH: &str = "/pay/";

/// Its files by their paths below [`PATH`]. Nothing else of the folder can be asked for.
#[derive(Clone, Debug)]
pub struct Kit(BTreeMap<String, Vec<u8>>);

impl Kit {
    /// Reads the folder; `None` if the page is not in it. `gateway_url` is that for browsers.
    pub fn read(folder: &Path, gateway_url: &str) -> Option<Self> {
        let mut files = BTreeMap::new();
        collect(folder, "", &mut files);
        files.insert(String::new(), files.get("index.html")?.clone());
        let settings = json!({"api": gateway_url, "theme": "AUTO", "sandbox": true});
        files.insert("checkout.json".to_owned(), settings.to_string().into_bytes());
        Some(Self(files))
    }

    /// The link to a payment, as the shop's back end writes it.
    pub(super) fn link(payment_id: &str, payment_url: &str) -> String {
        let query = payment_url.split_once('?').map_or("", |(_, query)| query);
        format!("{PATH}?paymentId={payment_id}&{query}")
    }

    pub(super) fn file(&self, path: &str) -> Option<Response<Body>> {
        let name = if path.is_empty() { "index.html" } else { path };
        let mut response = Response::new(Body::from(self.0.get(path)?.clone()));
        *response.status_mut() = StatusCode::OK;
        for (header, value) in [
            (header::CONTENT_TYPE, site::mime(name)),
            (header::CACHE_CONTROL, "no-cache"),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        ] {
            response.headers_mut().insert(header, HeaderValue::from_static(value));
        }
        Some(response)
    }
}

/// The files of a folder and of its folders, which are not links.
fn collect(folder: &Path, below: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
        let path = format!("{below}{name}");
        if kind.is_dir() {
            collect(&entry.path(), &format!("{path}/"), files);
        } else if kind.is_file()
            && let Ok(content) = fs::read(entry.path())
        {
            files.insert(path, content);
        }
    }
}
