//! The callbacks, as OpenAPI webhooks.

use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};

use crate::domain::webhook::{deposit_received, withdrawal_ended};

const DEPOSIT: &str = "Sent to `depositReceivedCallbackUrl` once for each deposit: when it is confirmed or, on UTXO chains, \
when it is first seen, unless the sender can still replace the transfer (BIP 125). If the screening flags the sender, the \
callback is sent when the deposit is released. The amounts are those of this deposit.";

const WITHDRAWAL: &str = "Sent to `withdrawalCallbackUrl` when a withdrawal is completed, failed or blocked. The amounts sent and \
charged and the fees are present only if it is `COMPLETED`; otherwise nothing was charged.";

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
    let deposit = deposit_received::schema(generator);
    let withdrawal = withdrawal_ended::schema(generator);
    json!({
        "depositReceived": webhook("depositReceived", "A deposit was received", DEPOSIT, &deposit),
        "withdrawalEnded": webhook("withdrawalEnded", "A withdrawal ended", WITHDRAWAL, &withdrawal),
    })
}

fn webhook(id: &str, summary: &str, description: &str, schema: &Schema) -> Value {
    let header = |(name, description)| json!({"name": name, "in": "header", "required": true, "description": description, "schema": {"type": "string"}});
    json!({"post": {
        "operationId": id,
        "summary": summary,
        "description": description,
        "parameters": HEADERS.into_iter().map(header).collect::<Vec<_>>(),
        "requestBody": {"required": true, "content": {"application/json": {"schema": schema}}},
        "responses": {
            "2XX": {"description": "Received. Answer within 20 seconds."},
            "410": {"description": "This callback is not sent again."},
            "429": {"description": "Sent again after `Retry-After`, at most a day."},
            "503": {"description": "Sent again after `Retry-After`, at most a day."},
            "default": {"description": "Failed. Sent again about ten times over three days. Redirects are failures."},
        },
    }})
}
