//! What clients rely on in an OpenAPI document, one fact a line.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{SCHEMAS, entries, items};

const SANDBOX: &str = "Sandbox";
const METHODS: [&str; 5] = ["delete", "get", "patch", "post", "put"];

/// Who writes a value: a client in a request, or the gateway in an answer or a webhook.
type Side = &'static str;

const REQUEST: Side = "request";
const ANSWER: Side = "answer";

/// Each fact with the fact that it is about: what is new about something new breaks nobody.
pub(super) type Facts = BTreeMap<String, Option<String>>;

pub(super) fn of(document: &Value) -> Facts {
    let mut reader = Reader { document, facts: Facts::new(), read: BTreeSet::new() };
    for (path, operations) in entries(&document["paths"]) {
        for method in METHODS {
            reader.operation(&format!("{} {path}", method.to_ascii_uppercase()), &operations[method]);
        }
    }
    for (name, webhook) in entries(&document["webhooks"]) {
        reader.add(format!("webhook {name}"), None);
        reader.content(&webhook["post"]["requestBody"], name, ANSWER);
    }
    reader.facts
}

struct Reader<'a> {
    document: &'a Value,
    facts: Facts,
    /// Schemas that were read; they may refer to themselves.
    read: BTreeSet<(&'a str, Side)>,
}

impl<'a> Reader<'a> {
    fn add(&mut self, fact: String, about: Option<&str>) {
        self.facts.insert(fact, about.map(str::to_owned));
    }

    fn operation(&mut self, name: &str, operation: &'a Value) {
        if operation.is_null() || items(&operation["tags"]).any(|tag| tag == SANDBOX) {
            return;
        }
        let fact = format!("operation {name}");
        self.add(fact.clone(), None);
        for parameter in items(&operation["parameters"]) {
            let Some(parameter_name) = parameter["name"].as_str() else { continue };
            let place = format!("{name} ?{parameter_name}");
            self.add(format!("parameter {place}"), None);
            if parameter["required"] == true {
                self.add(format!("required {place}"), Some(&fact));
            }
            self.schema(&parameter["schema"], &place, REQUEST);
        }
        self.content(&operation["requestBody"], name, REQUEST);
        for (status, response) in
            entries(&operation["responses"]).filter(|(status, _)| status.starts_with('2'))
        {
            self.add(format!("response {name} {status}"), None);
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
        if let Some(name) = schema["$ref"].as_str().and_then(|text| text.strip_prefix(SCHEMAS))
            && self.read.insert((name, side))
        {
            self.schema(&self.document["components"]["schemas"][name], name, side);
        }
        for key in ["allOf", "anyOf", "oneOf"] {
            items(&schema[key]).for_each(|one| self.schema(one, place, side));
        }
        for value in items(&schema["enum"]).chain(Some(&schema["const"]).filter(|value| !value.is_null())) {
            self.add(format!("value {side} {place} {value}"), None);
        }
        self.schema(&schema["items"], &format!("{place}[]"), side);
        if !schema["properties"].is_null() {
            self.add(format!("object {side} {place}"), None);
        }
        for (name, property) in entries(&schema["properties"]) {
            self.field(property, &format!("{place}.{name}"), side);
        }
        for name in items(&schema["required"]).filter_map(Value::as_str) {
            let (word, about) = match side {
                REQUEST => ("required", Some(format!("object {side} {place}"))),
                _ => ("always", None),
            };
            self.add(format!("{word} {place}.{name}"), about.as_deref());
        }
    }

    fn field(&mut self, property: &'a Value, place: &str, side: Side) {
        let fact = format!("field {side} {place}");
        self.add(fact.clone(), None);
        let (word, about) = match side {
            REQUEST => ("takes", None),
            _ => ("gives", Some(fact.as_str())),
        };
        let mut kinds = BTreeSet::new();
        self.kinds(property, &mut kinds);
        for kind in kinds {
            self.add(format!("{word} {place} {kind}"), about);
        }
        self.schema(property, place, side);
    }

    /// The JSON types of a value; a reference is followed.
    fn kinds(&self, schema: &'a Value, found: &mut BTreeSet<&'a str>) {
        if let Some(name) = schema["$ref"].as_str().and_then(|text| text.strip_prefix(SCHEMAS)) {
            self.kinds(&self.document["components"]["schemas"][name], found);
        }
        for key in ["allOf", "anyOf", "oneOf"] {
            items(&schema[key]).for_each(|one| self.kinds(one, found));
        }
        found.extend(schema["type"].as_str());
        found.extend(items(&schema["type"]).filter_map(Value::as_str));
    }
}
