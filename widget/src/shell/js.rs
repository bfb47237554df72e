//! The browser's objects by name. A typed binding costs 50 compressed bytes per method; what is used
//! in one place only goes through these three instead.

use js_sys::{Array, Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// A property; `undefined` when there is none.
pub(super) fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

pub(super) fn set(object: &JsValue, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
}

/// What the method returns; `None` when there is no such method, or it throws.
pub(super) fn call<const N: usize>(
    object: &JsValue,
    method: &str,
    arguments: [JsValue; N],
) -> Option<JsValue> {
    let list = Array::new();
    for argument in arguments {
        list.push(&argument);
    }
    call_with(object, method, &list)
}

fn call_with(object: &JsValue, method: &str, arguments: &Array) -> Option<JsValue> {
    let method = get(object, method);
    if !method.is_function() {
        return None;
    }
    Reflect::apply(method.unchecked_ref::<Function>(), object, arguments).ok()
}

/// A property that is a text.
pub(super) fn text(object: &JsValue, name: &str) -> String {
    get(object, name).as_string().unwrap_or_default()
}
