//! Schemas as lists of fields.

use std::fmt::Write as _;

use serde_json::Value;

use super::html::{inline, string, text};

/// The maximum nesting shown; no object of the interface is deeper.
const DEPTH: usize = 5;

/// The fields of an object, or of the objects of an array; empty for plain values.
pub(super) fn draw(document: &Value, schema: &Value) -> String {
    let mut page = String::new();
    object(document, schema, DEPTH, &mut page);
    page
}

fn object(document: &Value, schema: &Value, depth: usize, page: &mut String) {
    let schema = core_of(document, schema);
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    if depth == 0 {
        return;
    }
    page.push_str("<ul class=\"fields\">");
    for (name, field) in properties {
        let required = schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
        page.push_str("<li>");
        head(name, &kind(document, field), required, page);
        let inner = core_of(document, field);
        let own = string(field, "description");
        let about = if own.is_empty() { string(inner, "description") } else { own };
        if !about.is_empty() {
            let _ = write!(page, "<p>{}</p>", inline(about));
        }
        words(inner, page);
        if inner.get("properties").is_some() {
            page.push_str("<details><summary>Fields</summary>");
            object(document, inner, depth - 1, page);
            page.push_str("</details>");
        }
        page.push_str("</li>");
    }
    page.push_str("</ul>");
}

/// Parameters and headers, in the form of fields.
pub(super) fn parameters<'a>(
    document: &Value,
    parameters: impl Iterator<Item = (&'a str, &'a Value)>,
) -> String {
    let mut page = String::from("<ul class=\"fields\">");
    for (name, parameter) in parameters {
        page.push_str("<li>");
        let place = string(parameter, "in");
        let kind = kind(document, &parameter["schema"]);
        let kind = if place.is_empty() { kind } else { format!("{kind}, in {place}") };
        head(name, &kind, parameter["required"] == true && !place.is_empty(), &mut page);
        let _ = write!(page, "<p>{}</p>", inline(string(parameter, "description")));
        words(resolve(document, &parameter["schema"]), &mut page);
        page.push_str("</li>");
    }
    page.push_str("</ul>");
    page
}

fn head(name: &str, kind: &str, required: bool, page: &mut String) {
    let badge = if required { "<span class=\"required\">required</span>" } else { "" };
    let _ = write!(
        page,
        "<div class=\"field\"><code>{}</code> <span class=\"kind\">{}</span> {badge}</div>",
        text(name),
        text(kind)
    );
}

/// The allowed values.
fn words(schema: &Value, page: &mut String) {
    let Some(words) = schema.get("enum").and_then(Value::as_array) else { return };
    page.push_str("<p class=\"words\">");
    for word in words.iter().filter_map(Value::as_str) {
        let _ = write!(page, "<code>{}</code> ", text(word));
    }
    page.push_str("</p>");
}

/// The type as text.
pub(super) fn kind(document: &Value, schema: &Value) -> String {
    if schema["type"] == "array" {
        return format!("array of {}", kind(document, &schema["items"]));
    }
    let schema = resolve(document, schema);
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).filter(|one| *one != "null").collect(),
        one => one.as_str().into_iter().collect(),
    };
    let mut kind = if types.is_empty() { "value".to_owned() } else { types.join(" or ") };
    if let "uuid" | "uri" = string(schema, "format") {
        let _ = write!(kind, " ({})", string(schema, "format").to_ascii_uppercase());
    }
    if let (Some(least), Some(most)) = (schema["minimum"].as_u64(), schema["maximum"].as_u64()) {
        let _ = write!(kind, " from {least} to {most}");
    }
    kind
}

/// The object that a schema refers to, directly or as an array item.
fn core_of<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let schema = resolve(document, schema);
    if schema["type"] == "array" { resolve(document, &schema["items"]) } else { schema }
}

/// The target of a reference, also as the first alternative: the second one is `null`.
pub(super) fn resolve<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let schema = schema.pointer("/anyOf/0").unwrap_or(schema);
    let pointer = string(schema, "$ref");
    pointer.strip_prefix('#').and_then(|pointer| document.pointer(pointer)).unwrap_or(schema)
}
