//! The receipt of a paid payment as a mail: text, and HTML without pictures, scripts and links but to explorers and the shop.

use checkout_wire::checkout_view::CheckoutView;

use super::started;
use crate::page_data::{Found, LanguageData, PageData};
use crate::page_url::PageUrl;
use crate::present::{self, Link, Receipt};
use crate::words;

/// The parts of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// In the language of a page. `None` if the payment is not paid. `now` in UNIX milliseconds.
pub fn receipt(view: Box<CheckoutView>, locale: &str, now: u64) -> Option<Mail> {
    let translation = words::find(&[Some(locale), Some(&view.payment.locale)]);
    // The token of a page that nobody opens: the mail links to none.
    let path = ["/checkout/", &view.payment.payment_id].concat();
    let url = PageUrl { path, query: "?sessionToken=none".to_owned(), secure: true, ..PageUrl::default() };
    let language = LanguageData::of(translation, false);
    let page = started(url, PageData { server_time: now, language, found: Found::View(view) });
    let receipt = present::receipt(&page, translation)?;
    Some(Mail { subject: receipt.subject.clone(), text: text(&receipt), html: html(&receipt, translation) })
}

fn text(receipt: &Receipt) -> String {
    let row = |(label, value): &(String, String)| format!("{label}: {value}\n");
    let rows = |rows: &[(String, String)]| rows.iter().map(row).collect::<String>();
    let link = |link: &Option<Link>| {
        link.as_ref().map_or(String::new(), |Link { label, href }| format!("{label}: {href}\n"))
    };
    let mut text = String::new();
    text.extend(receipt.banner.iter().map(|banner| format!("{banner}\n\n")));
    text.extend([format!(
        "{}\n{}\n{}\n\n{}",
        receipt.merchant,
        receipt.title,
        receipt.order,
        rows(&receipt.rows)
    )]);
    text += &link(&receipt.explorer);
    for line in &receipt.transfers {
        text.extend([format!("\n{}{}", rows(&line.rows), link(&line.explorer))]);
        text.extend(line.refund.iter().map(|refund| format!("{refund}\n")));
    }
    text.extend(receipt.support.iter().map(|_| "\n"));
    text += &link(&receipt.support);
    text + "\n" + &receipt.reason + "\n"
}

fn html(receipt: &Receipt, translation: &words::Translation) -> String {
    const CELL: &str = "padding:4px 12px 4px 0;text-align:start;vertical-align:top";
    let row = |(label, value): &(String, String)| {
        let (label, value) = (escape(label), escape(value));
        format!(
            "<tr><th scope=\"row\" style=\"{CELL};font-weight:normal;opacity:.75\">{label}</th><td style=\"{CELL};overflow-wrap:anywhere\"><bdi>{value}</bdi></td></tr>\n"
        )
    };
    let table = |rows: &[(String, String)]| {
        let rows: String = rows.iter().map(row).collect();
        format!("<table style=\"border-collapse:collapse\">\n{rows}</table>\n")
    };
    let link = |link: &Option<Link>| {
        let of = |Link { label, href }: &Link| {
            format!("<p><a href=\"{}\">{}</a></p>\n", escape(href), escape(label))
        };
        link.iter().map(of).collect::<String>()
    };
    let mut body = String::new();
    body.extend(receipt.banner.iter().map(|banner| format!("<p><strong>{}</strong></p>\n", escape(banner))));
    body.extend([format!(
        "<p style=\"margin:0\">{}</p>\n<h1 style=\"font-size:22px;margin:4px 0\">{}</h1>\n<p style=\"margin:0 0 16px;overflow-wrap:anywhere\">{}</p>\n{}{}",
        escape(&receipt.merchant),
        escape(receipt.title),
        escape(&receipt.order),
        table(&receipt.rows),
        link(&receipt.explorer),
    )]);
    for line in &receipt.transfers {
        body.extend([format!("<hr>\n{}{}", table(&line.rows), link(&line.explorer))]);
        body.extend(line.refund.iter().map(|refund| format!("<p>{}</p>\n", escape(refund))));
    }
    body += &link(&receipt.support);
    format!(
        "<!DOCTYPE html>\n<html lang=\"{}\" dir=\"{}\">\n<head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\"><title>{}</title></head>\n<body style=\"font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:600px;padding:16px\">\n{body}<p style=\"font-size:13px;opacity:.75\">{}</p>\n</body>\n</html>\n",
        translation.tag,
        translation.dir.code(),
        escape(&receipt.subject),
        escape(&receipt.reason),
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
