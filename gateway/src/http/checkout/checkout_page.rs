//! `GET` and `POST /checkout/{paymentId}`: the hosted page, rendered for its payment, and the payer's choice
//! on a page without scripts.

use aide::transform::TransformOperation;
use axum::Extension;
use axum::body::{Body, to_bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, Uri, header};
use checkout_domain::access::token::Caller;
use checkout_domain::ids::PaymentId;
use checkout_domain::ports::Stored;
use checkout_domain::ports::businesses::PageTerms;
use checkout_domain::ports::credentials::Known;
use checkout_domain::ports::page::{
    Drawing, PageForm, PageLookup, PageRequest, TypedClaim, TypedLookup, TypedReceipt,
};
use checkout_wire::PaymentStatus;
use checkout_wire::checkout_view::{CheckoutView, DepositOption};
use checkout_wire::texts::NonEmpty;
use checkout_wire::update_payment::UpdatePayment;
use schemars::JsonSchema;
use serde::Deserialize;
use url::form_urlencoded;

use super::visit::is_by_person;
use crate::http::Shared;
use crate::http::auth::Verified;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::payments::update_payment::choice;
use crate::http::requests::fields::Fields;
use crate::http::requests::id;
use crate::http::requests::names::Names;
use crate::service::App;
use crate::service::payments::choose_deposit::{self, NotChosen};
use crate::service::payments::{checkout_view, read_payment};
use crate::site::{self, Brand};

pub(in crate::http) const ROUTE: &str = "/checkout/{paymentId}";

/// Of the form that asks for money back.
pub(in crate::http) const CLAIM_ROUTE: &str = "/checkout/{paymentId}/claim";

/// Of the form that looks for a transfer.
pub(in crate::http) const LOOKUP_ROUTE: &str = "/checkout/{paymentId}/lookup";

/// Of the form that asks for a receipt.
pub(in crate::http) const RECEIPT_ROUTE: &str = "/checkout/{paymentId}/receipt";

/// Of what wallets in the browser are asked, and have signed.
pub(in crate::http) const WALLET_ROUTE: &str = "/checkout/{paymentId}/wallet";

/// A file that only a sandbox serves. Its wallet is offered beside those of the browser.
const SIMULATED_WALLET: &str = r#"<script type="module" src="/sandbox/wallet.js"></script>"#;

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("getCheckoutPage")
        .tag(tag::CHECKOUT)
        .summary("Get the hosted checkout")
        .description("The hosted page behind `paymentUrl`, with what the token opens. With another token it says that the link does not work. In a frame of a page whose origin is not allowed it is a sentence and a link, with nothing of the payment. A single offer is chosen at once when a person opens the page (`Sec-Fetch-Mode: navigate` with `Sec-Fetch-User: ?1`, and not fetched ahead); otherwise the page has a button for it.")
        .input::<Query<PageQuery>>()
        .answers_text(200, "The page.", "text/html; charset=utf-8")
        .refuses(503, &["site_not_built"])
}

pub(in crate::http) fn choose_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("chooseOnCheckoutPage")
        .tag(tag::CHECKOUT)
        .summary("Choose without script")
        .description(
            "The page's forms send this where no script runs: `choose=USDT.TRX` takes this currency and network, `choose=USDT` shows the networks of a currency, `choose=` the whole list.",
        )
        .input::<Query<PageQuery>>()
        .answers_nothing(303, "Back to the page, which shows the result.")
        .answers_header(303, "Location", "The page's query.")
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct PagePath {
    /// Identifier of the payment.
    #[schemars(with = "NonEmpty")]
    payment_id: String,
}

#[derive(JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
#[expect(dead_code, reason = "for the document; the page reads its own address")]
pub(in crate::http) struct PageQuery {
    /// Token of the payment. It stays in the address, so that the gateway draws the page again after a reload.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    session_token: Option<String>,
    /// Theme of the page.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none", example = &"LIGHT")]
    theme: Option<String>,
    /// Language of the page.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none", example = &"en-US")]
    locale: Option<String>,
}

pub(in crate::http) type PageId = Result<Path<PagePath>, PathRejection>;

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    path: PageId,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    verified: Option<Extension<Verified>>,
) -> Response<Body> {
    let visit = Visit {
        id: id_of(path),
        path: uri.path(),
        query: uri.query().unwrap_or_default(),
        headers: &headers,
        verified: verified.as_deref(),
    };
    let claim = parameter(visit.query, "claim").map(|id| TypedClaim { id, ..TypedClaim::default() });
    let lookup = || parameter(visit.query, "lookup").map(|_| PageForm::Lookup(TypedLookup::default()));
    let receipt = || parameter(visit.query, "receipt").map(|_| PageForm::Receipt(TypedReceipt::default()));
    let form = claim.map(PageForm::Claim).or_else(lookup).or_else(receipt);
    let by_person = is_by_person(&method, &headers);
    match visit.draw(&app, by_person, form).await {
        Ok(drawn) => drawn.answer(&headers),
        Err(refused) => refused,
    }
}

pub(in crate::http) fn id_of(path: PageId) -> Option<PaymentId> {
    path.ok().and_then(|Path(path)| id::payment(&path.payment_id))
}

/// A request for a page of this payment.
pub(in crate::http) struct Visit<'a> {
    pub(in crate::http) id: Option<PaymentId>,
    /// Of the payment's page.
    pub(in crate::http) path: &'a str,
    pub(in crate::http) query: &'a str,
    pub(in crate::http) headers: &'a HeaderMap,
    pub(in crate::http) verified: Option<&'a Verified>,
}

pub(in crate::http) struct Drawn {
    pub(in crate::http) drawing: Drawing,
    terms: PageTerms,
}

impl Visit<'_> {
    /// `Err` in a frame of an origin that is not allowed.
    pub(in crate::http) async fn draw(
        &self,
        app: &App,
        by_person: bool,
        form: Option<PageForm>,
    ) -> Result<Drawn, Response<Body>> {
        let terms = match self.id {
            Some(id) => app.store.page_terms(id).await,
            None => Ok(None),
        };
        let is_refused = |terms: &Option<PageTerms>| {
            site::is_refused(self.headers, terms.as_ref().map_or(&[], |terms| &terms.allowed_origins))
        };
        if terms.as_ref().is_ok_and(is_refused) {
            return Err(site::refused_page());
        }
        let terms = terms.unwrap_or_else(|error| {
            tracing::error!(%error, "the page goes out without frame ancestors and brand");
            None
        });
        let mut query = self.query.to_owned();
        let found = look_up(app, self.id, &mut query, by_person, self.verified);
        let found = found.await.unwrap_or_else(|error| {
            tracing::error!(%error, "the page goes out without its payment");
            PageLookup::Unavailable
        });
        let is_rehearsed =
            app.policy.sandbox && parameter(&query, "wallet").is_some_and(|wallet| wallet == "simulated");
        let mut drawing = app.page.draw(PageRequest {
            path: self.path.to_owned(),
            query: if query.is_empty() { String::new() } else { format!("?{query}") },
            framed: self.headers.get("sec-fetch-dest").is_some_and(|dest| dest == "iframe"),
            found,
            form,
            now: app.clock.now_millis(),
        });
        if is_rehearsed {
            drawing.main.push_str(SIMULATED_WALLET);
        }
        Ok(Drawn { drawing, terms: terms.unwrap_or_default() })
    }
}

impl Drawn {
    pub(in crate::http) fn answer(self, headers: &HeaderMap) -> Response<Body> {
        let PageTerms { allowed_origins, brand_color, logo } = self.terms;
        let brand = Brand::of(brand_color, logo.as_deref());
        site::checkout_page(&self.drawing, &brand, &allowed_origins, headers)
    }
}

/// The session token in the page's query.
pub(in crate::http) fn session_token(query: &str) -> Option<String> {
    parameter(query, "sessionToken")
}

/// Of a query, or of the body of a form.
pub(in crate::http) fn parameter(query: impl AsRef<[u8]>, wanted: &str) -> Option<String> {
    let mut pairs = form_urlencoded::parse(query.as_ref());
    pairs.find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
}

/// The payer, if this is a session token of the payment.
pub(in crate::http) async fn payer(
    app: &App,
    token: &str,
    payment: PaymentId,
    verified: Option<&Verified>,
) -> Stored<Option<Caller>> {
    let found = read_payment::find(app, token, payment).await?;
    let Some((Known { caller: caller @ Caller::Session { .. }, .. }, Some(_))) = found else {
        return Ok(None);
    };
    if let Some(verified) = verified {
        verified.note();
    }
    Ok(Some(caller))
}

/// Finds the payment. For a person, a single offer is taken at once: there is nothing to choose. If that fails, the page
/// has the notice and the list.
async fn look_up(
    app: &App,
    id: Option<PaymentId>,
    query: &mut String,
    by_person: bool,
    verified: Option<&Verified>,
) -> Stored<PageLookup> {
    let (Some(id), Some(token)) = (id, session_token(query)) else { return Ok(PageLookup::Nothing) };
    if payer(app, &token, id, verified).await?.is_none() {
        return Ok(PageLookup::Nothing);
    }
    let Some(view) = view(app, id).await? else { return Ok(PageLookup::Nothing) };
    let Some(only) = only_offer(&view).filter(|_| by_person && !has_notice(query)) else {
        return Ok(PageLookup::View(view));
    };
    match take(app, id, &token, &only.currency, &only.network, None).await {
        Ok(()) => Ok(self::view(app, id).await?.map_or(PageLookup::Nothing, PageLookup::View)),
        Err(refused) => {
            query.push_str("&notice=");
            query.push_str(notice(&refused));
            Ok(PageLookup::View(view))
        }
    }
}

pub(in crate::http) async fn view(app: &App, id: PaymentId) -> Stored<Option<Box<CheckoutView>>> {
    let Some(record) = app.store.payment(id).await? else { return Ok(None) };
    Ok(checkout_view::view(app, &record).await?.map(Box::new))
}

/// A payer cannot change the currency and network that the merchant fixed at creation.
fn only_offer(view: &CheckoutView) -> Option<&DepositOption> {
    let payment = &view.payment;
    let fits = |asked: Option<&str>, code: &str| asked.is_none_or(|asked| asked == code);
    let mut offers = view.options.iter().filter(|option| {
        fits(payment.deposit_currency.as_deref(), &option.currency)
            && fits(payment.expected_network.as_deref(), &option.network)
    });
    let only = offers.next().filter(|_| payment.status == PaymentStatus::New);
    only.filter(|_| offers.next().is_none())
}

/// A choice was refused before.
fn has_notice(query: &str) -> bool {
    form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == "notice")
}

/// In bytes; the forms send one short field.
const LONGEST_FORM: usize = 256;

/// Always redirects to the page, which shows the result of the choice.
pub(in crate::http) async fn choose(
    State(app): State<Shared>,
    path: PageId,
    uri: Uri,
    verified: Option<Extension<Verified>>,
    body: Body,
) -> Response<Body> {
    let id = id_of(path);
    let query = uri.query().unwrap_or_default();
    let body = to_bytes(body, LONGEST_FORM).await.unwrap_or_default();
    let choice = body.strip_prefix(b"choose=").and_then(|choice| std::str::from_utf8(choice).ok());
    let choice =
        choice.filter(|choice| choice.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.'));
    let next = match (choice.unwrap_or_default().split_once('.'), id, session_token(query)) {
        (Some((currency, network)), Some(id), Some(token)) => {
            let verified = verified.as_deref();
            let chosen = take(&app, id, &token, currency, network, verified).await;
            chosen.err().map(|refused| ("notice", notice(&refused)))
        }
        (None, ..) => choice.filter(|choice| !choice.is_empty()).map(|currency| ("currency", currency)),
        _ => None,
    };
    back_to_the_page("", query, next)
}

async fn take(
    app: &App,
    id: PaymentId,
    token: &str,
    currency: &str,
    network: &str,
    verified: Option<&Verified>,
) -> Result<(), NotChosen> {
    let caller = payer(app, token, id, verified).await?.ok_or(NotChosen::NotFound)?;
    let texts = [("depositCurrency", currency), ("network", network)];
    let texts = texts.map(|(name, text)| (name.to_owned(), text.to_owned())).to_vec();
    let fields = Fields::of_texts(texts, Names::of::<UpdatePayment>()).knowing(app.opt_ins());
    choose_deposit::choose(app, caller, id, choice(fields, true)).await.map(|_| ())
}

/// The value of the page's `notice` parameter.
fn notice(refused: &NotChosen) -> &'static str {
    match refused {
        NotChosen::NotFound | NotChosen::Invalid(_) | NotChosen::NetworkUnavailable(_) => "not_possible",
        NotChosen::DepositSeen | NotChosen::Cancelled | NotChosen::NotForSale => "closed",
        NotChosen::NoRate(_) => "no_rate",
        NotChosen::Store(_) => "not_reached",
    }
}

/// `path` is empty where the page has the address of the request.
pub(in crate::http) fn back_to_the_page(
    path: &str,
    query: &str,
    next: Option<(&str, &str)>,
) -> Response<Body> {
    let kept = query.split('&').filter(|pair| !pair.is_empty());
    let kept = kept.filter(|pair| !pair.starts_with("currency=") && !pair.starts_with("notice="));
    let next = next.map(|(name, value)| format!("{name}={value}"));
    let query = kept.map(ToOwned::to_owned).chain(next).collect::<Vec<_>>().join("&");
    see(&format!("{path}?{query}"))
}

/// Leads the browser to another page of the gateway.
pub(in crate::http) fn see(path: &str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let headers = response.headers_mut();
    headers.insert(header::LOCATION, HeaderValue::try_from(path).expect("an address is visible ASCII"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}
