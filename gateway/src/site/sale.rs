//! The page of a sale link: a title, a price and a button. It needs no script.

mod money;
mod words;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::LazyLock;

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use checkout_domain::sale::{LinkState, SaleLink, SalePrice};
use uuid::Uuid;

use self::money::money;
use self::words::{Words, words};
use super::page::{filled, source, theme_color};
use super::{Brand, policy};
use crate::texts::html::escape;

const PAGE: &str = include_str!("../../../www/buy.html");

static STYLE: LazyLock<String> = LazyLock::new(|| {
    plain(include_str!("../../../www/styles/tokens.css"))
        + &plain(include_str!("../../../www/styles/buy.css"))
});

/// Whose page it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seller {
    pub(crate) name: String,
    pub(crate) theme: &'static str,
    pub(crate) brand: Brand,
    /// Who may frame it.
    pub(crate) allowed_origins: Vec<String>,
}

/// What a person typed, and what is wrong.
#[derive(Clone, Debug, Default)]
pub(crate) struct Typed {
    pub(crate) amount: String,
    pub(crate) wrong: Option<Wrong>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Wrong {
    /// It is no amount, or not one of the price.
    Amount,
    /// The form was used.
    Used,
    /// Nobody knows whether it was done: the form keeps its number, so that it is done once.
    Failed { number: Uuid },
}

/// What the page says.
#[derive(Clone, Debug)]
pub(crate) enum Says<'a> {
    /// Its form has this number.
    Offer(&'a SaleLink, Uuid, Typed),
    Over(&'a SaleLink, LinkState),
    /// For paper: the QR code of this address, as an SVG.
    Printed(&'a SaleLink, PrintedCode),
    /// The business sells nothing by it at the moment.
    Closed(&'a SaleLink),
    /// There is no such link.
    Unknown,
    /// The store does not answer.
    Unavailable,
}

#[derive(Clone, Debug)]
pub(crate) struct PrintedCode {
    pub(crate) url: String,
    pub(crate) svg: String,
}

/// The page in one of `checkout_wire::LOCALES`.
pub(crate) fn sale_page(status: StatusCode, locale: &str, shop: &Seller, says: &Says<'_>) -> Response<Body> {
    let words = words(locale);
    let (title, content) = match says {
        Says::Offer(link, number, typed) => (link.title.as_str(), offer(words, link, *number, typed)),
        Says::Over(link, state) => (link.title.as_str(), over(words, link, *state)),
        Says::Printed(link, code) => (link.title.as_str(), printed(words, link, code)),
        Says::Closed(link) => (link.title.as_str(), told(&link.title, words.withdrawn)),
        Says::Unavailable => (words.unavailable, told(words.unavailable, words.failed)),
        Says::Unknown => (words.unknown_title, told(words.unknown_title, words.unknown)),
    };
    let mut response = drawn(words.locale, shop, (title, content), "'self'");
    *response.status_mut() = status;
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept-Language"));
    response
}

/// The page on which a merchant gives a shop its key. Its form leads to `target`.
pub(crate) fn key_page(status: StatusCode, content: String, target: &str) -> Response<Body> {
    let mut response = drawn("en", &Seller::default(), ("A key for a shop", content), target);
    *response.status_mut() = status;
    response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

fn drawn(lang: &str, shop: &Seller, (title, content): (&str, String), form_action: &str) -> Response<Body> {
    let style = STYLE.clone() + &shop.brand.style();
    let theme = if shop.theme.is_empty() { "AUTO" } else { shop.theme };
    let values = [
        ("lang", lang.to_owned()),
        ("theme", theme.to_owned()),
        ("color", theme_color(theme)),
        ("icon", shop.brand.icon().unwrap_or("data:,").to_owned()),
        ("style", style.clone()),
        ("title", escape(title).into_owned()),
        ("shop", escape(&shop.name).into_owned()),
        ("content", content),
    ];
    let mut response = Response::new(Body::from(fill(&values)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(policy::AS_IT_IS));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    policy::protect_form(headers, &source(&style), form_action, &shop.allowed_origins);
    response
}

fn fill(values: &[(&str, String)]) -> String {
    filled(PAGE, STYLE.len() + 2_048, |name| {
        let value = values.iter().find(|(known, _)| *known == name);
        Cow::Borrowed(value.map_or("", |(_, value)| value))
    })
}

fn offer(words: &Words, link: &SaleLink, number: Uuid, typed: &Typed) -> String {
    let mut page = format!("<h1 data-part=\"title\">{}</h1>", escape(&link.title));
    let bounds = bounds(words, link.price);
    if let Some(wrong) = typed.wrong {
        let text = match wrong {
            Wrong::Amount => [words.wrong_amount, " ", &bounds].concat(),
            Wrong::Used => words.used.to_owned(),
            Wrong::Failed { .. } => words.failed.to_owned(),
        };
        let _ = write!(page, "<p class=\"wrong\" role=\"alert\" data-part=\"wrong\">{}</p>", escape(&text));
    }
    let _ = write!(
        page,
        "<form method=\"post\" action=\"/buy/{}\"><input type=\"hidden\" name=\"number\" value=\"{number}\">\
         <input type=\"hidden\" name=\"locale\" value=\"{}\">",
        link.slug, words.locale
    );
    match link.price {
        SalePrice::Fixed { fiat, amount } => {
            let text = money(words.locale, fiat, amount);
            let _ = write!(page, "<p class=\"price\" data-part=\"price\">{}</p>", escape(&text));
        }
        SalePrice::Open { fiat, .. } => {
            let invalid = matches!(typed.wrong, Some(Wrong::Amount));
            let invalid = if invalid { " aria-invalid=\"true\"" } else { "" };
            let _ = write!(
                page,
                "<label for=\"amount\">{}</label><div class=\"amount\"><input id=\"amount\" name=\"amount\" inputmode=\"decimal\" \
                 autocomplete=\"off\" maxlength=\"20\" required aria-describedby=\"bounds\"{invalid} value=\"{}\" \
                 data-part=\"amount\"><span>{}</span></div><p class=\"note bounds\" id=\"bounds\">{}</p>",
                escape(words.amount),
                escape(&typed.amount),
                fiat.code(),
                escape(&bounds),
            );
        }
    }
    let _ = write!(
        page,
        "<button data-part=\"buy\">{}</button></form><p class=\"note\">{}</p>",
        escape(words.buy),
        escape(words.next)
    );
    page
}

fn printed(words: &Words, link: &SaleLink, code: &PrintedCode) -> String {
    let price = match link.price {
        SalePrice::Fixed { fiat, amount } => money(words.locale, fiat, amount),
        SalePrice::Open { .. } => bounds(words, link.price),
    };
    format!(
        "<h1 data-part=\"title\">{}</h1><p class=\"price\" data-part=\"price\">{}</p><div class=\"code\" data-part=\"code\">{}</div>\
         <p class=\"scan\">{}</p><p class=\"note\" data-part=\"address\">{}</p>",
        escape(&link.title),
        escape(&price),
        code.svg,
        escape(words.scan),
        escape(&code.url)
    )
}

/// Empty for a fixed price.
fn bounds(words: &Words, price: SalePrice) -> String {
    match price {
        SalePrice::Fixed { .. } => String::new(),
        SalePrice::Open { fiat, min, max } => {
            let text = words.bounds.replace("{min}", &money(words.locale, fiat, min));
            text.replace("{max}", &money(words.locale, fiat, max))
        }
    }
}

fn over(words: &Words, link: &SaleLink, state: LinkState) -> String {
    let text = match state {
        LinkState::SoldOut { open: 0 } => words.sold_out,
        LinkState::SoldOut { .. } => words.reserved,
        LinkState::Ended { .. } => words.ended,
        LinkState::Withdrawn { .. } | LinkState::Open => words.withdrawn,
    };
    told(&link.title, text)
}

fn told(title: &str, text: &str) -> String {
    format!(
        "<h1 data-part=\"title\">{}</h1><p class=\"note\" role=\"status\" data-part=\"over\">{}</p>",
        escape(title),
        escape(text)
    )
}

/// The style without its comments.
fn plain(css: &str) -> String {
    let mut parts = css.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |style, part| style + part.split_once("*/").map_or("", |(_, rest)| rest).trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_allows_the_style_and_the_form_alone() {
        let shop = Seller { name: "A & <b>".to_owned(), ..Seller::default() };
        let page = sale_page(StatusCode::NOT_FOUND, "de-DE", &shop, &Says::Unknown);
        let policy = page.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        let (start, rest) = policy.split_once("'sha256-").unwrap();
        assert_eq!(start, "default-src 'none'; style-src ");
        let (_, rest) = rest.split_once("'; ").unwrap();
        assert_eq!(rest, "img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
        let page = fill(&[("shop", escape(&shop.name).into_owned())]);
        assert!(page.contains(">A &amp; &lt;b&gt;</p>"), "{page}");
    }

    #[test]
    fn comments_are_not_sent() {
        assert_eq!(plain("/* a */\n\na {}\n/* b */ b {}"), "a {}\nb {}");
        assert!(!STYLE.contains("/*") && STYLE.contains("--checkout-accent"), "{}", *STYLE);
    }
}
