//! Shared by the servers for the JSON-RPC of nodes: the check of arguments, and how answers are written.

pub(crate) mod methods;

use std::io::{self, Write};

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize as _;
use serde_json::ser::{Formatter, Serializer};
use serde_json::{Value, json};

/// An error code of `src/rpc/protocol.h`, and a text.
pub(crate) type Answer = Result<Value, (i64, String)>;

pub(crate) fn response(id: &Value, answer: Answer) -> Response {
    let (status, body) = body(id, answer);
    (status, [(CONTENT_TYPE, "application/json")], body).into_response()
}

pub(crate) fn body(id: &Value, answer: Answer) -> (StatusCode, String) {
    let (status, body) = match answer {
        Ok(result) => (StatusCode::OK, json!({"result": result, "error": null, "id": id})),
        Err((code, message)) => {
            let status =
                if code == -32601 { StatusCode::NOT_FOUND } else { StatusCode::INTERNAL_SERVER_ERROR };
            (status, json!({"result": null, "error": {"code": code, "message": message}, "id": id}))
        }
    };
    (status, text(&body))
}

/// Amounts with eight decimal places (`ValueFromAmount`).
fn text(body: &Value) -> String {
    struct Coins;

    impl Formatter for Coins {
        fn write_f64<W: Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
            write!(writer, "{value:.8}")
        }
    }

    let mut bytes = Vec::new();
    body.serialize(&mut Serializer::with_formatter(&mut bytes, Coins)).expect("a value can be written");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}
