//! The OpenAPI document is complete and equals the reviewed snapshot.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use axum::http::Method;
use checkout_gateway::http::requests::fields::asked;
use serde_json::{Value, json};

use super::World;
use crate::document;

/// If set, the tests write the snapshot files instead of comparing them.
pub(super) const BLESS: &str = "CHECKOUT_BLESS";

#[track_caller]
pub(super) fn assert_same_as_file(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/http/openapi").join(name);
    if std::env::var_os(BLESS).is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = known.lines().zip(text.lines()).position(|(known, new)| known != new);
    assert!(
        known == text,
        "{name} differs from line {} on. If that is intended, run this test with {BLESS}=1 and review the difference.",
        differs.unwrap_or(known.lines().count().min(text.lines().count())) + 1
    );
}

#[test]
fn snapshot() {
    let mut document = document(true);
    // Examples have a separate file.
    remove_examples(&mut document);
    let text = serde_json::to_string_pretty(&document).unwrap() + "\n";
    assert_same_as_file("snapshot.json", &text);
}

fn remove_examples(value: &mut Value) {
    match value {
        Value::Object(all) => {
            all.remove("example");
            all.values_mut().for_each(remove_examples);
        }
        Value::Array(all) => all.iter_mut().for_each(remove_examples),
        _ => {}
    }
}

/// Returns name, property and schema of every named object with properties.
fn properties(document: &Value) -> Vec<(String, String, Value)> {
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let fields = |(name, schema): (&String, &Value)| {
        let properties = schema["properties"].as_object().cloned().unwrap_or_default();
        properties.into_iter().map(|(property, schema)| (name.clone(), property, schema)).collect::<Vec<_>>()
    };
    schemas.iter().flat_map(fields).collect()
}

#[test]
fn every_field_has_a_description() {
    let document = document(true);
    for (schema, property, field) in properties(&document) {
        assert!(field["description"].is_string(), "{schema}.{property} lacks a doc comment");
    }
    for operation in operations(&document) {
        let parameters = operation["parameters"].as_array().unwrap().iter();
        for parameter in parameters.filter(|one| one.get("$ref").is_none()) {
            let about = parameter["description"].as_str().unwrap();
            assert!(!about.is_empty(), "{} lacks a description", parameter["name"]);
        }
    }
}

fn operations(document: &Value) -> Vec<Value> {
    let items = document["paths"].as_object().unwrap().values();
    items.flat_map(|item| item.as_object().unwrap().values().cloned()).collect()
}

/// The gateway reads exactly the fields that the document describes.
#[tokio::test]
async fn exactly_the_fields_that_are_read_are_described() {
    let world = World::new().await;
    let document = document(true);
    let created = world.create(json!({})).await;
    let (organisation, session) = (world.organisation_key().await, created.session_token());
    let (_, secret) = world.counter(json!({})).await;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let content = &operation["requestBody"]["content"]["application/json"];
            let described: BTreeSet<String> = if let Some(name) = content["schema"]["$ref"].as_str() {
                let schema = document.pointer(&name[1..]).unwrap();
                schema["properties"].as_object().unwrap().keys().cloned().collect()
            } else if method == "get" && !path.starts_with("/checkout/") {
                let parameters = operation["parameters"].as_array().unwrap().iter();
                let parameters = parameters.filter(|one| one["in"] == "query");
                parameters.map(|one| one["name"].as_str().unwrap().to_owned()).collect()
            } else {
                continue;
            };
            let path = path.replace("{paymentId}", &created.payment_id()).replace("{coin}", "BTC");
            let path = path.replace("{id}", &world.business.id.to_string());
            let method = Method::from_bytes(method.to_ascii_uppercase().as_bytes()).unwrap();
            let is_managed = operation["security"] == json!([{"organisationKey": []}]);
            let is_of_payer = operation["security"] == json!([{"sessionToken": []}]);
            let token = match (is_managed, is_of_payer) {
                (true, _) => &organisation,
                (false, true) => &session,
                (false, false) if operation["security"] == json!([{"counterSecret": []}]) => &secret,
                (false, false) => &world.token,
            };
            asked::take();
            world.call(method, &path, Some(token), content.get("example")).await;
            assert_eq!(asked::take(), described, "{path}");
        }
    }
}

#[test]
fn every_body_has_a_real_example() {
    for operation in operations(&document(true)) {
        let id = &operation["operationId"];
        if let Some(content) = operation["requestBody"]["content"].as_object() {
            assert!(content["application/json"]["example"].is_object(), "{id}: the request");
        }
        for (status, response) in operation["responses"].as_object().unwrap() {
            let content = &response["content"]["application/json"];
            if content["schema"].get("$ref").is_some() && status != "200" || status == "201" {
                assert!(!content["example"].is_null(), "{id}: {status}");
            }
        }
        let sound =
            ["200", "201"].map(|status| &operation["responses"][status]["content"]["application/json"]);
        // Also a list, such as `[{…}]`: a new endpoint is called in the story of `examples.rs`.
        if sound.iter().any(|content| content["schema"].is_object()) {
            assert!(sound.iter().any(|content| !content["example"].is_null()), "{id}");
        }
    }
}

#[test]
fn ids_are_unique_and_links_are_valid() {
    let document = document(true);
    let operations = operations(&document);
    let ids: Vec<&str> = operations.iter().map(|one| one["operationId"].as_str().unwrap()).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    for operation in &operations {
        for response in operation["responses"].as_object().unwrap().values() {
            for link in response["links"].as_object().into_iter().flat_map(|links| links.values()) {
                assert!(ids.contains(&link["operationId"].as_str().unwrap()), "{link}");
            }
        }
    }
}

/// Visits every value below `value` with its path.
fn visit(value: &Value, path: &str, see: &mut impl FnMut(&str, &Value)) {
    see(path, value);
    match value {
        Value::Object(all) => all.iter().for_each(|(name, one)| visit(one, &format!("{path}/{name}"), see)),
        Value::Array(all) => {
            all.iter().enumerate().for_each(|(place, one)| visit(one, &format!("{path}/{place}"), see));
        }
        _ => {}
    }
}

/// A client has one type for each list of words, with a good name.
#[test]
fn every_list_of_words_is_written_once() {
    let document = document(true);
    let mut lists: BTreeMap<String, String> = BTreeMap::new();
    let mut named = BTreeSet::new();
    visit(&document, "", &mut |path, value| {
        let Some(words) = value.get("enum").filter(|words| words.is_array() && !path.contains("/example"))
        else {
            return;
        };
        let name = path.strip_prefix("/components/schemas/").filter(|rest| !rest.contains('/'));
        if let Some(name) = name {
            named.insert(name.to_owned());
            // Two lists may have the same words and different meanings, under two names.
            return;
        }
        let earlier = lists.insert(words.to_string(), path.to_owned());
        assert!(earlier.is_none(), "{words} is at {path} and at {}: name it", earlier.unwrap());
    });
    for name in &named {
        let words = document["components"]["schemas"][name]["enum"].to_string();
        assert!(!lists.contains_key(&words), "{name} is written out at {}", lists[&words]);
    }
    for name in ["Currency", "FiatCurrency", "Asset", "Network", "Locale", "PaymentStatus", "RateType"] {
        assert!(named.contains(name), "{name} is not in {named:?}");
    }
}

/// Rules of Redocly's recommended set that no other test covers.
#[test]
fn every_operation_has_security_and_a_success() {
    let document = document(true);
    let webhooks = document["webhooks"].as_object().unwrap().values().map(|item| item["post"].clone());
    for operation in operations(&document).into_iter().chain(webhooks) {
        let id = &operation["operationId"];
        assert!(operation["security"].is_array(), "{id}");
        let mut statuses = operation["responses"].as_object().unwrap().keys();
        assert!(statuses.any(|status| status.starts_with('2') || status == "default"), "{id}");
    }
}

#[test]
fn the_texts_do_not_contradict_each_other() {
    let document = document(true);
    let about = document["info"]["description"].as_str().unwrap();
    assert!(
        about.contains("With `outcome_unknown` or `timeout` the request was carried out or changed nothing")
    );
    // A new business and a new counter have no replay: what opens them is shown once.
    let is_shown_once =
        |one: &Value| one["operationId"] == "createBusiness" || one["operationId"] == "createCounter";
    let creates = |one: &&Value| one["responses"].get("201").is_some() && !is_shown_once(one);
    for operation in operations(&document).iter().filter(creates) {
        let replayed = operation["responses"]["200"]["description"].as_str().unwrap();
        // A refund has no callback that everybody gets: who asks again is told what became of it.
        let (answer, said) = match operation["operationId"].as_str() {
            Some("createRefund") => {
                ("The refund of an earlier, identical request", "the refund as it is then")
            }
            Some("createSaleLink") => ("The link of an earlier, identical request", "the link as it is then"),
            Some("createCounterSale") => {
                ("The sale of an earlier, identical request", "the sale as it is then")
            }
            Some("claimRefund") => ("The claim of an earlier, identical request", "the claim as it is then"),
            _ => ("The stored answer to an earlier, identical request", "the stored answer"),
        };
        assert!(replayed.starts_with(answer), "{replayed}");
        let about = operation["description"].as_str().unwrap();
        assert!(about.contains(&format!("the same request returns {said} with status 200")), "{about}");
    }
    visit(&document, "", &mut |path, value| {
        let text = value.as_str().unwrap_or_default();
        assert!(
            !text.contains("in its current state") && !text.contains("unless the code is"),
            "{path}: {text}"
        );
    });
}

#[test]
fn without_the_sandbox_its_control_api_is_not_described() {
    let paths = document(false)["paths"].clone();
    let paths: Vec<&String> = paths.as_object().unwrap().keys().collect();
    assert!(paths.iter().any(|path| *path == "/api/v1/payments"));
    assert!(!paths.iter().any(|path| path.starts_with("/sandbox") || *path == "/metrics"), "{paths:?}");
}

#[tokio::test]
async fn it_is_served() {
    let world = World::new().await;
    let answer = world.call(Method::GET, "/api/openapi.json", None, None).await;
    assert_eq!(answer.json, document(true));
}
