//! `GET /api/openapi.json`: the interface as an OpenAPI 3.1 document, made from the table of routes, from what each
//! route says of itself, and from the wire types.

pub(super) mod operation;
mod schemas;
pub(super) mod vocabulary;
mod webhooks;

use std::sync::OnceLock;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};

use self::operation::{Answer, Content, Credential, Operation, Parameter, Tag};
use self::schemas::Schemas;
use super::Shared;
use super::routes::{self, Area, Route};

const DESCRIPTION: &str = include_str!("openapi/description.md");

/// Real requests and answers by operation; a test makes them again and compares.
const EXAMPLES: &str = include_str!("openapi/examples.json");

pub(super) fn operation() -> Operation {
    let about = "The interface of this gateway as OpenAPI 3.1. In the sandbox the control API is in it, too.";
    Operation::new("getOpenApi", Tag::Operations, "Get this document", about).answers_text(
        200,
        "The document.",
        "application/json",
    )
}

pub(super) async fn handle(State(app): State<Shared>) -> impl IntoResponse {
    static TEXTS: [OnceLock<String>; 2] = [const { OnceLock::new() }; 2];
    let sandbox = app.is_sandbox();
    let text = TEXTS[usize::from(sandbox)].get_or_init(|| document(sandbox).to_string());
    ([(header::CONTENT_TYPE, "application/json")], text.as_str())
}

/// The document of a gateway with or without a sandbox.
pub(super) fn document(sandbox: bool) -> Value {
    let examples: Value = serde_json::from_str(EXAMPLES).expect("the examples are JSON");
    let mut writer = Writer {
        requests: Schemas::of_requests(),
        answers: Schemas::of_answers(),
        examples,
        headers: Map::new(),
    };
    let mut paths = Map::new();
    let mut tags: Vec<Tag> = Vec::new();
    for route in routes::all(sandbox) {
        let operation = (route.operation)();
        if !tags.contains(&operation.tag) {
            tags.push(operation.tag);
        }
        let item = paths.entry(route.path).or_insert_with(|| json!({}));
        item[route.method.to_ascii_lowercase()] = writer.operation(route, &operation);
    }
    let webhooks = writer.webhooks();
    let mut components = writer.answers.into_components();
    for (name, schema) in writer.requests.into_components() {
        assert!(components.insert(name, schema).is_none(), "a type that is both read and written");
    }
    let tags = Tag::ALL.into_iter().filter(|tag| tags.contains(tag));
    let tags: Vec<Value> = tags.map(|tag| json!({"name": tag.name(), "description": tag.about()})).collect();
    let scheme = |credential: Credential| {
        let (name, about) = credential.scheme();
        (name.to_owned(), json!({"type": "http", "scheme": "bearer", "description": about}))
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
        "tags": tags,
        "paths": paths,
        "webhooks": webhooks,
        "components": {
            "schemas": components,
            "parameters": {"X-Request-Id": request_id()},
            "headers": writer.headers,
            "securitySchemes": Credential::ALL.into_iter().map(scheme).collect::<Map<_, _>>(),
        },
    })
}

struct Writer {
    requests: Schemas,
    answers: Schemas,
    examples: Value,
    headers: Map<String, Value>,
}

impl Writer {
    fn operation(&mut self, route: &Route, operation: &Operation) -> Value {
        let mut object = json!({
            "operationId": operation.id,
            "tags": [operation.tag.name()],
            "summary": operation.summary,
            "description": operation.about,
        });
        if operation.deprecated {
            object["deprecated"] = json!(true);
        }
        let security = operation.credentials.iter().map(|credential| {
            let (name, _) = credential.scheme();
            json!({name: []})
        });
        object["security"] = security.collect();
        let mut parameters: Vec<Value> = operation.parameters.iter().map(parameter).collect();
        parameters.push(json!({"$ref": "#/components/parameters/X-Request-Id"}));
        object["parameters"] = Value::Array(parameters);
        if let Some(request) = operation.request {
            let mut content = json!({"schema": self.requests.of(request)});
            if let Some(example) = self.example(operation.id, "request") {
                content["example"] = example;
            }
            object["requestBody"] = json!({"required": true, "content": {"application/json": content}});
        }
        let mut responses = Map::new();
        for answer in usual(route, operation).iter().chain(&operation.answers) {
            let status = answer.status.to_string();
            let response = self.response(operation, answer);
            responses.entry(status).or_insert(response);
        }
        responses.sort_keys();
        object["responses"] = Value::Object(responses);
        object
    }

    fn response(&mut self, operation: &Operation, answer: &Answer) -> Value {
        let status = answer.status.to_string();
        let mut description = answer.about.to_owned();
        let mut headers = vec![
            ("X-Request-Id", "The id of the request: the caller's own when it sent a harmless one."),
            ("X-Server-Time", "The gateway's time in UNIX milliseconds."),
        ];
        let content = match &answer.content {
            Content::Nothing => None,
            Content::Text(media) => Some((*media, json!({}))),
            Content::Json(schema) => Some(("application/json", json!({"schema": self.answers.of(*schema)}))),
            Content::Problem(codes) => {
                let codes: Vec<String> = codes.iter().map(|code| format!("`{code}`")).collect();
                description = format!("{description} Code: {}.", codes.join(", "));
                headers.extend(match answer.status {
                    401 => Some(("WWW-Authenticate", "`Bearer`, as RFC 6750 says.")),
                    429 | 503 => Some(("Retry-After", "Seconds to wait before the next try.")),
                    _ => None,
                });
                let schema =
                    self.answers.of(schemars::SchemaGenerator::subschema_for::<checkout_core::wire::Problem>);
                Some(("application/problem+json", json!({"schema": schema})))
            }
        };
        headers.extend(&answer.headers);
        let headers = headers.into_iter().map(|(name, about)| {
            let schema = match name {
                "X-Server-Time" | "Retry-After" => json!({"type": "integer", "minimum": 0}),
                _ => json!({"type": "string"}),
            };
            let header = json!({"required": true, "description": about, "schema": schema});
            self.headers.insert(name.to_owned(), header);
            (name.to_owned(), json!({"$ref": format!("#/components/headers/{name}")}))
        });
        let headers: Map<_, _> = headers.collect();
        let mut response = json!({"description": description, "headers": headers});
        if let Some((media, mut content)) = content {
            if let Some(example) = self.example(operation.id, &status) {
                content["example"] = example;
            }
            response["content"] = json!({media: content});
        }
        if answer.status < 300 && !operation.links.is_empty() {
            let links = operation.links.iter().map(|link| {
                let parameters = json!({link.parameter: format!("$response.body#{}", link.pointer)});
                (link.to.to_owned(), json!({"operationId": link.to, "parameters": parameters}))
            });
            response["links"] = Value::Object(links.collect());
        }
        response
    }

    fn example(&self, operation: &str, part: &str) -> Option<Value> {
        self.examples.get(operation)?.get(part).cloned()
    }
}

/// How every route of an area may refuse, so that no route has to say so.
fn usual(route: &Route, operation: &Operation) -> Vec<Answer> {
    let mut of_all = Operation::new("", operation.tag, "", "");
    // The operation's own codes come first.
    for answer in &operation.answers {
        if let Content::Problem(codes) = &answer.content {
            of_all = of_all.refuses(answer.status, codes);
        }
    }
    if !operation.credentials.is_empty() {
        of_all = of_all.refuses(404, &["not_found"]).refuses(503, &["store_unavailable"]);
    }
    if matches!(route.area, Area::Merchant | Area::Session | Area::Public) {
        of_all = of_all.refuses(429, &["too_many_requests"]);
    }
    let of_all = of_all.refuses(414, &["address_too_long"]);
    let mut answers = of_all.refuses(503, &["timeout"]).refuses(500, &["internal"]).answers;
    for answer in &mut answers {
        if let Content::Problem(codes) = &mut answer.content {
            let mut seen = Vec::new();
            codes.retain(|code| {
                !seen.contains(code) && {
                    seen.push(code);
                    true
                }
            });
        }
    }
    answers
}

fn parameter(parameter: &Parameter) -> Value {
    let mut schema = json!({"type": "string"});
    let mut about = parameter.about;
    if let Some((grammar, meaning)) = vocabulary::look_up("Parameter", parameter.name) {
        if let Value::Object(schema) = &mut schema {
            schemas::extend(schema, vocabulary::keywords(grammar));
        }
        if about.is_empty() {
            about = meaning;
        }
    }
    if let (Value::Object(schema), more) = (&mut schema, parameter.schema.clone()) {
        schemas::extend(schema, more);
    }
    let mut object = json!({
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.required,
        "description": about,
        "schema": schema,
    });
    if !parameter.example.is_null() {
        object["example"] = parameter.example.clone();
    }
    object
}

fn request_id() -> Value {
    json!({
        "name": "X-Request-Id",
        "in": "header",
        "required": false,
        "description": "Your own id for this request, to find it in logs: 1 to 64 letters, digits, `.`, `_`, `-`. \
                        Anything else is replaced.",
        "schema": {"type": "string"},
    })
}
