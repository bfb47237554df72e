//! Copying, with the truth about whether it worked.

use js_sys::Promise;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::{dispatch, document, js, window};
use crate::event::What;
use crate::state::Field;

pub(super) fn copy(field: Field, text: String) {
    // `navigator.clipboard` is there on secure pages only, and in a frame only with its permission.
    let clipboard = js::get(&js::get(&window(), "navigator"), "clipboard");
    let written =
        if clipboard.is_undefined() { None } else { js::call(&clipboard, "writeText", [(&text).into()]) };
    spawn_local(async move {
        let done = match written {
            Some(promise) => {
                JsFuture::from(promise.unchecked_into::<Promise>()).await.is_ok() || copy_by_selection(&text)
            }
            None => copy_by_selection(&text),
        };
        dispatch(What::Copied { field, done });
    });
}

fn copy_by_selection(text: &str) -> bool {
    let focused = js::get(&document(), "activeElement");
    let area = js::call(&document(), "createElement", ["textarea".into()]).unwrap_or_default();
    js::set(&area, "className", &"offscreen".into());
    js::set(&area, "readOnly", &JsValue::TRUE);
    js::set(&area, "value", &text.into());
    js::call(&js::get(&document(), "body"), "append", [area.clone()]);
    js::call(&area, "select", []);
    let done = js::call(&document(), "execCommand", ["copy".into()]);
    js::call(&area, "remove", []);
    js::call(&focused, "focus", []);
    done.is_some_and(|done| done.is_truthy())
}
