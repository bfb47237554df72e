//! `GET` and `POST /buy/{slug}`: the page of a sale link. Only its form, sent by a press, makes a payment.

use aide::transform::TransformOperation;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Response, StatusCode, Uri};
use axum::response::IntoResponse as _;
use checkout_core::Decimal;
use checkout_domain::business::Business;
use checkout_domain::ports::sales::CountedLink;
use checkout_domain::ports::{StoreError, Stored};
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::sale::slug::Slug;
use checkout_domain::sale::{LinkState, SaleLink, SalePrice};
use checkout_wire::texts::SlugText;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::http::Shared;
use crate::http::checkout::checkout_page::{parameter, see};
use crate::http::checkout::form_page::typed;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::requests::id;
use crate::http::requests::languages::language;
use crate::http::same_origin;
use crate::service::App;
use crate::service::payments::payment_request::unshown;
use crate::service::sales::sell::{NotSold, Press, sell};
use crate::site::{self, Brand, PrintedCode, Says, Seller, Typed, Wrong};
use crate::texts::amount::positive_decimal;

pub(in crate::http) const ROUTE: &str = "/buy/{slug}";

/// Of a page that somebody opens.
fn answers(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .tag(tag::SALES)
        .answers_text(200, "The page.", "text/html; charset=utf-8")
        .answers_text(404, "The page: there is no such link.", "text/html; charset=utf-8")
        .answers_text(410, "The page: it sells nothing more.", "text/html; charset=utf-8")
        .answers_text(503, "The page: try again.", "text/html; charset=utf-8")
}

pub(in crate::http) fn show_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    answers(operation)
        .id("getSaleLinkPage")
        .summary("Get the page of a sale link")
        .description(
            "The title, the price or a field for the amount, and a button, in the language of `Accept-Language`. To open it makes nothing.",
        )
}

/// Of the page for paper.
pub(in crate::http) const PRINT_ROUTE: &str = "/buy/{slug}/print";

pub(in crate::http) fn print_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    answers(operation).id("getPrintedSaleLink").summary("Get a sale link for paper").description(
        "The title, the price and the QR code of the link's address, for a counter or a shop window.",
    )
}

pub(in crate::http) fn press_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("buyBySaleLink")
        .tag(tag::SALES)
        .summary("Press the button of a sale link")
        .description(
            "The form of the page sends this: `number`, which is used once, `amount` if the price is open, and `locale`. Two presses of one \
             form make one payment. Other sites cannot send it.",
        )
        .answers_nothing(303, "To the payment's page.")
        .answers_header(303, "Location", "The payment's page.")
        .answers_text(404, "The page: there is no such link.", "text/html; charset=utf-8")
        .answers_text(409, "The page: the form was used.", "text/html; charset=utf-8")
        .answers_text(410, "The page: it sells nothing more.", "text/html; charset=utf-8")
        .answers_text(422, "The page: the amount is wrong.", "text/html; charset=utf-8")
        .answers_text(503, "The page: try again.", "text/html; charset=utf-8")
        .refuses(403, &["unknown_host", "cross_origin"])
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
pub(in crate::http) struct SlugPath {
    /// The last part of the link's address.
    #[schemars(with = "SlugText")]
    slug: String,
}

type SlugOf = Result<Path<SlugPath>, PathRejection>;

/// What is behind an address.
struct FoundLink {
    business: Business,
    link: SaleLink,
    state: LinkState,
}

pub(in crate::http) async fn show(
    State(app): State<Shared>,
    path: SlugOf,
    uri: Uri,
    headers: HeaderMap,
) -> Response<Body> {
    let locale = locale(&uri, &headers);
    match find(&app, path).await {
        Ok(found) => answer(&app, found.as_ref(), locale, Typed::default()),
        Err(error) => unread(&error, locale),
    }
}

/// What sells, also if everything is taken at the moment.
pub(in crate::http) async fn print(
    State(app): State<Shared>,
    path: SlugOf,
    uri: Uri,
    headers: HeaderMap,
) -> Response<Body> {
    let locale = locale(&uri, &headers);
    let found = match find(&app, path).await {
        Ok(found) => found,
        Err(error) => return unread(&error, locale),
    };
    match found.as_ref() {
        Some(FoundLink { business, link, state: LinkState::Open | LinkState::SoldOut { .. } })
            if shows(business, link) =>
        {
            let url = format!("{}/buy/{}", app.public_url, link.slug);
            let code = PrintedCode { svg: app.page.qr_code(&url), url };
            site::sale_page(StatusCode::OK, locale, &shop(business), &Says::Printed(link, code))
        }
        found => answer(&app, found, locale, Typed::default()),
    }
}

fn locale(uri: &Uri, headers: &HeaderMap) -> &'static str {
    language(parameter(uri.query().unwrap_or_default(), "locale").as_deref(), headers)
}

fn unread(error: &StoreError, locale: &str) -> Response<Body> {
    tracing::error!(%error, "a sale link was not read");
    site::sale_page(StatusCode::SERVICE_UNAVAILABLE, locale, &Seller::default(), &Says::Unavailable)
}

pub(in crate::http) async fn press(
    State(app): State<Shared>,
    path: SlugOf,
    headers: HeaderMap,
    body: Body,
) -> Response<Body> {
    if let Err(refusal) = same_origin::check(&headers, &app.public_url, false) {
        return refusal.into_response();
    }
    let form = typed(body).await;
    let field = |name| parameter(&form, name);
    let locale = language(field("locale").as_deref(), &headers);
    let found = match find(&app, path).await {
        Ok(found) => found,
        Err(error) => return unread(&error, locale),
    };
    let Some(FoundLink { business, link, .. }) = &found else {
        return answer(&app, None, locale, Typed::default());
    };
    let amount = field("amount").unwrap_or_default();
    let again = |wrong| Typed { amount: amount.clone(), wrong: Some(wrong) };
    let Some(number) = field("number").and_then(|number| id::parse(&number)) else {
        return answer(&app, found.as_ref(), locale, again(Wrong::Used));
    };
    let read = match link.price {
        SalePrice::Fixed { .. } => Ok(None),
        SalePrice::Open { fiat, .. } => amount_of(&amount, fiat).map(Some).ok_or(Wrong::Amount),
    };
    let typed = match read {
        Ok(typed) => typed,
        Err(wrong) => return answer(&app, found.as_ref(), locale, again(wrong)),
    };
    match sell(&app, business, link, Press { number, typed, locale }).await {
        Ok(path) => see(&path),
        Err(NotSold::Price(_)) => answer(&app, found.as_ref(), locale, again(Wrong::Amount)),
        Err(NotSold::Used) => answer(&app, found.as_ref(), locale, again(Wrong::Used)),
        Err(NotSold::State(state)) => {
            let found = found.map(|found| FoundLink { state, ..found });
            answer(&app, found.as_ref(), locale, Typed::default())
        }
        Err(NotSold::Closed) => {
            site::sale_page(StatusCode::GONE, locale, &shop(business), &Says::Closed(link))
        }
        Err(NotSold::Store(error)) => {
            tracing::error!(%error, "a press on a sale link was not stored");
            answer(&app, found.as_ref(), locale, again(Wrong::Failed { number }))
        }
    }
}

async fn find(app: &App, path: SlugOf) -> Stored<Option<FoundLink>> {
    let slug = path.ok().and_then(|Path(path)| path.slug.parse::<Slug>().ok());
    let Some(slug) = slug else { return Ok(None) };
    let now = app.clock.now();
    let Some((link, taken)): Option<CountedLink> = app.store.sale_link_by_slug(&slug, now).await? else {
        return Ok(None);
    };
    let business = app.store.business(link.business).await?;
    Ok(business.map(|business| FoundLink { state: link.state(taken, now), business, link }))
}

/// The page, with a new form if it sells.
fn answer(app: &App, found: Option<&FoundLink>, locale: &str, typed: Typed) -> Response<Body> {
    let Some(FoundLink { business, link, state }) = found else {
        return site::sale_page(StatusCode::NOT_FOUND, locale, &Seller::default(), &Says::Unknown);
    };
    let (status, says) = match state {
        LinkState::Open if !shows(business, link) => (StatusCode::GONE, Says::Closed(link)),
        LinkState::Open => {
            let status = match typed.wrong {
                None => StatusCode::OK,
                Some(Wrong::Used) => StatusCode::CONFLICT,
                Some(Wrong::Amount) => StatusCode::UNPROCESSABLE_ENTITY,
                Some(Wrong::Failed { .. }) => StatusCode::SERVICE_UNAVAILABLE,
            };
            let number = match typed.wrong {
                Some(Wrong::Failed { number }) => number,
                None | Some(Wrong::Amount | Wrong::Used) => Uuid::from_bytes(app.random()),
            };
            (status, Says::Offer(link, number, typed))
        }
        LinkState::SoldOut { .. } | LinkState::Ended { .. } | LinkState::Withdrawn { .. } => {
            (StatusCode::GONE, Says::Over(link, *state))
        }
    };
    site::sale_page(status, locale, &shop(business), &says)
}

/// The business sells, and shows prices in the currency of the link.
fn shows(business: &Business, link: &SaleLink) -> bool {
    !business.disabled && unshown(business, Some(link.price.fiat())).is_none()
}

fn shop(business: &Business) -> Seller {
    Seller {
        name: business.name.clone(),
        theme: business.theme.as_str(),
        brand: Brand::of(business.brand_color, business.logo.as_deref()),
        allowed_origins: business.allowed_origins.clone(),
    }
}

/// An amount as people type it: with a decimal point or comma. Three digits behind it can be thousands.
fn amount_of(text: &str, fiat: Fiat) -> Option<Decimal> {
    let text = text.trim();
    let text = if text.contains('.') { text.to_owned() } else { text.replacen(',', ".", 1) };
    if text.split_once('.').is_some_and(|(_, fraction)| fraction.len() > usize::from(fiat.decimals()).max(2))
    {
        return None;
    }
    positive_decimal(&text, fiat.decimals()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_as_people_type_them() {
        for (text, code, expected) in [
            ("12", "EUR", Some("12")),
            (" 12.50 ", "EUR", Some("12.50")),
            ("12,50", "EUR", Some("12.50")),
            ("12,5", "EUR", Some("12.5")),
            ("1000", "JPY", Some("1000")),
            ("1000.00", "JPY", Some("1000")),
            ("12.505", "EUR", None),
            // Nobody knows whether that is one thousand or one.
            ("1,000", "EUR", None),
            ("1.000", "EUR", None),
            ("1.000", "JPY", None),
            ("1,000.00", "EUR", None),
            ("0", "EUR", None),
            ("-1", "EUR", None),
            ("1e3", "EUR", None),
            ("", "EUR", None),
            ("12 EUR", "EUR", None),
        ] {
            let read = amount_of(text, code.parse().unwrap()).map(|amount| amount.to_string());
            assert_eq!(read.as_deref(), expected, "{text:?}");
        }
    }
}
