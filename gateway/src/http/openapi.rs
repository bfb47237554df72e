//! The interface as an OpenAPI 3.1 document. `aide` collects the routes, the types of their handlers and
//! their descriptions; this module adds the common parts.

mod headers;
pub mod operation;
mod opt_ins;
mod status;
pub mod tag;
mod webhooks;

use std::sync::OnceLock;

use aide::axum::ApiRouter;
use aide::generate;
use aide::openapi::{OpenApi, PathItem};
use aide::transform::TransformOperation;
use aide::transform::TransformPathItem;
use axum::Extension;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use checkout_domain::chain::opt_ins::OptIns;
use checkout_wire::Problem;
use schemars::generate::{Contract, SchemaSettings};
use serde_json::{Map, Value, json};

use self::operation::{Describe as _, SCOPES, page_of_person, refuse};

const DESCRIPTION: &str = include_str!("openapi/description.md");

/// Real requests and answers by operation; a test repeats and compares them.
const EXAMPLES: &str = include_str!("openapi/examples.json");

/// The security scheme of a business token, an organisation key and a session token.
pub(super) const BUSINESS: &str = "businessToken";
pub(super) const ORGANISATION: &str = "organisationKey";
pub(super) const SESSION: &str = "sessionToken";
/// That of the secret in the link of a counter.
pub(super) const COUNTER: &str = "counterSecret";

const SCHEMES: [(&str, &str); 4] = [
    (BUSINESS, "`biz_…`: for one business. `businessId` is optional."),
    (ORGANISATION, "`org_…`: for all businesses of the gateway. `businessId` is required."),
    (
        SESSION,
        "From `paymentUrl`, for the payer's browser: reads and updates its own payment. It expires a day after the \
         payment can no longer change.",
    ),
    (
        COUNTER,
        "`ctr_…`, from the link of a counter: makes and reads its own sales, until the counter is withdrawn.",
    ),
];

/// The document of a gateway.
pub struct Document {
    pub json: Value,
    text: OnceLock<String>,
}

pub(super) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("getOpenApi")
        .tag(tag::OPERATIONS)
        .summary("Get this document")
        .description(
            "The interface of this gateway as OpenAPI 3.1. In the sandbox it includes the control API.",
        )
        .answers_text(200, "The document.", "application/json")
}

pub(super) async fn handle(Extension(document): Extension<&'static Document>) -> Response {
    let text = document.text.get_or_init(|| document.json.to_string());
    ([(header::CONTENT_TYPE, "application/json")], text.as_str()).into_response()
}

/// Every operation of the path has a rate limit.
pub(super) fn limited(mut item: TransformPathItem<'_>) -> TransformPathItem<'_> {
    each_operation(item.inner_mut(), |operation| {
        refuse(operation, 429, &["too_many_requests"]);
        page_of_person(operation, 429);
    });
    item
}

fn each_operation(item: &mut PathItem, change: impl Fn(&mut aide::openapi::Operation)) {
    [&mut item.get, &mut item.post, &mut item.patch].into_iter().flatten().for_each(change);
}

impl Document {
    pub fn of<S: Clone + Send + Sync + 'static>(
        routes: impl FnOnce() -> ApiRouter<S>,
        opt_ins: &OptIns,
    ) -> Self {
        let mut json = write(routes);
        opt_ins::add(&mut json, opt_ins);
        Self { json, text: OnceLock::new() }
    }
}

fn write<S: Clone + Send + Sync + 'static>(routes: impl FnOnce() -> ApiRouter<S>) -> Value {
    generate::in_context(|context| {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = "#/components/schemas/".into();
            settings.meta_schema = None;
            settings.contract = Contract::Serialize;
        });
        context.schema = settings.into_generator();
        let _ = context.schema.subschema_for::<Problem>();
    });
    let routes = routes();
    let webhooks = generate::in_context(|context| webhooks::all(&mut context.schema));
    let mut api = OpenApi::default();
    let _: axum::Router<S> = routes.finish_api(&mut api);
    for item in api.paths.iter_mut().flat_map(|paths| paths.paths.values_mut()) {
        each_operation(item.as_item_mut().expect("paths are written in place"), |operation| {
            refuse(operation, 414, &["address_too_long"]);
            refuse(operation, 500, &["internal"]);
            refuse(operation, 503, &["timeout"]);
        });
    }
    let mut document = serde_json::to_value(api).expect("an OpenAPI document is JSON");
    let mut paths = document["paths"].take();
    let examples: Value = serde_json::from_str(EXAMPLES).expect("the examples are JSON");
    let mut used = Vec::new();
    for operation in operations(&mut paths) {
        used.push(operation["tags"][0].clone());
        complete(operation);
        add_examples(operation, &examples);
    }
    for name in bodies(&paths) {
        document["components"]["schemas"][name]["additionalProperties"] = false.into();
    }
    let tags = tag::ALL.into_iter().filter(|(name, _)| used.iter().any(|tag| tag == name));
    let scheme = |(name, description): (&str, &str)| {
        (name.to_owned(), json!({"type": "http", "scheme": "bearer", "description": description}))
    };
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Crypto Checkout",
            "summary": "Payments, withdrawals and address checks in nine cryptocurrencies.",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "MIT", "identifier": "MIT"},
            "description": DESCRIPTION,
        },
        "servers": [{"url": "/", "description": "The gateway that serves this document"}],
        "tags": tags.map(|(name, description)| json!({"name": name, "description": description})).collect::<Vec<_>>(),
        "paths": paths,
        "webhooks": webhooks,
        "components": {
            "schemas": document["components"]["schemas"],
            "parameters": {"X-Request-Id": headers::request_id()},
            "headers": headers::components(),
            "securitySchemes": SCHEMES.into_iter().map(scheme).collect::<Map<_, _>>(),
        },
    })
}

fn operations(paths: &mut Value) -> impl Iterator<Item = &mut Value> {
    let items = paths.as_object_mut().into_iter().flat_map(Map::values_mut);
    items.filter_map(Value::as_object_mut).flat_map(Map::values_mut)
}

/// The schemas of requests: unknown fields are refused.
fn bodies(paths: &Value) -> Vec<String> {
    let items = paths.as_object().into_iter().flat_map(Map::values);
    let operations = items.filter_map(Value::as_object).flat_map(Map::values);
    let body = |operation: &Value| {
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        schema["$ref"].as_str()?.strip_prefix("#/components/schemas/").map(str::to_owned)
    };
    operations.filter_map(body).collect()
}

/// Adds the parts of every operation: the request id and the headers of its answers. Removes the token where
/// none is required.
fn complete(operation: &mut Value) {
    let operation = operation.as_object_mut().expect("an operation is an object");
    operation.entry("security").or_insert_with(|| json!([]));
    let scopes = operation.get(SCOPES).and_then(Value::as_array);
    let scopes: Vec<&str> = scopes.into_iter().flatten().filter_map(Value::as_str).collect();
    if !scopes.is_empty() {
        let about = operation["description"].as_str().unwrap_or_default();
        let about = format!("{about}\n\nScope of the token: `{}`.", scopes.join("` or `"));
        operation["description"] = about.into();
    }
    let parameters = operation.entry("parameters").or_insert_with(|| json!([]));
    for parameter in parameters.as_array_mut().into_iter().flatten() {
        // The parameter has it already.
        parameter["schema"].as_object_mut().map(|schema| schema.remove("description"));
    }
    parameters.as_array_mut().expect("a list").push(json!({"$ref": "#/components/parameters/X-Request-Id"}));
    let answers = operation["responses"].as_object_mut().expect("every route has an answer");
    answers.sort_keys();
    if !answers.keys().any(|status| status.starts_with('2')) {
        answers.insert("default".to_owned(), json!({"description": "Another error."}));
    }
    for (status, answer) in answers {
        let own = answer["headers"].take();
        let mut all: Map<String, Value> = headers::of_status(status).collect();
        all.extend(own.as_object().cloned().unwrap_or_default());
        answer["headers"] = Value::Object(all);
    }
}

fn add_examples(operation: &mut Value, examples: &Value) {
    let examples = &examples[operation["operationId"].as_str().expect("every operation has an id")];
    let add = |owner: &mut Value, example: &Value| {
        let contents =
            owner.get_mut("content").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut);
        for content in contents.filter(|_| !example.is_null()) {
            content["example"] = example.clone();
        }
    };
    if let Some(body) = operation.get_mut("requestBody") {
        add(body, &examples["request"]);
    }
    for (status, answer) in operation["responses"].as_object_mut().into_iter().flatten() {
        add(answer, &examples[status]);
    }
}
