//! The callbacks, as OpenAPI webhooks.

use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use crate::events::{self, ListedEvent};

/// Name, description.
const HEADERS: [(&str, &str); 3] = [
    (
        "webhook-id",
        "The id of the callback, the same on every attempt. Ignore ids that you have already processed.",
    ),
    (
        "webhook-timestamp",
        "UNIX seconds of this attempt. Reject callbacks that are older than a few minutes.",
    ),
    (
        "webhook-signature",
        "`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. The key is the base64-decoded part of the callback secret \
         after `whsec_`. While a secret is being rotated there are several signatures, separated by spaces: accept the \
         callback if one is valid.",
    ),
];

pub(super) fn all(generator: &mut SchemaGenerator) -> Value {
    events::ALL
        .iter()
        .map(|event| (event.about.name.to_owned(), webhook(event, generator)))
        .collect::<Map<_, _>>()
        .into()
}

fn webhook(event: &ListedEvent, generator: &mut SchemaGenerator) -> Value {
    let header = |(name, description)| json!({"name": name, "in": "header", "required": true, "description": description, "schema": {"type": "string"}});
    json!({"post": {
        "operationId": event.about.name,
        "summary": event.about.title,
        "description": event.about.description,
        "security": [],
        "parameters": HEADERS.into_iter().map(header).collect::<Vec<_>>(),
        "requestBody": {"required": true, "content": {"application/json": {"schema": event.schema(generator), "example": event.example()}}},
        "responses": {
            "2XX": {"description": "Received. Answer within 20 seconds."},
            "410": {"description": "This callback is not sent again."},
            "429": {"description": "Sent again after `Retry-After`, at most a day."},
            "503": {"description": "Sent again after `Retry-After`, at most a day."},
            "default": {"description": "Failed. Sent again about ten times over three days. Redirects are failures."},
        },
    }})
}
