//! The form with which a payer asks for money back, and the look at what was typed. The server draws it.

use checkout_core::Pair;
use checkout_wire::claim_refund::{ClaimStatus, RefundClaim};

use super::claims::{amount, pair};
use super::links::Link;
use super::{Scene, coins_text, network_name, tag_words};
use crate::claim::{ClaimCheck, ClaimFault, ClaimFields, check, has_tag};
use crate::page::Page;
use crate::words::{ClaimFormWords, Translation, fill};

/// What the payer sent with the form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedClaim {
    /// `claimId`
    pub id: String,
    pub address: String,
    pub tag: String,
    /// Shows the address once more, if it is right.
    pub review: bool,
    /// Why it was not asked for.
    pub refusal: Option<NotAsked>,
}

/// Why a claim was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAsked {
    /// The gateway could not store it.
    NotReached,
    /// The money cannot be asked for now.
    NotNow,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub merchant: String,
    pub title: String,
    pub text: String,
    /// Where the forms are sent.
    pub action: String,
    pub id: String,
    pub address: String,
    pub tag: String,
    pub notice: Option<&'static str>,
    pub step: ClaimStep,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimStep {
    /// The payer types.
    Form(Box<ClaimForm>),
    /// The payer looks once more.
    Review(ClaimReview),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimForm {
    /// The payer is asked whether the money came from their own wallet.
    pub own_wallet: Option<OwnWallet>,
    pub address_label: String,
    /// The label of the tag and what is said of it; `None` on networks without tags.
    pub tag: Option<(String, &'static str)>,
    pub feedback: Option<Feedback>,
    pub next: &'static str,
    /// To the page of the payment.
    pub back: Link,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnWallet {
    pub question: &'static str,
    pub label: &'static str,
    /// With its tag, as it is sent.
    pub sender: String,
    pub yes: &'static str,
    pub otherwise: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimReview {
    /// Label, value, and whether it is a code.
    pub rows: Vec<(String, String, bool)>,
    pub warning: String,
    pub ask: &'static str,
    pub change: &'static str,
}

/// What the core says of what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feedback {
    pub valid: bool,
    /// Of the tag, otherwise of the address.
    pub is_of_tag: bool,
    pub text: String,
    /// The address in pieces, each with whether it is wrong; empty if no place is known.
    pub pieces: Vec<(String, bool)>,
    /// The button that takes the suggestion, and what both fields have then.
    pub suggestion: Option<(String, ClaimFields)>,
}

/// `None` if nothing of this id can be asked for.
pub fn claim(page: &Page, translation: &'static Translation, typed: &TypedClaim) -> Option<Claim> {
    let opened = page.shared.opened.as_ref()?;
    let scene = Scene { shared: &page.shared, opened, words: &translation.words, format: translation };
    let mut open = opened.claims.iter().filter(|claim| claim.status == ClaimStatus::Open);
    let claim = open.find(|claim| *claim.claim_id == *typed.id)?;
    let form = FormScene { scene, words: &translation.claim_form, claim, pair: pair(claim)? };
    Some(form.present(typed))
}

struct FormScene<'a> {
    scene: Scene<'a>,
    words: &'static ClaimFormWords,
    claim: &'a RefundClaim,
    pair: &'static Pair,
}

impl FormScene<'_> {
    fn present(&self, typed: &TypedClaim) -> Claim {
        let check = check(self.scene.opened, self.pair, &typed.address, &typed.tag);
        let notice = typed.refusal.map(|refusal| match refusal {
            NotAsked::NotReached => self.scene.words.notice.not_reached,
            NotAsked::NotNow => self.words.not_now,
        });
        let (id, action) = (typed.id.clone(), self.scene.shared.url.claim_action());
        if typed.review && check.fault.is_none() {
            Claim {
                merchant: self.scene.opened.merchant.clone(),
                title: self.words.review_title.to_owned(),
                text: String::new(),
                step: ClaimStep::Review(self.review(&check)),
                address: check.address,
                tag: check.tag.unwrap_or_default(),
                action,
                id,
                notice,
            }
        } else {
            let has_fee = self.claim.fee.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
            let fee = coins_text(&self.claim.fee, &self.claim.currency, self.scene.words);
            let text = if has_fee { self.words.after_fee } else { self.words.no_fee };
            Claim {
                merchant: self.scene.opened.merchant.clone(),
                title: fill(self.words.title, &[("amount", &amount(self.scene, self.claim))]),
                text: fill(text, &[("network", &network_name(self.pair)), ("fee", &fee)]),
                step: ClaimStep::Form(Box::new(self.form(typed, check))),
                address: typed.address.clone(),
                tag: typed.tag.clone(),
                action,
                id,
                notice,
            }
        }
    }

    fn form(&self, typed: &TypedClaim, check: ClaimCheck) -> ClaimForm {
        let facts = [("asset", self.pair.currency.code()), ("network", &*network_name(self.pair))];
        let tag = || (fill(self.words.tag, &[("tag", self.tag_name())]), self.words.tag_hint);
        let is_empty = check.fault == Some(ClaimFault::Empty);
        let own_wallet = |sender: &String| OwnWallet {
            question: self.words.own_wallet,
            label: self.scene.words.pay.address,
            sender: sender.clone(),
            yes: self.words.send_back,
            otherwise: self.words.otherwise,
        };
        ClaimForm {
            own_wallet: self.claim.sender.as_ref().map(own_wallet),
            address_label: fill(self.words.address, &facts),
            tag: has_tag(self.pair).then(tag),
            feedback: (!is_empty).then(|| self.feedback(typed.address.trim(), check)),
            next: self.words.next,
            back: Link {
                label: self.scene.words.choose.back.to_owned(),
                href: self.scene.shared.url.without_form(),
            },
        }
    }

    fn review(&self, check: &ClaimCheck) -> ClaimReview {
        let (words, page) = (self.words, self.scene.words);
        let mut rows = vec![
            (words.amount.to_owned(), amount(self.scene, self.claim), false),
            (page.transfer.network.to_owned(), network_name(self.pair), false),
            (page.pay.address.to_owned(), check.address.clone(), true),
        ];
        if has_tag(self.pair) {
            let shown = check.tag.clone().unwrap_or_else(|| words.no_tag.to_owned());
            rows.push((self.tag_name().to_owned(), shown, check.tag.is_some()));
        }
        ClaimReview {
            rows,
            warning: fill(words.review_text, &[("merchant", &self.scene.opened.merchant)]),
            ask: words.ask,
            change: words.change,
        }
    }

    fn feedback(&self, address: &str, check: ClaimCheck) -> Feedback {
        let words = self.words;
        let network = network_name(self.pair);
        let text = match check.fault {
            None => fill(words.valid, &[("network", &network)]),
            Some(ClaimFault::Empty) => String::new(),
            Some(ClaimFault::Mistake) if check.positions.is_empty() => words.mistake.to_owned(),
            Some(ClaimFault::Mistake) => words.mistake_at.to_owned(),
            Some(ClaimFault::OtherNetwork) => fill(words.other_network, &[("network", &network)]),
            Some(ClaimFault::Own) => words.own.to_owned(),
            Some(ClaimFault::Contract) => words.contract.to_owned(),
            Some(ClaimFault::Tag) => fill(words.bad_tag, &[("tag", self.tag_name())]),
            Some(ClaimFault::TagInside) => fill(words.tag_inside, &[("tag", self.tag_name())]),
            Some(ClaimFault::Secret) => words.secret.to_owned(),
        };
        let is_of_tag = check.fault == Some(ClaimFault::Tag);
        Feedback {
            valid: check.fault.is_none(),
            is_of_tag,
            text,
            pieces: pieces(address, &check.positions),
            suggestion: check.suggestion.map(|fields| (self.take(&fields, is_of_tag), fields)),
        }
    }

    /// The button shows all that it takes.
    fn take(&self, fields: &ClaimFields, is_of_tag: bool) -> String {
        let shown = match (is_of_tag, fields.tag.as_str()) {
            (true, tag) => tag.to_owned(),
            (false, "") => fields.address.clone(),
            (false, tag) => format!("{} · {}: {tag}", fields.address, self.tag_name()),
        };
        fill(self.words.suggestion, &[("suggestion", &shown)])
    }

    fn tag_name(&self) -> &'static str {
        tag_words(self.pair.network, self.scene.words).name
    }
}

/// Splits the text at the wrong bytes.
pub(super) fn pieces(text: &str, positions: &[usize]) -> Vec<(String, bool)> {
    let mut pieces: Vec<(String, bool)> = Vec::new();
    if positions.iter().all(|position| *position >= text.len()) {
        return pieces;
    }
    for (at, char) in text.char_indices() {
        let wrong = positions.contains(&at);
        match pieces.last_mut() {
            Some((piece, same)) if *same == wrong => piece.push(char),
            _ => pieces.push((char.to_string(), wrong)),
        }
    }
    pieces
}
