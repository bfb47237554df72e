//! Schemas as tables of fields.

use std::fmt::Write as _;

use serde_json::Value;

use super::{cell, string};
use crate::api::{entries, items};

/// The fields of an object.
pub(super) fn table(document: &Value, schema: &Value) -> String {
    let schema = resolve(document, schema);
    let mut table = String::from("| field | type | meaning |\n|---|---|---|\n");
    for (name, field) in entries(&schema["properties"]) {
        let required = items(&schema["required"]).any(|one| one == name.as_str());
        row(name, &kind(field), required, about(document, field), &mut table);
    }
    table
}

pub(super) fn parameters(parameters: &[&Value]) -> String {
    let mut table = String::from("| parameter | type | meaning |\n|---|---|---|\n");
    for parameter in parameters {
        let kind = format!("{}, in the {}", kind(&parameter["schema"]), string(parameter, "in"));
        row(
            string(parameter, "name"),
            &kind,
            parameter["required"] == true,
            string(parameter, "description"),
            &mut table,
        );
    }
    table
}

fn row(name: &str, kind: &str, required: bool, about: &str, table: &mut String) {
    let required = if required { ", required" } else { "" };
    let _ = writeln!(table, "| `{name}` | {kind}{required} | {} |", cell(about));
}

/// The page of all schemas, which the other pages link to.
pub(super) fn objects(document: &Value) -> String {
    let mut page = String::from("# Objects\n\nThe objects and words of requests, responses and webhooks.\n");
    for (name, schema) in entries(&document["components"]["schemas"]) {
        let _ = write!(page, "\n## {name} {{#{name}}}\n\n{}\n", string(schema, "description"));
        if schema.get("properties").is_some() {
            let _ = write!(page, "\n{}", table(document, schema));
        } else if let Some(words) = words(schema) {
            let _ = write!(page, "\nOne of {words}.\n");
        } else {
            let _ = write!(page, "\nType: {}.\n", kind(schema));
        }
    }
    page
}

/// The type, with links to other objects.
pub(super) fn kind(schema: &Value) -> String {
    if let Some(name) = string(schema, "$ref").rsplit('/').next().filter(|name| !name.is_empty()) {
        return format!("[{name}](objects.md#{name})");
    }
    for key in ["anyOf", "oneOf"] {
        if schema.get(key).is_some() {
            let kinds: Vec<String> =
                items(&schema[key]).filter(|one| one["type"] != "null").map(kind).collect();
            return kinds.join(" or ");
        }
    }
    if let Some(words) = words(schema) {
        return words;
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).filter(|one| *one != "null").collect(),
        one => one.as_str().into_iter().collect(),
    };
    let types: Vec<String> = types.iter().map(|one| named(one, schema)).collect();
    if types.is_empty() { "any value".to_owned() } else { types.join(" or ") }
}

fn named(kind: &str, schema: &Value) -> String {
    match kind {
        "array" => format!("list of {}", self::kind(&schema["items"])),
        "string" => match string(schema, "format") {
            "uuid" => "UUID".to_owned(),
            "uri" => "URL".to_owned(),
            _ => "text".to_owned(),
        },
        "integer" => match (schema["minimum"].as_u64(), schema["maximum"].as_u64()) {
            (Some(least), Some(most)) => format!("integer, {least} to {most}"),
            _ => "integer".to_owned(),
        },
        other => other.to_owned(),
    }
}

/// The allowed words.
fn words(schema: &Value) -> Option<String> {
    if let Some(one) = schema["const"].as_str() {
        return Some(format!("`{one}`"));
    }
    let words = schema["enum"].as_array()?;
    Some(
        words.iter().filter_map(Value::as_str).map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
    )
}

/// The description of a field, or of what it refers to.
fn about<'a>(document: &'a Value, field: &'a Value) -> &'a str {
    let own = string(field, "description");
    if own.is_empty() { string(resolve(document, field), "description") } else { own }
}

fn resolve<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let target = schema.pointer("/anyOf/0").unwrap_or(schema);
    let pointer = string(target, "$ref");
    pointer.strip_prefix('#').and_then(|pointer| document.pointer(pointer)).unwrap_or(target)
}
