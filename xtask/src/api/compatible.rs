//! Compares the OpenAPI document with that of the last release: a client that worked must go on working.
//!
//! The facts of the last release are in `gateway/src/http/openapi/released.txt`. `cargo xtask release api` writes them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::facts;
use crate::workspace::Workspace;
use crate::{Outcome, api, files};

const RELEASED: &str = "gateway/src/http/openapi/released.txt";

/// Breaks that the changelog announces, until the next release; empty in a version that breaks nothing.
const ANNOUNCED: &[(&str, &str)] = &[
    ("gone: operation GET /api/docs", "it leads to the reference of the documentation"),
    ("gone: response GET /api/docs 200", "it leads to the reference of the documentation"),
];

pub(crate) fn check(workspace: &Workspace) -> Outcome<()> {
    let released = files::read_text(&workspace.root.join(RELEASED))?;
    let mut broken = broken(&released, &api::document(&workspace.root)?);
    for (fact, why) in ANNOUNCED {
        if broken.remove(*fact) {
            println!("api: announced: {fact} ({why})");
        } else {
            broken.insert(format!("{fact}: does not break any more; remove it from ANNOUNCED"));
        }
    }
    if broken.is_empty() {
        println!("api: {} facts of the last release hold", released.lines().count() - ANNOUNCED.len());
        return Ok(());
    }
    let (count, lines) = (broken.len(), Vec::from_iter(broken).join("\n"));
    Err(format!("{lines}\n\n{count} changes of the API break clients of the last release ({RELEASED})."))
}

/// Stores the facts of this version, which is about to be released.
pub(crate) fn write(workspace: &Workspace) -> Outcome<()> {
    files::write(&workspace.root.join(RELEASED), text(&api::document(&workspace.root)?))?;
    println!("api: wrote {RELEASED}");
    Ok(())
}

fn text(document: &Value) -> String {
    facts::of(document).into_iter().map(|fact| fact + "\n").collect()
}

/// What a client uses may not go. What it does not send may not be required, and what it does not expect may not be given,
/// where it knew the object or the operation before.
fn broken(released: &str, document: &Value) -> BTreeSet<String> {
    let now = facts::of(document);
    let released: BTreeSet<String> = released.lines().map(str::to_owned).collect();
    let gone = released.difference(&now).filter(|fact| !fact.starts_with("object ") && about(fact).is_none());
    let breaks = |fact: &&String| about(fact).is_some_and(|about| released.contains(&about));
    let new = now.difference(&released).filter(breaks);
    gone.map(|fact| format!("gone: {fact}")).chain(new.map(|fact| format!("new: {fact}"))).collect()
}

/// For facts that may go and not come: the fact without which it is news to nobody.
fn about(fact: &str) -> Option<String> {
    if let Some(given) = fact.strip_prefix("gives ") {
        return Some(format!("field answer {}", given.rsplit_once(' ')?.0));
    }
    let required = fact.strip_prefix("required ")?;
    Some(match required.split_once(" ?") {
        Some((operation, _)) => format!("operation {operation}"),
        None => format!("object request {}", required.rsplit_once('.')?.0),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{broken, text};

    #[rustfmt::skip]
    fn document() -> Value {
        let json = |schema: &str| json!({"content": {"application/json": {"schema": {"$ref": format!("#/components/schemas/{schema}")}}}});
        json!({
            "paths": {"/payments": {"post": {
                "parameters": [{"in": "query", "name": "limit", "schema": {"type": "integer"}}],
                "requestBody": json("Order"), "responses": {"201": json("Payment")},
            }}},
            "webhooks": {"paid": {"post": {"requestBody": json("Payment")}}},
            "components": {"schemas": {
                "Order": {"type": "object", "required": ["id"], "properties": {
                    "id": {"type": "string"}, "amount": {"type": ["string", "number"]}, "theme": {"enum": ["LIGHT", "DARK"], "type": "string"},
                }},
                "Payment": {"type": "object", "required": ["status"], "properties": {
                    "status": {"$ref": "#/components/schemas/Status"}, "note": {"type": "string"},
                }},
                "Status": {"type": "string", "enum": ["NEW", "PAID"]},
            }},
        })
    }

    /// What is said about a document that differs in one place; `post` and `schemas` begin the pointers.
    #[track_caller]
    fn check(pointer: &str, change: Value, expected: &[&str]) {
        let mut changed = document();
        let pointer =
            pointer.replace("post", "/paths/~1payments/post").replace("schemas", "/components/schemas");
        let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
        let name = name.replace("~1", "/");
        let parent = changed.pointer_mut(parent).and_then(Value::as_object_mut).expect("an object");
        let _ = if change.is_null() { parent.remove(&name) } else { parent.insert(name, change) };
        assert!(broken(&text(&document()), &changed).iter().eq(expected), "{pointer}");
    }

    #[test]
    #[rustfmt::skip]
    fn what_breaks_clients_and_what_does_not() {
        let required = json!([{"in": "query", "name": "limit", "required": true, "schema": {"type": "integer"}}]);
        let theme = ["gone: value request Order.theme \"DARK\"", "gone: value request Order.theme \"LIGHT\""];
        let operation = ["gone: operation POST /payments", "gone: parameter POST /payments ?limit", "gone: response POST /payments 201"];
        let fields = ["gone: field request Order.amount", "gone: field request Order.id", "gone: field request Order.theme"];
        let takes = ["gone: takes Order.amount number", "gone: takes Order.amount string", "gone: takes Order.id string", "gone: takes Order.theme string"];
        check("/paths/~1payments", Value::Null, &[&fields[..], &operation, &takes, &theme].concat());
        check("post/parameters", json!([]), &operation[1..2]);
        check("post/responses/201", Value::Null, &operation[2..]);
        check("/webhooks/paid", Value::Null, &["gone: webhook paid"]);
        check("schemas/Order/properties/theme", Value::Null, &[&fields[2..], &takes[3..], &theme].concat());
        check("schemas/Order/properties/theme/enum", json!(["LIGHT"]), &theme[..1]);
        check("schemas/Order/properties/amount/type", json!("string"), &takes[..1]);
        check("schemas/Order/required", json!(["id", "amount"]), &["new: required Order.amount"]);
        check("schemas/Payment/required", Value::Null, &["gone: always Payment.status"]);
        check("schemas/Payment/properties/note/type", json!(["string", "null"]), &["new: gives Payment.note null"]);
        check("schemas/Status/enum", json!(["NEW"]), &["gone: value answer Status \"PAID\""]);
        check("schemas/Status/type", json!("integer"), &["new: gives Payment.status integer"]);
        check("post/parameters", required, &["new: required POST /payments ?limit"]);

        let field = json!({"type": ["object", "null"], "required": ["a"], "properties": {"a": {"type": "string"}}});
        let operation = json!({"parameters": [{"in": "query", "name": "id", "required": true, "schema": {"type": "string"}}]});
        for (pointer, change) in [
            ("schemas/Order/properties/more", field.clone()),
            ("schemas/Payment/properties/more", field),
            ("schemas/Order/required", Value::Null),
            ("schemas/Payment/required", json!(["note", "status"])),
            ("schemas/Order/properties/id/type", json!(["string", "null"])),
            ("schemas/Order/properties/theme/enum", json!(["AUTO", "DARK", "LIGHT"])),
            ("schemas/Order/description", json!("other words")),
            ("/webhooks/refunded", document()["webhooks"]["paid"].clone()),
            ("/paths/~1refunds", json!({"get": operation})),
        ] {
            check(pointer, change, &[]);
        }
    }
}
