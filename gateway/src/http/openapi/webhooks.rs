//! What the gateway sends: the callbacks, as OpenAPI webhooks.

use serde_json::{Value, json};

use super::Writer;
use super::operation::SchemaOf;
use crate::domain::webhook::{deposit_received, withdrawal_ended};

const DEPOSIT: &str = "Sent to `depositReceivedCallbackUrl`, once for each deposit, ever: when it is confirmed; on UTXO chains at \
first sight, unless the transfer can still be replaced (BIP 125). Not sent for a deposit whose sender the screening flags: \
the merchant is contacted instead, and it is sent when the deposit is released. The amounts are those of this one deposit.";

const WITHDRAWAL: &str = "Sent to `withdrawalCallbackUrl` when a withdrawal is completed, failed or blocked. What was really sent, deducted \
and paid is there for a `COMPLETED` withdrawal only: the others took nothing.";

/// Name, meaning.
const HEADERS: [(&str, &str); 3] = [
    ("webhook-id", "The same on every try: take an id that you have seen as done."),
    ("webhook-timestamp", "UNIX seconds of this try. Refuse what is older than some minutes."),
    (
        "webhook-signature",
        "`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, keyed by the bytes behind `whsec_` of the callback secret. \
         Several, with blanks between them, while a secret is being replaced: one that fits is enough.",
    ),
];

impl Writer {
    pub(super) fn webhooks(&mut self) -> Value {
        json!({
            "depositReceived": self.webhook("depositReceived", "A deposit was received", DEPOSIT, deposit_received::schema),
            "withdrawalEnded": self.webhook("withdrawalEnded", "A withdrawal ended", WITHDRAWAL, withdrawal_ended::schema),
        })
    }

    fn webhook(&mut self, id: &str, summary: &str, about: &str, schema: SchemaOf) -> Value {
        let headers: Vec<Value> = HEADERS
            .into_iter()
            .map(|(name, about)| {
                json!({"name": name, "in": "header", "required": true, "description": about, "schema": {"type": "string"}})
            })
            .collect();
        let mut content = json!({"schema": self.answers.of(schema)});
        if let Some(example) = self.example(id, "request") {
            content["example"] = example;
        }
        json!({"post": {
            "operationId": id,
            "summary": summary,
            "description": about,
            "parameters": headers,
            "requestBody": {"required": true, "content": {"application/json": content}},
            "responses": {
                "2XX": {"description": "Taken; the callback is not sent again. Answer within 20 seconds."},
                "410": {"description": "No more of this one, please."},
                "429": {"description": "Later; `Retry-After` is kept, up to a day."},
                "503": {"description": "Later; `Retry-After` is kept, up to a day."},
                "default": {"description": "Failed: it is tried again, about ten times over three days. Redirects are failures."},
            },
        }})
    }
}
