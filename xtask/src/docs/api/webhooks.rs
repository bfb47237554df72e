//! The page of what the gateway sends to merchants.

use std::fmt::Write as _;

use serde_json::Value;

use super::{cell, fields, schema_of, string};
use crate::api::{entries, items};

const HEAD: &str = "# Webhooks\n\nWhat the gateway sends to the URLs of a business. [Receive webhooks](../guides/webhooks.md) explains how to verify and \
    process them; the [examples](../examples.md) are complete receivers.\n";

pub(super) fn page(document: &Value) -> String {
    let mut page = HEAD.to_owned();
    let mut all = entries(&document["webhooks"]).map(|(_, webhook)| &webhook["post"]);
    if let Some(first) = all.next() {
        page.push_str("\n## Headers\n\n| header | meaning |\n|---|---|\n");
        for header in items(&first["parameters"]) {
            let _ =
                writeln!(page, "| `{}` | {} |", string(header, "name"), cell(string(header, "description")));
        }
        page.push_str("\n## Answers\n\n| your status | meaning |\n|---|---|\n");
        for (status, answer) in entries(&first["responses"]) {
            let _ = writeln!(page, "| {status} | {} |", cell(string(answer, "description")));
        }
    }
    for (name, webhook) in entries(&document["webhooks"]) {
        let webhook = &webhook["post"];
        let id = string(webhook, "operationId");
        let title = if name.contains('.') { name.as_str() } else { string(webhook, "summary") };
        let _ = write!(page, "\n## {title} {{#{id}}}\n\n{}\n", string(webhook, "description"));
        if let Some(schema) = schema_of(&webhook["requestBody"]) {
            let _ = write!(page, "\nBody: {}.\n", fields::kind(schema));
        }
    }
    page
}
