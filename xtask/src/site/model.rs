//! The types of the public API for scripts, from the OpenAPI document.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// The module that scripts import the types from.
pub(super) const MODULE: &str = "gateway-api";

/// A type for each schema of the document.
pub(super) fn types(document: &Value) -> String {
    let mut text = format!("declare module \"{MODULE}\" {{\n");
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        let _ = writeln!(text, "  export type {name} = {};", type_of(schema));
    }
    text.push_str("}\n");
    text
}

fn type_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return name.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if let Some(words) = schema["enum"].as_array() {
        return union(words.iter().map(Value::to_string));
    }
    if !schema["const"].is_null() {
        return schema["const"].to_string();
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(all) = schema[key].as_array() {
            return union(all.iter().map(type_of));
        }
    }
    if let Some([one]) = schema["allOf"].as_array().map(Vec::as_slice) {
        return type_of(one);
    }
    match &schema["type"] {
        Value::String(kind) => of_kind(kind, schema),
        Value::Array(kinds) => {
            union(kinds.iter().filter_map(Value::as_str).map(|kind| of_kind(kind, schema)))
        }
        _ => "unknown".to_owned(),
    }
}

fn of_kind(kind: &str, schema: &Value) -> String {
    match kind {
        "integer" => "number".to_owned(),
        "array" => format!("({})[]", type_of(&schema["items"])),
        "object" => schema["properties"].as_object().map_or_else(
            || format!("Record<string, {}>", type_of(&schema["additionalProperties"])),
            |properties| object(properties, &schema["required"]),
        ),
        other => other.to_owned(),
    }
}

fn object(properties: &Map<String, Value>, required: &Value) -> String {
    let is_required = |name: &str| required.as_array().is_some_and(|all| all.iter().any(|one| one == name));
    let fields = properties.iter().map(|(name, schema)| {
        let mark = if is_required(name) { "" } else { "?" };
        format!("{name:?}{mark}: {}", type_of(schema))
    });
    format!("{{ {} }}", fields.collect::<Vec<_>>().join("; "))
}

fn union(types: impl Iterator<Item = String>) -> String {
    types.collect::<Vec<_>>().join(" | ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{type_of, types};

    #[test]
    fn schemas_become_types() {
        let check = |schema: serde_json::Value, expected: &str| assert_eq!(type_of(&schema), expected);
        check(json!({"type": "string"}), "string");
        check(json!({"type": "integer", "minimum": 0}), "number");
        check(json!({"type": ["string", "null"]}), "string | null");
        check(json!({"enum": ["A", "B"], "type": "string"}), "\"A\" | \"B\"");
        check(json!({"$ref": "#/components/schemas/Payment"}), "Payment");
        check(json!({"allOf": [{"$ref": "#/components/schemas/Payment"}]}), "Payment");
        check(
            json!({"type": "object", "additionalProperties": {"type": "string"}}),
            "Record<string, string>",
        );
        check(
            json!({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "number"}]}}),
            "(string | number)[]",
        );
        check(
            json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "boolean"}}, "required": ["a"]}),
            "{ \"a\": string; \"b\"?: boolean }",
        );
        check(json!({"type": "object"}), "Record<string, unknown>");
        check(json!({}), "unknown");
        let document = json!({"components": {"schemas": {"A": {"type": "string"}}}});
        assert_eq!(types(&document), "declare module \"gateway-api\" {\n  export type A = string;\n}\n");
    }
}
