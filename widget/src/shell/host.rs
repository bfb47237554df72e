//! Messages to and from the page that embeds this one.

use js_sys::{JSON, Reflect};
use leptos::prelude::window;
use wasm_bindgen::JsValue;
use web_sys::{MessageEvent, Window};

use super::dispatch;
use crate::event::What;
use crate::host::HostMessage;
use crate::host::{HostEvent, PROTOCOL, Peer, VERSION};
use crate::json;

pub(super) fn is_framed() -> bool {
    parent().is_some()
}

/// The window that frames this one.
fn parent() -> Option<Window> {
    let window = window();
    window.parent().ok().flatten().filter(|parent| *parent != window)
}

/// Handles a message. Only messages whose source, as the browser reports it, is the parent window are read.
pub(super) fn hear(event: &MessageEvent) {
    let from_parent = parent()
        .is_some_and(|parent| event.source().is_some_and(|source| js_sys::Object::is(&parent, &source)));
    if !from_parent {
        return;
    }
    let text = JSON::stringify(&event.data()).ok().and_then(|text| text.as_string());
    let message = text.and_then(|text| json::read::<HostMessage>(&text));
    if let Some(message) = message {
        dispatch(What::Message(HostMessage { origin: event.origin(), ..message }));
    }
}

pub(super) fn tell(peer: &Peer, event: &HostEvent) {
    let text = serde_json::to_string(event).unwrap_or_default();
    let (Some(parent), Ok(message)) = (parent(), JSON::parse(&text)) else { return };
    let envelope = [
        ("protocol", JsValue::from(PROTOCOL)),
        ("version", JsValue::from(VERSION)),
        ("instance", JsValue::from(&peer.instance)),
    ];
    for (name, value) in envelope {
        let _ = Reflect::set(&message, &name.into(), &value);
    }
    let _ = parent.post_message(&message, &peer.origin);
}
