//! The headers that every request may have and every response has.

use serde_json::{Map, Value, json};

/// Name, type, description.
const RESPONSE: [(&str, &str, &str); 4] = [
    ("X-Request-Id", "string", "The id of the request: the one that the client sent, or a new one."),
    ("X-Server-Time", "integer", "The time of the gateway in UNIX milliseconds."),
    ("WWW-Authenticate", "string", "`Bearer` (RFC 6750)."),
    ("Retry-After", "integer", "Seconds to wait before the next request."),
];

/// The headers of responses by name, for the components.
pub(super) fn components() -> Map<String, Value> {
    let header = |(name, kind, description): (&str, &str, &str)| {
        let schema =
            if kind == "integer" { json!({"type": kind, "minimum": 0}) } else { json!({"type": kind}) };
        (name.to_owned(), json!({"required": true, "description": description, "schema": schema}))
    };
    RESPONSE.into_iter().map(header).collect()
}

/// References to the headers that every response with this status has.
pub(super) fn of_status(status: &str) -> impl Iterator<Item = (String, Value)> {
    let special = match status {
        "401" => Some("WWW-Authenticate"),
        "429" | "503" => Some("Retry-After"),
        _ => None,
    };
    let names = ["X-Request-Id", "X-Server-Time"].into_iter().chain(special);
    names.map(|name| (name.to_owned(), json!({"$ref": format!("#/components/headers/{name}")})))
}

pub(super) fn request_id() -> Value {
    json!({
        "name": "X-Request-Id",
        "in": "header",
        "required": false,
        "description": "An id for this request, to find it in logs: 1 to 64 letters, digits, `.`, `_`, `-`. \
                        Other values are replaced.",
        "schema": {"type": "string"},
    })
}
