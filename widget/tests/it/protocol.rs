//! The messages to the host have the form of the schema in docs/guides/embedding.md.

use checkout_widget::host::{HostEvent, PROTOCOL, VERSION};
use serde_json::{Value, json};

const GUIDE: &str = include_str!("../../../docs/guides/embedding.md");
const LOADER: &str = include_str!("../../../www/embed/messages.ts");
const ID: &str = "0198c5a4-6f0e-7cc1-9c8f-0d4f5a1b2c3d";

fn schema() -> Value {
    let block = GUIDE.split_once("<!-- schema: tested -->\n```json\n").expect("the guide has a schema").1;
    serde_json::from_str(block.split_once("```").expect("a block has an end").0).expect("JSON")
}

/// As the page sends it.
fn sent(event: &HostEvent) -> Value {
    let mut message = serde_json::to_value(event).expect("an event is JSON");
    message["protocol"] = json!(PROTOCOL);
    message["version"] = json!(VERSION);
    message["instance"] = json!("5f0c");
    message
}

fn events() -> Vec<HostEvent> {
    let (payment_id, status) = (ID.to_owned(), "DEPOSITED".to_owned());
    let redirect_url = Some("https://shop.example/thanks".to_owned());
    vec![
        HostEvent::Ready,
        HostEvent::Resize { height: 640 },
        HostEvent::Status { payment_id: payment_id.clone(), status: status.clone() },
        HostEvent::Complete { payment_id: payment_id.clone(), status: status.clone(), redirect_url },
        HostEvent::Complete { payment_id: payment_id.clone(), status, redirect_url: None },
        HostEvent::Expired { payment_id },
        HostEvent::Error { code: "link_invalid" },
        HostEvent::Close,
    ]
}

#[test]
fn every_message_has_the_form_of_the_published_schema() {
    let schema = jsonschema::validator_for(&schema()).expect("a schema");
    let hello = json!({"protocol": PROTOCOL, "version": VERSION, "instance": "5f0c", "type": "hello"});
    for message in events().iter().map(sent).chain([hello]) {
        assert!(schema.is_valid(&message), "{message}");
        for field in ["protocol", "version", "instance", "type"] {
            for wrong in [json!(null), json!(7), json!("another word!"), json!([message[field]])] {
                let mut spoiled = message.clone();
                spoiled[field] = wrong;
                assert!(!schema.is_valid(&spoiled), "{spoiled}");
            }
        }
    }
}

/// The loader reads the same types, each with the same fields.
#[test]
fn the_loader_reads_the_types_of_the_schema() {
    let schema = schema();
    let forms = schema["oneOf"].as_array().expect("a list of forms");
    for form in forms.iter().filter(|form| form["properties"]["type"]["const"] != "hello") {
        let kind = form["properties"]["type"]["const"].as_str().expect("a type");
        let line = LOADER.lines().find(|line| line.starts_with(&format!("  {kind}: {{")));
        let line = line.unwrap_or_else(|| panic!("{kind} is not in messages.ts"));
        let fields = form["properties"].as_object().expect("fields").keys();
        for field in fields.filter(|field| *field != "type") {
            assert!(line.contains(field.as_str()), "{kind}: {field}");
        }
    }
}
