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

const METHODS: [&str; 5] = ["get", "post", "patch", "put", "delete"];

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
    let paths = fields(&mut document["paths"]);
    for operations in paths.values_mut().filter_map(Value::as_object_mut) {
        operations.retain(|_, operation| !is_for_others(operation));
        operations.values_mut().for_each(reduce);
    }
    paths.retain(|_, operations| entries(operations).next().is_some());
    let mut all = document["components"]["schemas"].take();
    document["components"] = json!({});
    let (mut used, mut read) = (BTreeSet::new(), BTreeSet::new());
    references(&document, &mut used);
    while let Some(name) = used.difference(&read).next().cloned() {
        references(&all[&name], &mut used);
        read.insert(name);
    }
    fields(&mut all).retain(|name, _| used.contains(name));
    document["components"]["schemas"] = all;
    document
}

fn is_for_others(operation: &Value) -> bool {
    items(&operation["tags"]).filter_map(Value::as_str).any(|tag| NOT_FOR_BACK_ENDS.contains(&tag))
}

/// Leaves out the headers, and the answers that become exceptions.
fn reduce(operation: &mut Value) {
    if let Some(parameters) = operation["parameters"].as_array_mut() {
        parameters.retain(|parameter| parameter["in"] == "path" || parameter["in"] == "query");
    }
    let responses = fields(&mut operation["responses"]);
    responses.retain(|status, _| status.starts_with('2'));
    responses.values_mut().for_each(|response| drop(fields(response).remove("headers")));
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

/// Method, path and description of each operation.
pub(crate) fn operations(document: &Value) -> impl Iterator<Item = (&'static str, &String, &Value)> {
    let of_path = |(path, item)| {
        METHODS.iter().filter_map(move |method| Some((*method, path, Value::get(item, method)?)))
    };
    entries(&document["paths"]).flat_map(of_path)
}

pub(crate) fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

pub(crate) fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

/// The fields of what the document has as an object.
fn fields(value: &mut Value) -> &mut Map<String, Value> {
    value.as_object_mut().expect("an OpenAPI document")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{document, entries, for_back_ends, references};
    use crate::workspace::Workspace;

    #[test]
    fn keeps_what_back_ends_use() {
        let workspace = Workspace::find().expect("the tests run in the repository");
        let ours = for_back_ends(document(&workspace.root).expect("a document"));
        let (mut used, text) = (BTreeSet::new(), ours.to_string());
        references(&ours, &mut used);
        let kept = entries(&ours["components"]["schemas"]).map(|(name, _)| name.clone());
        assert_eq!(kept.collect::<BTreeSet<_>>(), used);
        for (part, expected) in [
            ("\"/api/v1/payments\":", true),
            ("\"limit\"", true),
            ("\"webhooks\":", true),
            ("\"/api/v1/checkout/{paymentId}\":", false),
            ("\"/sandbox/blocks\":", false),
            ("#/components/parameters", false),
            ("\"headers\":", false),
            ("\"409\":", false),
        ] {
            assert_eq!(text.contains(part), expected, "{part}");
        }
    }
}
