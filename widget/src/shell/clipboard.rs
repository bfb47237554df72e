//! Copying, with the truth about whether it worked.

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{HtmlElement, HtmlTextAreaElement};

use super::{dispatch, document, window};
use crate::event::What;
use crate::state::Field;

pub(super) fn copy(field: Field, text: String) {
    let written = write(&text);
    spawn_local(async move {
        let done = match written {
            Some(promise) => JsFuture::from(promise).await.is_ok() || copy_by_selection(&text),
            None => copy_by_selection(&text),
        };
        dispatch(What::Copied { field, done });
    });
}

/// `navigator.clipboard` is there on secure pages only, and in a frame only with its permission.
fn write(text: &str) -> Option<Promise> {
    let clipboard = Reflect::get(&window().navigator(), &"clipboard".into()).ok()?;
    if clipboard.is_undefined() {
        return None;
    }
    call(&clipboard, "writeText", text)?.dyn_into().ok()
}

fn copy_by_selection(text: &str) -> bool {
    let selection = || {
        let focused = document().active_element();
        let area: HtmlTextAreaElement = document().create_element("textarea").ok()?.unchecked_into();
        area.set_class_name("offscreen");
        area.set_read_only(true);
        area.set_value(text);
        document().body()?.append_child(&area).ok()?;
        area.select();
        let done = call(&document(), "execCommand", "copy").and_then(|done| done.as_bool());
        area.remove();
        if let Some(focused) = focused.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
            let _ = focused.focus();
        }
        done
    };
    selection().unwrap_or(false)
}

fn call(object: &JsValue, method: &str, argument: &str) -> Option<JsValue> {
    let method: Function = Reflect::get(object, &method.into()).ok()?.dyn_into().ok()?;
    method.call1(object, &argument.into()).ok()
}
