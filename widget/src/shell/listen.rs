//! What the browser tells without being asked.

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{EventTarget, HtmlElement, ResizeObserver};

use super::{dispatch, document, host, js, whole, window};
use crate::event::{Act, What};

pub(super) fn listen(mount: &HtmlElement) {
    on(&document(), "visibilitychange", |_| look());
    on(&window(), "pageshow", |_| look());
    on(&window(), "online", |_| dispatch(What::Online));
    on(&window(), "offline", |_| dispatch(What::Offline));
    on(&window(), "message", |event| host::hear(&event));
    on(&window(), "keydown", |event| {
        if js::text(&event, "key") == "Escape" {
            dispatch(What::Did(Act::Close));
        }
    });
    if js::get(&js::get(&window(), "navigator"), "onLine").is_falsy() {
        dispatch(What::Offline);
    }
    // A page that was opened in the background is not seen yet.
    if js::get(&document(), "hidden").is_truthy() {
        dispatch(What::Hidden);
    }
    measure(mount);
}

fn look() {
    let hidden = js::get(&document(), "hidden").is_truthy();
    dispatch(if hidden { What::Hidden } else { What::Returned });
}

/// Tells the height of the content whenever it changes.
fn measure(mount: &HtmlElement) {
    let content: JsValue = mount.into();
    let measured: Closure<dyn FnMut(JsValue)> = Closure::new(move |_| {
        let content = js::call(&content, "getBoundingClientRect", []).unwrap_or_default();
        let height = js::get(&content, "height").as_f64().unwrap_or_default();
        dispatch(What::Resized(u32::try_from(whole(height.ceil())).unwrap_or(u32::MAX)));
    });
    if let Ok(observer) = ResizeObserver::new(measured.into_js_value().unchecked_ref()) {
        observer.observe(mount);
        // It lives as long as the page.
        core::mem::forget(observer);
    }
}

fn on(target: &EventTarget, name: &str, react: fn(JsValue)) {
    let react: Closure<dyn FnMut(JsValue)> = Closure::new(react);
    let _ = target.add_event_listener_with_callback(name, react.into_js_value().unchecked_ref());
}
