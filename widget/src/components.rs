//! Components that several screens share.

#![expect(unreachable_pub, reason = "the macro makes the properties of every component public")]

mod claims;
mod code;
mod copy_button;
mod countdown;
mod deposits;
mod elsewhere;
mod footer;
mod form_link;
mod icon;
mod notice;
mod qr_code;
mod sentence;
mod status_line;
mod steps;
mod way_back;

use leptos::ev::MouseEvent;
use leptos::prelude::use_context;

pub(crate) use claims::Claims;
pub(crate) use code::Code;
pub(crate) use copy_button::CopyButton;
pub(crate) use countdown::Countdown;
pub(crate) use deposits::{DepositFact, Deposits};
pub(crate) use elsewhere::Elsewhere;
pub(crate) use footer::Footer;
pub(crate) use form_link::ToForm;
pub(crate) use icon::{Coin, NetworkEmblem, Sign};
pub(crate) use notice::Notice;
pub(crate) use qr_code::{QrCode, QrSwitch};
pub(crate) use sentence::Sentence;
pub(crate) use status_line::StatusLine;
pub(crate) use steps::Steps;
pub(crate) use way_back::{MerchantLink, WayBack};

use crate::event::Act;

/// The handler of the payer's actions; the root component provides it.
#[derive(Clone, Copy)]
pub(crate) struct Dispatch(pub(crate) fn(Act));

/// Handles a click and prevents the form submission that happens without script.
pub(crate) fn instead(dispatch: fn(Act), act: Act) -> impl Fn(MouseEvent) {
    move |event| {
        event.prevent_default();
        dispatch(act);
    }
}

pub(crate) fn dispatch() -> fn(Act) {
    use_context::<Dispatch>().expect("the root component provides it").0
}
