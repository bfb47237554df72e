//! The reference of the API, from its OpenAPI document: a page for each tag, one of webhooks, one of objects.

mod fields;
mod samples;

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::Outcome;
use crate::api::{self, entries, items};
use crate::folder::Files;

/// A test of the gateway keeps it up to date, as the document.
const EXAMPLES: &str = "gateway/src/http/openapi/examples.json";

const METHODS: [&str; 5] = ["get", "post", "patch", "put", "delete"];

/// For the overview: what the samples of the other pages use.
const SAMPLES: &str = include_str!("api/samples.md");

const WEBHOOKS: &str = "# Webhooks\n\nWhat the gateway sends to the URLs of a business. [Receive webhooks](../guides/webhooks.md) explains how to verify and \
    process them; the [examples](../examples.md) are complete receivers.\n";

struct Api {
    document: Value,
    examples: Value,
}

struct Operation<'a> {
    method: &'static str,
    path: &'a str,
    body: &'a Value,
}

pub(super) fn pages(root: &Path) -> Outcome<Files> {
    let api = Api { document: api::document(root)?, examples: api::json(&root.join(EXAMPLES))? };
    let mut pages = Files::new();
    let mut add = |name: &str, text: String| pages.insert(format!("reference/{name}.md"), text.into_bytes());
    add("index", api.overview());
    add("webhooks", webhooks(&api.document));
    add("objects", fields::objects(&api.document));
    for tag in items(&api.document["tags"]) {
        add(&slug(string(tag, "name")), api.chapter(tag));
    }
    Ok(pages)
}

impl Api {
    fn overview(&self) -> String {
        let mut page = format!(
            "# API reference\n\n{}\n\n{SAMPLES}",
            string(&self.document["info"], "description").trim()
        );
        page.push_str("\n## All requests\n");
        for tag in items(&self.document["tags"]) {
            let (name, about) = (string(tag, "name"), string(tag, "description"));
            let _ = write!(page, "\n### {name}\n\n{about}\n\n| request | method and path |\n|---|---|\n");
            for operation in self.operations(name) {
                let _ = writeln!(
                    page,
                    "| [{}]({}.md#{}) | `{} {}` |",
                    string(operation.body, "summary"),
                    slug(name),
                    operation.id(),
                    operation.method.to_ascii_uppercase(),
                    operation.path
                );
            }
        }
        page
    }

    fn chapter(&self, tag: &Value) -> String {
        let name = string(tag, "name");
        let mut page = format!("# {name}\n\n{}\n", string(tag, "description"));
        for operation in self.operations(name) {
            self.operation(&operation, &mut page);
        }
        page
    }

    fn operation(&self, operation: &Operation<'_>, page: &mut String) {
        let (id, body) = (operation.id(), operation.body);
        let _ = write!(page, "\n## {} {{#{id}}}\n\n", string(body, "summary"));
        let method = operation.method.to_ascii_uppercase();
        let _ = write!(
            page,
            "<p class=\"route\"><span class=\"method\">{method}</span> <code>{}</code></p>\n\n",
            operation.path
        );
        let _ = write!(page, "{}\n\n{}\n\n", string(body, "description"), token(body));
        let request = self.examples[id].get("request");
        let _ = writeln!(page, "{}", samples::all(operation, request));
        let parameters: Vec<&Value> =
            items(&body["parameters"]).filter(|parameter| parameter.get("$ref").is_none()).collect();
        if !parameters.is_empty() {
            let _ = write!(page, "**Parameters**\n\n{}\n", fields::parameters(&parameters));
        }
        if let Some(schema) = schema_of(&body["requestBody"]) {
            let _ = write!(page, "**Body**\n\n{}\n", fields::table(&self.document, schema));
        }
        self.responses(operation, page);
    }

    fn responses(&self, operation: &Operation<'_>, page: &mut String) {
        let responses = operation.body["responses"].as_object();
        page.push_str("**Responses**\n\n| status | meaning |\n|---|---|\n");
        for (status, response) in responses.into_iter().flatten() {
            let kind = schema_of(response)
                .filter(|_| status.starts_with('2'))
                .map(|schema| format!(" Body: {}.", fields::kind(schema)))
                .unwrap_or_default();
            let _ = writeln!(page, "| {status} | {}{kind} |", cell(string(response, "description")));
        }
        // A created resource shows more than a repeated answer.
        let example = entries(&self.examples[operation.id()])
            .filter(|(status, _)| status.starts_with('2'))
            .max_by_key(|(status, _)| *status);
        if let Some((status, body)) = example {
            let _ = write!(
                page,
                "\n<details><summary>Example of a response with {status}</summary>\n\n```json\n{}\n```\n\n</details>\n",
                pretty(body)
            );
        }
    }

    fn operations<'a>(&'a self, tag: &'a str) -> impl Iterator<Item = Operation<'a>> {
        let paths = self.document["paths"].as_object().into_iter().flatten();
        paths
            .flat_map(|(path, item)| {
                METHODS.iter().filter_map(move |method| {
                    Some(Operation { method, path: path.as_str(), body: item.get(method)? })
                })
            })
            .filter(move |operation| items(&operation.body["tags"]).any(|one| one == tag))
    }
}

impl Operation<'_> {
    fn id(&self) -> &str {
        string(self.body, "operationId")
    }
}

/// What the gateway sends to merchants.
fn webhooks(document: &Value) -> String {
    let mut page = WEBHOOKS.to_owned();
    let mut all = entries(&document["webhooks"]).map(|(_, webhook)| &webhook["post"]);
    if let Some(first) = all.next() {
        page.push_str("\n## Headers\n\n| header | meaning |\n|---|---|\n");
        for header in items(&first["parameters"]) {
            let _ =
                writeln!(page, "| `{}` | {} |", string(header, "name"), cell(string(header, "description")));
        }
        page.push_str("\n## Answers\n\n| your status | meaning |\n|---|---|\n");
        for (status, answer) in entries(&first["responses"]) {
            let _ = writeln!(page, "| {status} | {} |", cell(string(answer, "description")));
        }
    }
    for (name, webhook) in entries(&document["webhooks"]) {
        let webhook = &webhook["post"];
        let id = string(webhook, "operationId");
        let title = if name.contains('.') { name.as_str() } else { string(webhook, "summary") };
        let _ = write!(page, "\n## {title} {{#{id}}}\n\n{}\n", string(webhook, "description"));
        if let Some(schema) = schema_of(&webhook["requestBody"]) {
            let _ = write!(page, "\nBody: {}.\n", fields::kind(schema));
        }
    }
    page
}

fn token(operation: &Value) -> String {
    let schemes: Vec<String> = items(&operation["security"])
        .filter_map(|scheme| Some(scheme.as_object()?.keys().next()?.as_str()))
        .map(|name| match name {
            "businessToken" => "a business token".to_owned(),
            "organisationKey" => "an organisation key".to_owned(),
            "sessionToken" => "a session token".to_owned(),
            other => other.to_owned(),
        })
        .collect();
    if schemes.is_empty() { "No token.".to_owned() } else { format!("Token: {}.", schemes.join(", or ")) }
}

/// The schema of a JSON body.
fn schema_of(owner: &Value) -> Option<&Value> {
    owner.pointer("/content/application~1json/schema")
}

/// Text in one cell of a table.
fn cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

fn slug(name: &str) -> String {
    let letters: String =
        name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { ' ' }).collect();
    letters.split_whitespace().collect::<Vec<_>>().join("-").to_ascii_lowercase()
}

fn string<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}
