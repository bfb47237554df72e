//! Checks every answer in the tests against the OpenAPI document: status, media type, headers, error code and every
//! field of the body.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::http::{HeaderMap, Method};
use checkout_core::chain::CHAINS;
use checkout_domain::chain::opt_ins::OptIns;
use checkout_gateway::service::App;
use jsonschema::Validator;
use serde_json::{Value, json};

use super::Answer;
use crate::{document, document_with};

static CONTRACT: LazyLock<Contract> = LazyLock::new(|| Contract::of(document(true)));

/// Of a gateway with every network beyond the interface.
static OF_ALL_NETWORKS: LazyLock<Contract> =
    LazyLock::new(|| Contract::of(document_with(true, &OptIns::of(CHAINS.iter().map(|row| row.network)))));

struct Contract {
    document: Value,
    /// By operation and status, or by the name of the callback.
    validators: BTreeMap<String, Validator>,
}

impl Contract {
    fn of(mut document: Value) -> Self {
        // Undocumented fields are errors here, although clients must ignore them.
        for schema in document["components"]["schemas"].as_object_mut().unwrap().values_mut() {
            if schema.get("properties").is_some() {
                schema["additionalProperties"] = json!(false);
            }
        }
        let mut validators = BTreeMap::new();
        for item in document["paths"].as_object().unwrap().values() {
            for operation in item.as_object().unwrap().values() {
                for (status, response) in operation["responses"].as_object().unwrap() {
                    let Some(content) = response["content"].as_object() else { continue };
                    let schema = content.values().next().unwrap().get("schema");
                    if let Some(schema) = schema {
                        let key = format!("{} {status}", operation["operationId"].as_str().unwrap());
                        validators.insert(key, validator(&document, schema));
                    }
                }
            }
        }
        for (name, item) in document["webhooks"].as_object().unwrap() {
            let content = &item["post"]["requestBody"]["content"]["application/json"];
            validators.insert(name.clone(), validator(&document, &content["schema"]));
        }
        Self { document, validators }
    }

    fn operation(&self, method: &Method, path: &str) -> Option<&Value> {
        let segments: Vec<&str> = path.split('/').collect();
        let fits = |template: &str| {
            let parts: Vec<&str> = template.split('/').collect();
            let mut pairs = parts.iter().zip(&segments);
            parts.len() == segments.len()
                && pairs
                    .all(|(part, segment)| part == segment || (part.starts_with('{') && !segment.is_empty()))
        };
        let paths = self.document["paths"].as_object().unwrap();
        // A literal path segment takes precedence over a parameter: `/a/c` over `/a/{b}`.
        let mut found: Vec<_> = paths.iter().filter(|(template, _)| fits(template)).collect();
        found.sort_by_key(|(template, _)| template.matches('{').count());
        found.first()?.1.get(method.as_str().to_ascii_lowercase())
    }

    #[track_caller]
    fn validate(&self, key: &str, body: &Value) {
        let Some(validator) = self.validators.get(key) else { return };
        let errors: Vec<String> =
            validator.iter_errors(body).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{key} breaks its schema: {errors:#?}\n{body:#}");
    }
}

fn validator(document: &Value, schema: &Value) -> Validator {
    let mut schema = schema.clone();
    schema["components"] = document["components"].clone();
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}

/// Returns the id of the operation that a request calls.
pub(super) fn operation_id(method: &Method, path: &str) -> Option<&'static str> {
    CONTRACT.operation(method, path)?["operationId"].as_str()
}

#[track_caller]
pub(super) fn check(method: &Method, path: &str, answer: &Answer, app: &App) {
    let contract = if app.opt_ins().networks().is_empty() { &CONTRACT } else { &OF_ALL_NETWORKS };
    let Some(operation) = contract.operation(method, path) else { return };
    let id = operation["operationId"].as_str().unwrap();
    if operation["tags"][0] == "Sandbox" && !app.policy.sandbox {
        return;
    }
    let status = answer.status.as_str();
    let response = &operation["responses"][status];
    assert!(response.is_object(), "{id} does not document {status}: {answer:?}");
    for name in response["headers"].as_object().unwrap().keys() {
        assert!(answer.headers.contains_key(name), "{id} {status} lacks the header {name}");
    }
    check_media_type(id, response, &answer.headers);
    if let Some(code) = answer.json["code"].as_str() {
        let codes = response["description"].as_str().unwrap();
        assert!(codes.contains(&format!("`{code}`")), "{id} does not document {code} for {status}");
    }
    if answer.header("content-type").is_some_and(|line| line.ends_with("json")) {
        contract.validate(&format!("{id} {status}"), &answer.json);
    }
}

fn check_media_type(id: &str, response: &Value, headers: &HeaderMap) {
    let told: Vec<&String> =
        response["content"].as_object().map_or_else(Vec::new, |content| content.keys().collect());
    let sent = headers.get("content-type").map(|line| line.to_str().unwrap());
    let is_told = sent.map_or(told.is_empty(), |sent| told.iter().any(|told| *told == sent));
    assert!(is_told, "{id}: the media type {sent:?} is none of {told:?}");
}

/// Checks a body against the schema of a webhook.
#[track_caller]
pub(super) fn check_event(name: &str, body: &Value) {
    assert!(CONTRACT.validators.contains_key(name), "{name}");
    CONTRACT.validate(name, body);
}

/// Checks the body of a callback.
#[track_caller]
pub(super) fn check_callback(body: &Value) {
    let own = if body.get("depositId").is_some() { "depositReceived" } else { "withdrawalEnded" };
    check_event(body["type"].as_str().unwrap_or(own), body);
}
