//! The form with which a payer looks for a transfer, and what was found. The server draws it.

use checkout_core::chain::TransactionIdForm;
use checkout_core::transaction_id::TransactionIdError;
use checkout_core::{Amount, Network, Pair, pair};
use checkout_wire::rules::{Coins, Finding};

use super::claim_form::pieces;
use super::links::Link;
use super::support::support;
use super::{Scene, coins, coins_text, network_name, tag_words};
use crate::page::Page;
use crate::words::{LookupFormWords, Translation, fill};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookupForm {
    pub merchant: String,
    pub title: &'static str,
    pub text: &'static str,
    /// Where the form is sent.
    pub action: String,
    pub field: &'static str,
    /// What was typed.
    pub typed: String,
    pub look_up: &'static str,
    pub answer: Option<LookupAnswer>,
    /// To the page of the payment.
    pub back: Link,
    pub support: Option<Link>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookupAnswer {
    /// The code of the finding.
    pub code: &'static str,
    /// The transfer pays the payment.
    pub good: bool,
    pub texts: Vec<String>,
    /// What was typed in pieces, each with whether it is wrong; empty if no place is known.
    pub pieces: Vec<(String, bool)>,
    /// The label, and the addresses that were paid instead.
    pub addresses: Option<(&'static str, Vec<String>)>,
}

/// `None` before the payer was given an address.
pub fn lookup(
    page: &Page,
    translation: &'static Translation,
    typed: &str,
    finding: Option<&Finding>,
) -> Option<LookupForm> {
    let opened = page.shared.opened.as_ref()?;
    let scene = Scene { shared: &page.shared, opened, words: &translation.words, format: translation };
    let payment = &opened.payment;
    let currency = payment.deposit_currency.as_deref().and_then(|code| code.parse().ok());
    let network = payment.expected_network.as_deref().and_then(|code| code.parse().ok());
    let pair = pair::find(currency?, network?).filter(|_| payment.wallet_address.is_some())?;
    let words = &translation.lookup_form;
    let form = FormScene { scene, words, secret: translation.claim_form.secret, pair };
    Some(LookupForm {
        merchant: opened.merchant.clone(),
        title: scene.words.help.lookup,
        text: words.text,
        action: page.shared.url.lookup_action(),
        field: words.field,
        typed: typed.to_owned(),
        look_up: words.look_up,
        answer: finding.map(|finding| form.answer(typed, finding)),
        back: Link { label: scene.words.choose.back.to_owned(), href: page.shared.url.without_form() },
        support: support(&page.shared, scene.words),
    })
}

struct FormScene<'a> {
    scene: Scene<'a>,
    words: &'static LookupFormWords,
    /// Said of a private key.
    secret: &'static str,
    /// Of the payment.
    pair: &'static Pair,
}

impl FormScene<'_> {
    fn answer(&self, typed: &str, finding: &Finding) -> LookupAnswer {
        let words = self.words;
        let network = [("network", &*network_name(self.pair))];
        let on_network = |template| vec![fill(template, &network)];
        let texts = match finding {
            Finding::NoId(error) => vec![self.mistake(typed, *error)],
            Finding::Unknown => [words.unknown, words.unknown_hint].map(|text| fill(text, &network)).to_vec(),
            Finding::NotAsked => on_network(words.not_asked),
            Finding::Failed => on_network(words.failed),
            Finding::NoTransfer => on_network(words.no_transfer),
            Finding::OtherAddress(_) => vec![words.other_address.to_owned()],
            Finding::Waiting { coins, confirmations, required } => {
                let several = (*required > 1).then(|| self.confirmations(*confirmations, *required));
                self.arrived(words.waiting, coins).into_iter().chain(several).collect()
            }
            Finding::Counted(coins) => self.arrived(words.counted, coins),
            Finding::Held(coins) => vec![self.unmatched(words.held, coins, "")],
            Finding::NotTaken { asset, amount } => {
                let text = coins_text(amount, asset, self.scene.words);
                vec![fill(words.not_taken, &[("amount", &text), ("merchant", &self.scene.opened.merchant)])]
            }
            Finding::Unclear => vec![fill(words.unclear, &[("merchant", &self.scene.opened.merchant)])],
            Finding::TooSmall(coins) => vec![self.unmatched(words.too_small, coins, "")],
            Finding::OtherTag { coins, tag: None, reported } => {
                let told = reported.then(|| words.no_tag_reported.to_owned());
                [self.unmatched(words.no_tag, coins, "")].into_iter().chain(told).collect()
            }
            Finding::OtherTag { coins, tag: Some(tag), .. } => {
                vec![self.unmatched(words.other_tag, coins, tag)]
            }
        };
        LookupAnswer {
            code: finding.code(),
            good: matches!(finding, Finding::Waiting { .. } | Finding::Counted(_)),
            texts,
            pieces: match finding {
                Finding::NoId(TransactionIdError::Character { position }) => pieces(typed, &[*position]),
                _ => Vec::new(),
            },
            addresses: match finding {
                Finding::OtherAddress(addresses) => Some((words.sent_to, addresses.clone())),
                _ => None,
            },
        }
    }

    fn mistake(&self, typed: &str, error: TransactionIdError) -> String {
        let (words, network) = (self.words, network_name(self.pair));
        let expected = length(self.pair.network);
        let facts = [
            ("network", &*network),
            ("expected", &*expected.to_string()),
            ("count", &*typed.chars().count().to_string()),
        ];
        let text = match error {
            TransactionIdError::Empty => words.empty,
            TransactionIdError::Character { .. } => words.character,
            TransactionIdError::Length { .. } => words.length,
            TransactionIdError::OtherNetwork if is_prefixed(self.pair.network) => words.needs_prefix,
            TransactionIdError::OtherNetwork => words.has_prefix,
            TransactionIdError::Address => words.address,
            TransactionIdError::Secret => self.secret,
        };
        fill(text, &facts)
    }

    /// What came, where it came if that is elsewhere, and what is still missing.
    fn arrived(&self, template: &str, coins: &Coins) -> Vec<String> {
        let Scene { opened, words, .. } = self.scene;
        let mut texts = vec![self.unmatched(template, coins, "")];
        if coins.pair.network != self.pair.network {
            let networks = [("network", &*network_name(coins.pair)), ("quoted", &network_name(self.pair))];
            texts.push(fill(self.words.elsewhere, &networks));
        }
        let remaining = opened.remaining.as_deref();
        let is_missing =
            |text: &&str| Amount::parse(text, self.pair.decimals).is_ok_and(|amount| !amount.is_zero());
        texts.extend(remaining.filter(is_missing).map(|amount| {
            fill(self.words.missing, &[("amount", &coins_text(amount, self.pair.currency.code(), words))])
        }));
        texts
    }

    fn unmatched(&self, template: &str, received: &Coins, value: &str) -> String {
        let Scene { opened, words, .. } = self.scene;
        let facts = [
            ("amount", &*coins(received.amount, received.pair, words)),
            ("merchant", &opened.merchant),
            ("tag", tag_words(self.pair.network, words).name),
            ("value", value),
        ];
        fill(template, &facts)
    }

    fn confirmations(&self, done: u64, required: u64) -> String {
        let facts = [("done", &*done.to_string()), ("required", &*required.to_string())];
        fill(self.scene.words.transfer.confirmations, &facts)
    }
}

fn is_prefixed(network: Network) -> bool {
    network.spec().transaction_id == TransactionIdForm::Prefixed
}

/// In characters.
fn length(network: Network) -> usize {
    if is_prefixed(network) { 66 } else { 64 }
}
