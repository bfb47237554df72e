//! The bodies of callbacks. A callback of the interface is a type of its own, in a file of its own, and a line in [`ALL`]; the typed events of
//! `eventUrl` are those of the domain.

pub mod deposit_received;
pub mod number;
pub mod typed;
pub mod withdrawal_ended;
pub mod withdrawal_replaced;
pub mod withdrawal_reverted;

use std::sync::LazyLock;

use checkout_domain::business::Business;
use checkout_domain::business::events::EventType;
use checkout_domain::callback::Kind;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use self::deposit_received::DepositReceived;
use self::withdrawal_ended::WithdrawalEnded;
use self::withdrawal_replaced::WithdrawalReplaced;
use self::withdrawal_reverted::WithdrawalReverted;

/// Every event, in the order of the OpenAPI document.
pub static ALL: LazyLock<Vec<ListedEvent>> = LazyLock::new(|| {
    let own = [
        ListedEvent::of::<DepositReceived<'static>>(),
        ListedEvent::of::<WithdrawalEnded<'static>>(),
        ListedEvent::of::<WithdrawalReplaced<'static>>(),
        ListedEvent::of::<WithdrawalReverted<'static>>(),
    ];
    own.into_iter().chain(EventType::ALL.iter().map(|(event, _)| ListedEvent::typed(*event))).collect()
});

/// An event is the body of its callback.
pub trait Event: JsonSchema + Serialize + Send {
    const ABOUT: About;

    /// Where a business wants it.
    fn url(business: &Business) -> Option<&str>;

    /// The body in the OpenAPI document.
    fn example() -> Self;
}

#[derive(Debug)]
pub struct About {
    /// As stored with each callback.
    pub kind: Kind,
    /// Name in the OpenAPI document.
    pub name: &'static str,
    /// Title in the document and in the sandbox's inbox.
    pub title: &'static str,
    /// When it is sent, for the document.
    pub description: &'static str,
}

/// An event without its type.
#[derive(Debug)]
pub struct ListedEvent {
    pub about: About,
    url: fn(&Business) -> Option<&str>,
    body: BodySource,
}

/// Where the schema and the example of a body are.
#[derive(Debug)]
enum BodySource {
    Own { schema: fn(&mut SchemaGenerator) -> Schema, example: fn() -> Value },
    Typed(EventType),
}

impl ListedEvent {
    fn of<E: Event>() -> Self {
        let body = BodySource::Own { schema: SchemaGenerator::subschema_for::<E>, example: example::<E> };
        Self { about: E::ABOUT, url: E::url, body }
    }

    fn typed(event: EventType) -> Self {
        let about = event.about();
        let about = About {
            kind: typed::kind(event),
            name: about.name,
            title: about.title,
            description: about.description,
        };
        Self { about, url: |business| business.event_url.as_deref(), body: BodySource::Typed(event) }
    }

    /// The body as a JSON Schema.
    pub fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        match self.body {
            BodySource::Own { schema, .. } => schema(generator),
            BodySource::Typed(event) => typed::schema(event, generator),
        }
    }

    pub fn example(&self) -> Value {
        match self.body {
            BodySource::Own { example, .. } => example(),
            BodySource::Typed(event) => typed::example(event),
        }
    }
}

fn example<E: Event>() -> Value {
    serde_json::to_value(E::example()).expect("texts and numbers are JSON")
}

fn find(kind: &Kind) -> Option<&'static ListedEvent> {
    ALL.iter().find(|listed| listed.about.kind == *kind)
}

/// The event with this name in the OpenAPI document.
pub fn named(name: &str) -> Option<&'static ListedEvent> {
    ALL.iter().find(|listed| listed.about.name == name)
}

/// The names of all events, for a message.
pub fn names() -> String {
    ALL.iter().map(|listed| listed.about.name).collect::<Vec<_>>().join(", ")
}

/// Where a business wants callbacks of a kind.
pub fn endpoint<'a>(business: &'a Business, kind: &Kind) -> Option<&'a str> {
    let shop =
        || kind.webhook(business).filter(|webhook| webhook.enabled).map(|webhook| webhook.url.as_str());
    find(kind).map_or_else(shop, |listed| (listed.url)(business))
}

/// The name of the event in the OpenAPI document; of one of a later release, the word that is stored.
pub fn name(kind: &Kind) -> &str {
    find(kind).map_or(kind.as_str(), |listed| listed.about.name)
}

/// The event in words.
pub fn title(kind: &Kind) -> &'static str {
    find(kind).map_or("Callback", |listed| listed.about.title)
}
