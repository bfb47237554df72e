//! The one timer.

use std::cell::{Cell, OnceCell};

use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;

use super::{dispatch, js, whole, window};
use crate::clock::Millis;
use crate::event::What;

thread_local! {
    static TIMER: Cell<JsValue> = const { Cell::new(JsValue::UNDEFINED) };
    static RING: OnceCell<JsValue> = const { OnceCell::new() };
}

pub(super) fn wake(after: Millis) {
    let ring = RING.with(|ring| {
        let make = || {
            let ring: Closure<dyn FnMut(JsValue)> = Closure::new(|_| {
                dispatch(What::Woke { wall: whole(js_sys::Date::now()) });
            });
            ring.into_js_value()
        };
        ring.get_or_init(make).clone()
    });
    let after = i32::try_from(after).unwrap_or(i32::MAX);
    let timer = js::call(&window(), "setTimeout", [ring, after.into()]).unwrap_or_default();
    // A timer that has rung already may be cleared, too.
    js::call(&window(), "clearTimeout", [TIMER.replace(timer)]);
}
