//! What the browser tells without being asked.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{
    Event, EventTarget, HtmlElement, KeyboardEvent, MessageEvent, ResizeObserver, VisibilityState,
};

use super::{dispatch, document, host, whole, window};
use crate::event::{Act, What};

pub(super) fn listen(mount: &HtmlElement) {
    on(&document(), "visibilitychange", |_| look());
    on(&window(), "pageshow", |_| look());
    on(&window(), "online", |_| dispatch(What::Online));
    on(&window(), "offline", |_| dispatch(What::Offline));
    on(&window(), "message", |event| host::hear(event.unchecked_ref::<MessageEvent>()));
    on(&window(), "keydown", |event| {
        if event.unchecked_ref::<KeyboardEvent>().key() == "Escape" {
            dispatch(What::Did(Act::Close));
        }
    });
    if !window().navigator().on_line() {
        dispatch(What::Offline);
    }
    measure(mount);
}

fn look() {
    let hidden = document().visibility_state() == VisibilityState::Hidden;
    dispatch(if hidden { What::Hidden } else { What::Returned });
}

/// Tells the height of the content whenever it changes.
fn measure(mount: &HtmlElement) {
    let content = mount.clone();
    let measured: Closure<dyn FnMut()> = Closure::new(move || {
        let height = whole(content.get_bounding_client_rect().height().ceil());
        dispatch(What::Resized(u32::try_from(height).unwrap_or(u32::MAX)));
    });
    if let Ok(observer) = ResizeObserver::new(measured.into_js_value().unchecked_ref()) {
        observer.observe(mount);
        // It lives as long as the page.
        core::mem::forget(observer);
    }
}

fn on(target: &EventTarget, name: &str, react: fn(Event)) {
    let react: Closure<dyn FnMut(Event)> = Closure::new(react);
    let _ = target.add_event_listener_with_callback(name, react.into_js_value().unchecked_ref());
}
