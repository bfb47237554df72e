//! The receipt by e-mail, and the form that asks for it. The server draws both.

use super::done::{Done, Row};
use super::links::Link;
use super::seen::DepositLine;
use super::support::support;
use super::{Body, Scene, present};
use crate::opened::Opened;
use crate::page::Page;
use crate::words::{Translation, Words, fill};

/// What became of a request for a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requested {
    Queued,
    NoAddress,
    Enough,
    NotNow,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptForm {
    pub merchant: String,
    pub title: &'static str,
    pub text: &'static str,
    pub privacy: &'static str,
    /// Where the form is sent.
    pub action: String,
    pub field: &'static str,
    /// What was typed.
    pub typed: String,
    pub send: &'static str,
    /// What is said of it, with a code, and whether it is good.
    pub answer: Option<(&'static str, String, bool)>,
    /// To the page of the payment.
    pub back: Link,
}

/// `None` if the payment is not paid.
pub fn receipt_form(
    page: &Page,
    translation: &'static Translation,
    typed: &str,
    answer: Option<Requested>,
) -> Option<ReceiptForm> {
    let (_, opened) = paid(page, translation)?;
    let words = &translation.receipt;
    let told = |answer| match answer {
        Requested::Queued => ("queued", fill(words.queued, &[("address", typed)]), true),
        Requested::NoAddress => ("no-address", words.no_address.to_owned(), false),
        Requested::Enough => ("enough", words.enough.to_owned(), false),
        Requested::NotNow => ("not-now", words.not_now.to_owned(), false),
    };
    Some(ReceiptForm {
        merchant: opened.merchant.clone(),
        title: translation.words.help.receipt,
        text: words.text,
        privacy: words.privacy,
        action: page.shared.url.receipt_action(),
        field: words.field,
        typed: typed.to_owned(),
        send: words.send,
        answer: answer.map(told),
        back: Link { label: translation.words.choose.back.to_owned(), href: page.shared.url.without_form() },
    })
}

/// The contents of the mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    pub subject: String,
    pub merchant: String,
    pub title: &'static str,
    /// The order.
    pub order: String,
    /// Label and value.
    pub rows: Vec<(String, String)>,
    /// The transaction of the only transfer.
    pub explorer: Option<Link>,
    /// Of each, if there are several.
    pub transfers: Vec<PaidTransfer>,
    /// In a sandbox or on a test network.
    pub banner: Option<String>,
    pub support: Option<Link>,
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaidTransfer {
    /// Label and value.
    pub rows: Vec<(String, String)>,
    pub explorer: Option<Link>,
    /// What became of its refund.
    pub refund: Option<String>,
}

/// `None` if the payment is not paid.
pub fn receipt(page: &Page, translation: &'static Translation) -> Option<Receipt> {
    let (done, opened) = paid(page, translation)?;
    let words = &translation.receipt;
    let scene = Scene { shared: &page.shared, opened, words: &translation.words, format: translation };
    let order = fill(scene.words.help.order, &[("order", &opened.payment.client_payment_id)]);
    let price = done.price.map(|price| (words.price.to_owned(), price));
    let row = |Row { label, value, .. }: Row| (label.to_owned(), value);
    Some(Receipt {
        subject: fill(words.subject, &[("merchant", &opened.merchant), ("order", &order)]),
        merchant: opened.merchant.clone(),
        title: done.title,
        rows: price.into_iter().chain(done.rows.into_iter().map(row)).collect(),
        explorer: done.explorer,
        transfers: done.deposits.into_iter().map(|line| transfer(scene.words, line)).collect(),
        banner: present(page, &translation.language(), translation).banner,
        support: support(&page.shared, scene.words),
        reason: fill(words.reason, &[("merchant", &opened.merchant)]),
        order,
    })
}

fn transfer(words: &Words, line: DepositLine) -> PaidTransfer {
    let labelled = |label: &str, value| (label.to_owned(), value);
    let network = line.network.map(|network| labelled(words.transfer.network, network));
    let rows = [labelled(line.status, line.amount)]
        .into_iter()
        .chain(network)
        .chain([labelled(words.done.date, line.time), labelled(line.transaction_label, line.transaction)]);
    PaidTransfer {
        rows: rows.collect(),
        explorer: line.explorer,
        refund: line.refund.map(|refund| refund.text),
    }
}

fn paid<'a>(page: &'a Page, translation: &'static Translation) -> Option<(Done, &'a Opened)> {
    let Body::Done(done) = present(page, &translation.language(), translation).body else { return None };
    Some((done, page.shared.opened.as_ref()?))
}
