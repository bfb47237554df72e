//! Screen `expired`: the window has ended; the payment can continue with a new quote.

use super::choose::form_value;
use super::claims::{ClaimLine, lines};
use super::form_link::{FormLink, lookup_link};
use super::links::{Link, Return, way_back};
use super::seen::{DepositLine, deposits};
use super::support::support;
use super::{Scene, Status, coins, held};
use crate::opened::Offer;
use crate::page_url::ALL;
use crate::quote::{Quote, received};
use crate::state::{self, Leaving};
use crate::words::fill;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expired {
    pub title: &'static str,
    pub text: String,
    pub deposits: Vec<DepositLine>,
    pub claims: Vec<ClaimLine>,
    /// The form value that asks for a new quote: the pair of the last quote, or the list.
    pub choice: String,
    /// `None` if part of the amount has arrived: then the merchant decides.
    pub renew: Option<&'static str>,
    pub asking: Option<&'static str>,
    pub notice: Option<&'static str>,
    pub way_back: Return,
    pub lookup: Option<FormLink>,
    pub support: Option<Link>,
    pub status: Status,
}

pub(super) fn expired(scene: Scene<'_>, state: &state::Expired) -> Expired {
    let Scene { opened, words, .. } = scene;
    let payment = &opened.payment;
    let quote = state.quote.as_ref().filter(|_| !payment.deposits.is_empty());
    // Without a choice there was neither a rate nor an address.
    let (text, renew, already_sent) = match &state.quote {
        None if payment.deposits.is_empty() => (words.choose.hint, words.choose.title, ""),
        _ => (words.expired.text, words.expired.renew, words.expired.already_sent),
    };
    let arrived = quote.and_then(|quote| Some((quote, received(payment, quote)?)));
    let text = match arrived {
        Some((quote, received)) => {
            let facts =
                [("amount", &*coins(received.total(), quote.pair, words)), ("merchant", &opened.merchant)];
            fill(words.expired.part_arrived, &facts)
        }
        None => text.to_owned(),
    };
    let text = held(scene).into_iter().chain([text]).collect::<Vec<_>>().join(" ");
    Expired {
        title: words.expired.title,
        text,
        deposits: deposits(scene),
        claims: lines(scene),
        choice: match (&state.quote, opened.offers.as_slice()) {
            (Some(Quote { pair, .. }), _) | (None, [Offer { pair, .. }]) => {
                form_value(pair.currency.code(), pair.network.code())
            }
            (None, _) => ALL.to_owned(),
        },
        renew: payment.deposits.is_empty().then_some(renew),
        asking: state.request.asking.map(|_| words.choose.asking),
        notice: scene.notice(&state.request),
        way_back: way_back(scene, Leaving::NotYet),
        lookup: lookup_link(scene),
        support: support(scene.shared, words),
        status: scene.status(already_sent),
    }
}
