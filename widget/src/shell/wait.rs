//! The one timer.

use std::cell::{Cell, OnceCell};

use js_sys::Function;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

use super::{dispatch, whole, window};
use crate::clock::Millis;
use crate::event::What;

thread_local! {
    static TIMER: Cell<Option<i32>> = const { Cell::new(None) };
    static RING: OnceCell<Function> = const { OnceCell::new() };
}

pub(super) fn wake(after: Millis) {
    let after = i32::try_from(after).unwrap_or(i32::MAX);
    let timer = RING.with(|ring| {
        let ring = ring.get_or_init(|| {
            let ring: Closure<dyn FnMut()> = Closure::new(|| {
                TIMER.set(None);
                dispatch(What::Woke { wall: whole(js_sys::Date::now()) });
            });
            ring.into_js_value().unchecked_into()
        });
        window().set_timeout_with_callback_and_timeout_and_arguments_0(ring, after).ok()
    });
    if let Some(old) = TIMER.replace(timer) {
        window().clear_timeout_with_handle(old);
    }
}
