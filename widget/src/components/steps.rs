//! The progress of a transfer.

use leptos::prelude::*;

use super::Sign;
use crate::present::Step;

/// The progress of a transfer: completed, current and next steps.
#[component]
pub fn Steps(steps: [Step; 3]) -> impl IntoView {
    let step = |step: Step| {
        let (class, icon) = match (step.done, step.current) {
            (true, _) => ("badge good", "check"),
            (false, true) => ("badge", "spinner"),
            (false, false) => ("badge", "clock"),
        };
        view! {
            <li class=class aria-current=step.current.then_some("step")>
                <Sign name=icon />
                {step.label}
            </li>
        }
    };
    view! { <ol class="steps">{steps.map(step).collect_view()}</ol> }
}
