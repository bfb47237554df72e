//! One component per screen. Each renders its view model and makes no decisions.

#![expect(unreachable_pub, reason = "the macro makes the properties of every component public")]

mod choose;
#[cfg(feature = "ssr")]
mod claim;
mod done;
mod expired;
#[cfg(feature = "ssr")]
mod form_page;
mod loading;
#[cfg(feature = "ssr")]
mod lookup;
mod pay;
mod problem;
#[cfg(feature = "ssr")]
mod receipt;
mod seen;

use leptos::prelude::*;

pub(crate) use choose::ChooseScreen;
#[cfg(feature = "ssr")]
pub(crate) use claim::ClaimPage;
pub(crate) use done::DoneScreen;
pub(crate) use expired::ExpiredScreen;
pub(crate) use loading::LoadingScreen;
#[cfg(feature = "ssr")]
pub(crate) use lookup::LookupPage;
pub(crate) use pay::PayScreen;
pub(crate) use problem::ProblemScreen;
#[cfg(feature = "ssr")]
pub(crate) use receipt::ReceiptPage;
pub(crate) use seen::SeenScreen;

/// The heading of a screen. It gets the focus when the screen changes.
#[component]
fn Heading(children: Children) -> impl IntoView {
    view! {
        <h1 tabindex="-1" data-heading="">
            {children()}
        </h1>
    }
}
