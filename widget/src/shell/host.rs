//! Messages to and from the page that embeds this one.

use js_sys::{Object, Reflect};
use wasm_bindgen::JsValue;
use web_sys::MessageEvent;

use super::{dispatch, whole, window};
use crate::event::{Greeting, What};
use crate::host::{PROTOCOL, Peer, Tell, VERSION};

/// A message came. Only the parent window's are read, and who that is the browser says.
pub(super) fn hear(event: &MessageEvent) {
    let parent = window().parent().ok().flatten();
    let (Some(parent), Some(source)) = (parent, event.source()) else { return };
    if !Object::is(&parent, &source) || Object::is(&parent, &window()) || !event.data().is_object() {
        return;
    }
    let data = event.data();
    let text = |key: &str| Reflect::get(&data, &key.into()).ok().and_then(|value| value.as_string());
    let version = Reflect::get(&data, &"version".into()).ok().and_then(|value| value.as_f64());
    dispatch(What::Greeted(Greeting {
        origin: event.origin(),
        protocol: text("protocol").unwrap_or_default(),
        version: version
            .filter(|version| version.fract() == 0.0)
            .map_or(0, |version| u32::try_from(whole(version)).unwrap_or(0)),
        instance: text("instance").unwrap_or_default(),
        kind: text("type").unwrap_or_default(),
    }));
}

pub(super) fn tell(peer: &Peer, message: Tell) {
    let data = Object::new();
    let set = |key: &str, value: JsValue| {
        let _ = Reflect::set(&data, &key.into(), &value);
    };
    set("protocol", PROTOCOL.into());
    set("version", VERSION.into());
    set("instance", peer.instance.as_str().into());
    let kind = match message {
        Tell::Ready => "ready",
        Tell::Resize { height } => {
            set("height", height.into());
            "resize"
        }
        Tell::Status { payment_id, status } => {
            set("paymentId", payment_id.into());
            set("status", status.into());
            "status"
        }
        Tell::Complete { payment_id, status, redirect_url } => {
            set("paymentId", payment_id.into());
            set("status", status.into());
            if let Some(url) = redirect_url {
                set("redirectUrl", url.into());
            }
            "complete"
        }
        Tell::Expired { payment_id } => {
            set("paymentId", payment_id.into());
            "expired"
        }
        Tell::Error { code } => {
            set("code", code.into());
            "error"
        }
        Tell::Close => "close",
    };
    set("type", kind.into());
    if let Some(parent) = window().parent().ok().flatten() {
        let _ = parent.post_message(&data, &peer.origin);
    }
}
