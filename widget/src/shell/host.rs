//! Messages to and from the page that embeds this one.

use js_sys::Object;
use wasm_bindgen::JsValue;

use super::{dispatch, js, whole, window};
use crate::event::{Greeting, What};
use crate::host::{PROTOCOL, Peer, Tell, VERSION};

fn parent() -> JsValue {
    js::get(&window(), "parent")
}

/// A message came. Only the parent window's are read, and who that is the browser says.
pub(super) fn hear(event: &JsValue) {
    let (parent, data) = (parent(), js::get(event, "data"));
    let from_parent = Object::is(&parent, &js::get(event, "source")) && !Object::is(&parent, &window());
    if !from_parent || !data.is_object() {
        return;
    }
    let version = js::get(&data, "version").as_f64().filter(|version| version.fract() == 0.0);
    dispatch(What::Greeted(Greeting {
        origin: js::text(event, "origin"),
        protocol: js::text(&data, "protocol"),
        version: version.map_or(0, |version| u32::try_from(whole(version)).unwrap_or(0)),
        instance: js::text(&data, "instance"),
        kind: js::text(&data, "type"),
    }));
}

pub(super) fn tell(peer: &Peer, message: Tell) {
    let data = Object::new();
    let set = |key: &str, value: JsValue| js::set(&data, key, &value);
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
    js::call(&parent(), "postMessage", [data.into(), peer.origin.as_str().into()]);
}
