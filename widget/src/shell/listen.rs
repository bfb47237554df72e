//! Listeners for the browser's events.

use core::sync::atomic::{AtomicBool, Ordering};

use leptos::ev;
use leptos::prelude::{document, window, window_event_listener_untyped};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, HtmlElement, ResizeObserver};

use super::document::{forget_wallet, unfold};
use super::{dispatch, host, now, whole};
use crate::clock::Millis;
use crate::event::{Act, What};

/// Whether another page took this one's place: it can come back as it was. An app or a tab in front only hides it.
static GONE: AtomicBool = AtomicBool::new(false);

pub(super) fn listen(mount: &HtmlElement) {
    for name in ["visibilitychange", "pageshow"] {
        // `visibilitychange` bubbles from the document to its window.
        window_event_listener_untyped(name, |_| look());
    }
    window_event_listener_untyped("pagehide", |_| GONE.store(true, Ordering::Relaxed));
    window_event_listener_untyped("online", |_| dispatch(What::Online));
    window_event_listener_untyped("offline", |_| dispatch(What::Offline));
    window_event_listener_untyped("message", |event| host::hear(event.unchecked_ref()));
    window_event_listener_untyped("keydown", |event| {
        if event.unchecked_ref::<ev::KeyboardEvent>().key() == "Escape" {
            dispatch(What::Did { act: Act::Close, pressed: pressed() });
        }
    });
    if !window().navigator().on_line() {
        dispatch(What::Offline);
    }
    // A page opened in the background is hidden from the start.
    if document().hidden() {
        dispatch(What::Hidden);
    }
    measure(mount);
}

/// When the payer caused the event that is being handled; now without one.
pub(super) fn pressed() -> Millis {
    let event = window().event();
    event.dyn_ref::<Event>().map_or_else(now, |event| whole(event.time_stamp()))
}

fn look() {
    let hidden = document().hidden();
    dispatch(if hidden { What::Hidden } else { What::Returned });
    if !hidden {
        find_wallet(GONE.swap(false, Ordering::Relaxed));
    }
}

/// Says that no wallet opened if the payer left for one and is back from another page.
pub(super) fn find_wallet(is_back: bool) {
    if forget_wallet() && is_back {
        dispatch(What::WalletMissing);
        unfold();
    }
}

/// Reports the height of the content when it changes.
fn measure(mount: &HtmlElement) {
    let content = mount.clone();
    let measured: Closure<dyn FnMut(JsValue)> = Closure::new(move |_| {
        let height = content.get_bounding_client_rect().height();
        dispatch(What::Resized(u32::try_from(whole(height.ceil())).unwrap_or(u32::MAX)));
    });
    if let Ok(observer) = ResizeObserver::new(measured.into_js_value().unchecked_ref()) {
        observer.observe(mount);
        // The observer lives as long as the page.
        core::mem::forget(observer);
    }
}
