//! The reference of the API, from its OpenAPI document: a page for each tag, one of webhooks, one of objects. The templates in
//! `api/` are Markdown as the pages have it.

use std::collections::BTreeSet;
use std::path::Path;

use minijinja::{Environment, UndefinedBehavior, Value as Any, context};
use serde_json::{Value, json};

use crate::Outcome;
use crate::api::{self, entries, items};
use crate::files::Files;

/// A test of the gateway keeps it up to date, as the document.
const EXAMPLES: &str = "gateway/src/http/openapi/examples.json";

const TEMPLATES: [(&str, &str); 6] = [
    ("index.md", include_str!("api/index.md")),
    ("chapter.md", include_str!("api/chapter.md")),
    ("webhooks.md", include_str!("api/webhooks.md")),
    ("objects.md", include_str!("api/objects.md")),
    ("schemas.md", include_str!("api/schemas.md")),
    ("samples.md", include_str!("api/samples.md")),
];

/// Of parameters that are no ids.
const VALUES: [(&str, &str); 9] = [
    ("address", "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY"),
    ("coin", "BTC"),
    ("destinationTag", "12345"),
    ("file", "logo.png"),
    ("from", "BTC"),
    ("network", "XRP"),
    ("slug", "green-tea"),
    ("to", "EUR"),
    ("withdrawalCurrency", "XRP"),
];

pub(super) fn pages(root: &Path) -> Outcome<Files> {
    let (document, examples) = (api::document(root)?, api::json(&root.join(EXAMPLES))?);
    let templates = templates().map_err(|error| format!("xtask/src/docs/api: {error:#}"))?;
    let (schemas, operations) = (&document["components"]["schemas"], operations(&document, &examples));
    let ids = ids(&operations);
    let all = context! { document, schemas, operations, ids };
    let mut pages = Files::new();
    let mut add = |name: &str, template: &str, tag: &Value| {
        let page =
            templates.get_template(template).and_then(|page| page.render(context! { tag, ..all.clone() }));
        let page = page.map_err(|error| format!("xtask/src/docs/api/{template}: {error:#}"))?;
        pages.insert(format!("reference/{name}.md"), page.into_bytes());
        Outcome::Ok(())
    };
    for name in ["index", "webhooks", "objects"] {
        add(name, &format!("{name}.md"), &Value::Null)?;
    }
    for tag in items(&document["tags"]) {
        add(&slug(tag["name"].as_str().unwrap_or_default()), "chapter.md", tag)?;
    }
    Ok(pages)
}

fn operations(document: &Value, examples: &Value) -> Vec<Value> {
    let described = |(method, path, body): (&str, &String, &Value)| {
        let good = entries(&body["responses"]).filter(|(status, _)| status.starts_with('2'));
        let answers_json =
            good.into_iter().any(|(_, response)| response.pointer("/content/application~1json").is_some());
        let examples = body["operationId"].as_str().and_then(|id| examples.get(id)).cloned();
        json!({"method": method, "path": path, "body": body, "examples": examples.unwrap_or(json!({})), "answers_json": answers_json})
    };
    api::operations(document).map(described).collect()
}

/// What the paths name and the samples have no value for.
fn ids(operations: &[Value]) -> Vec<String> {
    let paths = operations.iter().filter_map(|operation| operation["path"].as_str());
    let named = paths.flat_map(|path| path.split('{').skip(1).filter_map(|part| part.split('}').next()));
    let ids: BTreeSet<&str> = named.filter(|name| VALUES.iter().all(|(known, _)| known != name)).collect();
    ids.into_iter().map(variable).collect()
}

/// `paymentId` is the variable `PAYMENT_ID`; `id` is that of a business.
fn variable(name: &str) -> String {
    let letters = if name == "id" { "businessId" } else { name }.chars().map(|letter| match letter {
        'A'..='Z' => format!("_{letter}"),
        _ => letter.to_ascii_uppercase().to_string(),
    });
    letters.collect()
}

fn templates() -> Result<Environment<'static>, minijinja::Error> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Chainable);
    templates.set_trim_blocks(true);
    templates.set_lstrip_blocks(true);
    templates.set_keep_trailing_newline(true);
    templates.add_filter("cell", |text: Option<String>| {
        text.unwrap_or_default().replace('\n', " ").replace('|', "\\|")
    });
    templates.add_filter("pretty", |value: Any| serde_json::to_string_pretty(&value).unwrap_or_default());
    templates.add_filter("variable", |name: String| variable(&name));
    templates.add_filter("slug", |name: String| slug(&name));
    templates.add_global("VALUES", VALUES.into_iter().collect::<Any>());
    TEMPLATES.iter().try_for_each(|(name, text)| templates.add_template(name, text))?;
    Ok(templates)
}

fn slug(name: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { ' ' };
    let letters: String = name.chars().map(letter).collect();
    letters.split_whitespace().collect::<Vec<_>>().join("-").to_ascii_lowercase()
}
