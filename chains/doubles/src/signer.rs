//! A test server for signatures: `{"network", "account", "message"}` is answered by `{"signature"}`.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::routing::post;
use parking_lot::Mutex;
use serde_json::{Value, json};

#[derive(Clone, Debug)]
pub struct SignerServer {
    pub url: String,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl SignerServer {
    /// Serves until the runtime ends. `sign` gets the message; without a signature the answer is 403.
    pub async fn start(sign: impl Fn(&[u8]) -> Option<Vec<u8>> + Clone + Send + Sync + 'static) -> Self {
        let asked = Arc::<Mutex<Vec<Value>>>::default();
        let requests = Arc::clone(&asked);
        let respond = move |body: Bytes| {
            let request: Value = serde_json::from_slice(&body).unwrap_or_default();
            let message = hex::decode(request["message"].as_str().unwrap_or_default()).ok();
            requests.lock().push(request);
            let answer = match message.and_then(|message| sign(&message)) {
                Some(signature) => {
                    (StatusCode::OK, json!({"signature": hex::encode_upper(signature)}).to_string())
                }
                None => (StatusCode::FORBIDDEN, String::new()),
            };
            async move { answer }
        };
        Self { url: crate::serve(Router::new().route("/", post(respond))).await, asked }
    }

    /// The requests so far.
    pub fn asked(&self) -> Vec<Value> {
        self.asked.lock().clone()
    }
}
