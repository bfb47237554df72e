//! The one timer, and the time of the next frame.

use std::cell::RefCell;

use gloo_timers::callback::Timeout;
use leptos::prelude::request_animation_frame;

use super::{dispatch, whole};
use crate::clock::Millis;
use crate::event::What;

thread_local! {
    static TIMER: RefCell<Option<Timeout>> = const { RefCell::new(None) };
}

/// Starts the timer and cancels the previous one.
pub(super) fn wake(after: Millis) {
    let ring = || dispatch(What::Woke { wall: whole(js_sys::Date::now()) });
    let timer = Timeout::new(u32::try_from(after).unwrap_or(i32::MAX.unsigned_abs()), ring);
    // Dropping a timer that has already fired does no harm.
    TIMER.set(Some(timer));
}

/// Tells the page when the browser paints it next.
pub(super) fn report_paint() {
    request_animation_frame(|| dispatch(What::Painted));
}
