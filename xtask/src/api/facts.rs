//! What clients rely on in an OpenAPI document, one fact a line.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{SCHEMAS, entries, items, operations};

const SANDBOX: &str = "Sandbox";

/// Who writes a value: a client in a request, or the gateway in an answer or a webhook.
type Side = &'static str;

const REQUEST: Side = "request";
const ANSWER: Side = "answer";

pub(super) fn of(document: &Value) -> BTreeSet<String> {
    let mut reader = Reader { document, facts: BTreeSet::new(), read: BTreeSet::new() };
    for (method, path, operation) in operations(document) {
        reader.operation(&format!("{} {path}", method.to_ascii_uppercase()), operation);
    }
    for (name, webhook) in entries(&document["webhooks"]) {
        reader.facts.insert(format!("webhook {name}"));
        reader.content(&webhook["post"]["requestBody"], name, ANSWER);
    }
    reader.facts
}

struct Reader<'a> {
    document: &'a Value,
    facts: BTreeSet<String>,
    /// Schemas that were read; they may refer to themselves.
    read: BTreeSet<(&'a str, Side)>,
}

impl<'a> Reader<'a> {
    fn operation(&mut self, name: &str, operation: &'a Value) {
        if items(&operation["tags"]).any(|tag| tag == SANDBOX) {
            return;
        }
        self.facts.insert(format!("operation {name}"));
        for parameter in items(&operation["parameters"]) {
            let Some(parameter_name) = parameter["name"].as_str() else { continue };
            let place = format!("{name} ?{parameter_name}");
            self.facts.insert(format!("parameter {place}"));
            if parameter["required"] == true {
                self.facts.insert(format!("required {place}"));
            }
            self.schema(&parameter["schema"], &place, REQUEST);
        }
        self.content(&operation["requestBody"], name, REQUEST);
        for (status, response) in
            entries(&operation["responses"]).filter(|(status, _)| status.starts_with('2'))
        {
            self.facts.insert(format!("response {name} {status}"));
            self.content(response, &format!("{name} {status}"), ANSWER);
        }
    }

    fn content(&mut self, body: &'a Value, place: &str, side: Side) {
        for (_, content) in entries(&body["content"]) {
            self.schema(&content["schema"], place, side);
        }
    }

    /// The facts of a schema at a place: the name of the schema with that of the field, or an operation.
    fn schema(&mut self, schema: &'a Value, place: &str, side: Side) {
        if schema.is_null() {
            return;
        }
        if let Some((name, named)) = self.named(schema)
            && self.read.insert((name, side))
        {
            self.schema(named, name, side);
        }
        joined(schema).for_each(|one| self.schema(one, place, side));
        for value in items(&schema["enum"]).chain(Some(&schema["const"]).filter(|value| !value.is_null())) {
            self.facts.insert(format!("value {side} {place} {value}"));
        }
        self.schema(&schema["items"], &format!("{place}[]"), side);
        if !schema["properties"].is_null() {
            self.facts.insert(format!("object {side} {place}"));
        }
        let (taken, demanded) = if side == REQUEST { ("takes", "required") } else { ("gives", "always") };
        for (name, property) in entries(&schema["properties"]) {
            let place = format!("{place}.{name}");
            self.facts.insert(format!("field {side} {place}"));
            let kinds = self.kinds(property).into_iter();
            self.facts.extend(kinds.map(|kind| format!("{taken} {place} {kind}")));
            self.schema(property, &place, side);
        }
        let names = items(&schema["required"]).filter_map(Value::as_str);
        self.facts.extend(names.map(|name| format!("{demanded} {place}.{name}")));
    }

    /// The JSON types of a value; a reference is followed.
    fn kinds(&self, schema: &'a Value) -> Vec<&'a str> {
        let named = self.named(schema).map(|(_, named)| named);
        let own = schema["type"].as_str().into_iter().chain(items(&schema["type"]).filter_map(Value::as_str));
        named.into_iter().chain(joined(schema)).flat_map(|one| self.kinds(one)).chain(own).collect()
    }

    /// The schema that a reference names.
    fn named(&self, schema: &'a Value) -> Option<(&'a str, &'a Value)> {
        let name = schema["$ref"].as_str()?.strip_prefix(SCHEMAS)?;
        Some((name, &self.document["components"]["schemas"][name]))
    }
}

fn joined(schema: &Value) -> impl Iterator<Item = &Value> {
    ["allOf", "anyOf", "oneOf"].into_iter().flat_map(|key| items(&schema[key]))
}
