//! The OpenAPI document: what the clients are generated from, and what they rely on.

pub(crate) mod compatible;
mod facts;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value, json};

use crate::workspace::Workspace;
use crate::{Outcome, files, process, setup};

/// The document that a test of the gateway keeps up to date.
const DOCUMENT: &str = "gateway/src/http/openapi/snapshot.json";

const SCHEMAS: &str = "#/components/schemas/";

/// Tags of operations that no back end calls.
const NOT_FOR_BACK_ENDS: &[&str] = &["Hosted checkout", "Operations", "Sandbox"];

/// Writes the types of a document's schemas; returns the file.
pub(crate) fn typescript(workspace: &Workspace, name: &str, document: &Value) -> Outcome<PathBuf> {
    let [json, types] = ["json", "d.ts"].map(|end| workspace.scratch().join(format!("{name}.{end}")));
    files::write(&json, document.to_string())?;
    let mut generator = Command::new(
        setup::npm_packages(workspace, &setup::CLIENT)?.join("node_modules/.bin/openapi-typescript"),
    );
    generator.arg(&json).args(["--root-types", "--root-types-no-schema-prefix", "--output"]);
    process::capture(generator.arg(&types).current_dir(workspace.scratch()))?;
    Ok(types)
}

pub(crate) fn document(root: &Path) -> Outcome<Value> {
    json(&root.join(DOCUMENT))
}

pub(crate) fn json(path: &Path) -> Outcome<Value> {
    serde_json::from_slice(&files::read(path)?).map_err(|error| format!("{}: {error}.", path.display()))
}

/// The part that back ends use: parameters and bodies of their operations, good answers, webhooks, and the schemas of these.
pub(crate) fn for_back_ends(mut document: Value) -> Value {
    let mut paths = Map::new();
    for (path, mut operations) in object(document["paths"].take()) {
        for operation in operations.as_object_mut().into_iter().flat_map(Map::values_mut) {
            reduce(operation);
        }
        if let Some(kept) = operations.as_object_mut() {
            kept.retain(|_, operation| !is_for_others(operation));
            if !kept.is_empty() {
                paths.insert(path, operations);
            }
        }
    }
    document["paths"] = paths.into();
    let all = object(document["components"]["schemas"].take());
    document["components"] = json!({});
    let mut used = BTreeSet::new();
    references(&document, &mut used);
    let mut read = BTreeSet::new();
    while let Some(name) = used.difference(&read).next().cloned() {
        references(all.get(&name).unwrap_or(&Value::Null), &mut used);
        read.insert(name);
    }
    document["components"]["schemas"] = all.into_iter().filter(|(name, _)| used.contains(name)).collect();
    document
}

fn is_for_others(operation: &Value) -> bool {
    items(&operation["tags"]).filter_map(Value::as_str).any(|tag| NOT_FOR_BACK_ENDS.contains(&tag))
}

/// Leaves out the headers, and the answers that become exceptions.
fn reduce(operation: &mut Value) {
    if let Some(parameters) = operation["parameters"].as_array_mut() {
        parameters.retain(|parameter| ["path", "query"].map(Value::from).contains(&parameter["in"]));
    }
    if let Some(responses) = operation["responses"].as_object_mut() {
        responses.retain(|status, _| status.starts_with('2'));
        for response in responses.values_mut().filter_map(Value::as_object_mut) {
            response.remove("headers");
        }
    }
}

/// Adds the names of the schemas that a value refers to.
fn references(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            let name = fields.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix(SCHEMAS));
            names.extend(name.map(str::to_owned));
            fields.values().for_each(|field| references(field, names));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

pub(crate) fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

pub(crate) fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(fields) = value { fields } else { Map::new() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::for_back_ends;

    #[test]
    #[rustfmt::skip]
    fn keeps_what_back_ends_use() {
        let reference = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
        let webhooks = json!({"paid": {"post": {"requestBody": reference("Paid")}}});
        let order = json!({"properties": {"status": reference("Status")}});
        let document = json!({
            "paths": {
                "/payments": {"post": {
                    "tags": ["Payments"], "requestBody": reference("Order"),
                    "parameters": [{"in": "query", "name": "limit"}, {"$ref": "#/components/parameters/X-Request-Id"}],
                    "responses": {"201": {"headers": {}, "content": reference("Payment")}, "409": reference("Problem")},
                }},
                "/sandbox/blocks": {"post": {"tags": ["Sandbox"], "requestBody": reference("Mine")}},
            },
            "webhooks": webhooks,
            "components": {"parameters": {}, "schemas": {"Order": order, "Status": {}, "Payment": {}, "Paid": {}, "Problem": {}, "Mine": {}}},
        });
        let expected = json!({
            "paths": {"/payments": {"post": {
                "tags": ["Payments"], "requestBody": reference("Order"), "parameters": [{"in": "query", "name": "limit"}],
                "responses": {"201": {"content": reference("Payment")}},
            }}},
            "webhooks": webhooks,
            "components": {"schemas": {"Order": order, "Status": {}, "Payment": {}, "Paid": {}}},
        });
        assert_eq!(for_back_ends(document), expected);
    }
}
