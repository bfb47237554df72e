//! Money that the payer can ask for, and what became of it, on the screens of the payment.

use checkout_core::{Pair, pair, tag};
use checkout_wire::claim_refund::{ClaimStatus, RefundClaim};

use super::form_link::FormLink;
use super::links::Link;
use super::{Scene, coins_text, network_name, tag_words};
use crate::words::fill;

/// A claim on the screens of the payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimLine {
    /// The status on the wire.
    pub value: String,
    pub text: String,
    pub facts: Vec<(&'static str, String)>,
    /// Leads to the form.
    pub open: Option<FormLink>,
}

/// What can be asked for, and what became of what was asked for.
pub(super) fn lines(scene: Scene<'_>) -> Vec<ClaimLine> {
    scene.opened.claims.iter().filter_map(|claim| line(scene, claim)).collect()
}

fn line(scene: Scene<'_>, claim: &RefundClaim) -> Option<ClaimLine> {
    let Scene { opened, words, .. } = scene;
    let pair = pair(claim)?;
    let claims = &words.claim;
    let text = match claim.status.known()? {
        ClaimStatus::Open => claims.open,
        ClaimStatus::Asked => claims.asked,
        ClaimStatus::Approved => claims.approved,
        ClaimStatus::Sent => claims.sent,
        ClaimStatus::Confirmed => claims.confirmed,
        ClaimStatus::Refused => claims.refused,
        ClaimStatus::Failed => claims.failed,
    };
    let facts = [
        ("amount", &*amount(scene, claim)),
        ("merchant", &opened.merchant),
        ("network", &network_name(pair)),
    ];
    let mut shown = Vec::new();
    if let Some(to) = &claim.address {
        // An embedded tag is shown apart, as exchanges do.
        let (address, tag) = tag::split(to).unwrap_or((to.as_str(), None));
        shown.push((words.refund.to, address.to_owned()));
        shown.extend(tag.map(|tag| (tag_words(pair.network, words).name, tag.clone())));
    }
    let reason = claim.reason.as_ref().filter(|reason| !reason.is_empty());
    shown.extend(reason.map(|reason| (claims.reason, reason.clone())));
    shown.extend(claim.transaction_id.as_ref().map(|id| (words.done.transaction, id.clone())));
    let url = &scene.shared.url;
    let link = || Link { label: claims.get_back.to_owned(), href: url.with_claim(&claim.claim_id) };
    Some(ClaimLine {
        value: claim.status.as_str().to_owned(),
        text: fill(text, &facts),
        facts: shown,
        open: (claim.status == ClaimStatus::Open).then(|| FormLink { link: link(), framed: url.framed }),
    })
}

/// `None` if this version does not know it.
pub(super) fn pair(claim: &RefundClaim) -> Option<&'static Pair> {
    pair::find(claim.currency.parse().ok()?, claim.network.parse().ok()?)
}

pub(super) fn amount(scene: Scene<'_>, claim: &RefundClaim) -> String {
    coins_text(&claim.amount, &claim.currency, scene.words)
}
