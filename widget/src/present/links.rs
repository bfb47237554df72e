//! Links that leave the page, and the way back to the merchant.

use super::{Scene, counted};
use crate::state::Leaving;
use crate::words::fill;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Return {
    pub link: Option<Link>,
    /// The label of the close button, on an embedded page without a redirect.
    pub close: Option<&'static str>,
    /// Shown while the page is about to redirect.
    pub leaving: Option<String>,
    pub stay: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub label: String,
    pub href: String,
}

pub(super) fn way_back(scene: Scene<'_>, leaving: Leaving) -> Return {
    let Scene { shared, opened, words, .. } = scene;
    let link = shared.way_back().map(|url| Link {
        label: fill(words.done.back_to, &[("merchant", &opened.merchant)]),
        href: url.to_owned(),
    });
    let seconds = match leaving {
        Leaving::At(at) => Some(at.saturating_sub(shared.now).div_ceil(1_000)),
        _ => None,
    };
    Return {
        close: (link.is_none() && shared.host.peer.is_some()).then_some(words.done.close),
        link,
        leaving: seconds.map(|seconds| counted(&words.done.returning_in, seconds, scene.format)),
        stay: seconds.map(|_| words.done.stay),
    }
}
