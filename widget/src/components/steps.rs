//! The progress of a transfer.

use leptos::prelude::*;

use super::Sign;
use crate::present::Step;

/// The progress of a transfer: completed, current and next steps.
#[component]
pub fn Steps(steps: [Step; 3]) -> impl IntoView {
    let step = |step: Step| {
        let (class, icon) = match (step.done, step.current) {
            (true, _) => ("done", "check"),
            (false, true) => ("current", "spinner"),
            (false, false) => ("", "clock"),
        };
        view! {
            <li class=class aria-current=step.current.then_some("step")>
                <Sign name=icon />
                <p>{step.label}</p>
                {step.note.map(|note| view! { <p class="step-note">{note}</p> })}
            </li>
        }
    };
    view! { <ol class="steps">{steps.map(step).collect_view()}</ol> }
}
