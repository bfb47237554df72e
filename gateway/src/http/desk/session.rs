//! `/desk/session`: signs in and out, and says who is signed in.

use axum::Json;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use checkout_domain::access::operator::{Name, Operator, Role};
use checkout_domain::access::token::TokenHash;
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::Operators;
use super::proxy::Sender;
use crate::http::body::Body;
use crate::http::problem::Refusal;
use crate::service::access::passwords::LONGEST;
use crate::service::access::sign_in::{self, Attempt};

/// A browser takes a cookie with this prefix only over TLS (or from the own machine), for one host and all its paths.
const COOKIE: &str = "__Host-desk";

const ATTRIBUTES: &str = "Path=/; Secure; HttpOnly; SameSite=Strict";

/// Other sites cannot read it, and a form cannot send it.
const CSRF: HeaderName = HeaderName::from_static("x-csrf-token");

/// Who is signed in, and how one signs in.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    operator: Option<OperatorView>,
    takes_passwords: bool,
    /// The proxy names somebody: no password is needed.
    is_named: bool,
    sandbox: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OperatorView {
    name: String,
    role: &'static str,
    /// Goes into `X-CSRF-Token` of each request that changes something.
    csrf_token: String,
    /// Whether the operator acts for all businesses, and may manage them.
    is_organisation: bool,
    /// The businesses that the operator acts for.
    businesses: Vec<BusinessView>,
}

#[derive(Serialize)]
struct BusinessView {
    id: String,
    name: String,
}

/// The body of `POST /desk/session`; without fields for somebody whom the proxy names.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the names of the fields are the description; the handler reads fields")]
pub(super) struct SignIn {
    name: String,
    password: String,
    code: String,
}

/// A signed-in operator; in the sandbox everybody is.
pub(super) struct SignedIn {
    pub(super) sender: Sender,
    pub(super) operator: Operator,
    session: Option<TokenHash>,
    csrf_token: String,
}

impl SignedIn {
    /// Whether what the operator does is noted.
    pub(super) fn is_audited(&self) -> bool {
        self.session.is_some()
    }

    pub(super) fn require(&self, least: Role) -> Result<(), Refusal> {
        if self.operator.role < least { Err(super::table::too_low(least)) } else { Ok(()) }
    }

    async fn find(parts: &mut Parts) -> Result<Option<Self>, Refusal> {
        let sender = Sender::of(parts);
        let Some(operators) = &sender.desk.operators else { return Ok(Some(everybody(sender))) };
        let Some(token) = cookie(&parts.headers) else { return Ok(None) };
        let (session, app) = (TokenHash::of(token), &sender.desk.app);
        let now = app.clock.now();
        let found = app.store.desk_session(&session).await?;
        let Some((operator, times)) = found.filter(|(_, times)| times.is_open(now)) else { return Ok(None) };
        // Without passwords the proxy decides, at every request.
        if !operators.settings.takes_passwords && sender.named.as_ref() != Some(&operator.name) {
            return Ok(None);
        }
        let csrf_token = csrf_token(token);
        if !parts.method.is_safe() {
            check_csrf(&parts.headers, &csrf_token)?;
        }
        if times.is_stale(now) {
            let mut tx = app.store.begin().await?;
            tx.note_desk_session(&session, now).await?;
            tx.commit().await?;
        }
        Ok(Some(Self { sender, operator, session: Some(session), csrf_token }))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for SignedIn {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        Self::find(parts).await?.ok_or_else(|| {
            let detail = "The session is over, or nobody has signed in.";
            Refusal::new(StatusCode::UNAUTHORIZED, "signed_out", "Sign in", detail)
        })
    }
}

/// The operator of the sandbox.
fn everybody(sender: Sender) -> SignedIn {
    let operator = Operator {
        id: Uuid::nil(),
        name: "sandbox".parse::<Name>().expect("letters are a name"),
        role: Role::Manager,
        business: None,
        is_disabled: false,
        created_at: 0,
    };
    SignedIn { sender, operator, session: None, csrf_token: String::new() }
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut cookies =
        lines.flat_map(|line| line.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
    cookies.find(|(name, _)| *name == COOKIE).map(|(_, token)| token)
}

/// Follows from the session's token, which the page cannot read.
fn csrf_token(token: &str) -> String {
    TokenHash::of(&format!("csrf {token}")).as_str().to_owned()
}

fn check_csrf(headers: &HeaderMap, expected: &str) -> Result<(), Refusal> {
    let given = headers.get(CSRF).and_then(|value| value.to_str().ok());
    // Hashes are compared, so that the time of the comparison tells nothing.
    if given.is_some_and(|given| TokenHash::of(given) == TokenHash::of(expected)) {
        return Ok(());
    }
    let detail = "The request does not come from the page of this session. Load the page again.";
    Err(Refusal::new(StatusCode::FORBIDDEN, "csrf", "The request is refused", detail))
}

/// `GET`, by anybody.
pub(super) async fn show(request: axum::extract::Request) -> Result<Json<View>, Refusal> {
    let (mut parts, _) = request.into_parts();
    if let Some(signed_in) = SignedIn::find(&mut parts).await? {
        return view(&signed_in.sender, Some((&signed_in.operator, signed_in.csrf_token))).await;
    }
    let sender = Sender::of(&parts);
    view(&sender, None).await
}

/// `POST` signs in.
pub(super) async fn begin(sender: Sender, body: Body<SignIn>) -> Result<Response, Refusal> {
    let Some(operators) = &sender.desk.operators else { return Err(Refusal::no_route()) };
    let client = sender.client.to_string();
    if let Some(wait) = operators.clients.take(&sender.client) {
        return Err(Refusal::too_many(wait));
    }
    let app = &sender.desk.app;
    let by_password = operators.settings.takes_passwords;
    let signed_in = match &sender.named {
        Some(name) if !by_password || !body.0.has("name") => {
            body.read(|_| Some(()))?;
            sign_in::by_proxy(app, name, &client).await?
        }
        _ if !by_password => return Err(not_named(operators)),
        _ => {
            let attempt = body.read(|fields| {
                let (name, password) =
                    (fields.required_any_text("name"), fields.required_any_text("password"));
                let code = fields.required_any_text("code");
                if password.as_ref().is_some_and(|password| password.chars().count() > LONGEST) {
                    fields.error("password", "too_long", format!("must have at most {LONGEST} characters"));
                }
                Some(Attempt { name: name?, password: password?, code: code? })
            })?;
            // All unknown spellings share one limit.
            if let Some(wait) = operators.names.take(&attempt.name.parse().ok()) {
                return Err(Refusal::too_many(wait));
            }
            let _turn = operators.hashing.acquire().await;
            sign_in::with_password(app, attempt, &client).await?
        }
    };
    let Some((operator, token)) = signed_in else {
        let detail = "The name, the password or the code is not right. A code works once.";
        return Err(Refusal::new(StatusCode::UNAUTHORIZED, "sign_in_failed", "Not signed in", detail));
    };
    let mut response = view(&sender, Some((&operator, csrf_token(&token)))).await?.into_response();
    set_cookie(&mut response, &format!("{COOKIE}={token}; {ATTRIBUTES}"));
    Ok(response)
}

/// `DELETE` signs out.
pub(super) async fn end(signed_in: SignedIn) -> Result<Response, Refusal> {
    if let Some(session) = &signed_in.session {
        let sender = &signed_in.sender;
        sign_in::sign_out(&sender.desk.app, &signed_in.operator, session, &sender.client.to_string()).await?;
    }
    let mut response = StatusCode::NO_CONTENT.into_response();
    set_cookie(&mut response, &format!("{COOKIE}=; Max-Age=0; {ATTRIBUTES}"));
    Ok(response)
}

fn not_named(operators: &Operators) -> Refusal {
    let header = operators.settings.proxy.as_ref().map_or("", |proxy| proxy.header.as_str());
    let detail =
        format!("The sign-on proxy names nobody in `{header}`, or it is not one of `trusted_proxies`.");
    Refusal::new(StatusCode::UNAUTHORIZED, "not_named", "Not signed in", detail)
}

fn set_cookie(response: &mut Response, cookie: &str) {
    let cookie = HeaderValue::try_from(cookie).expect("the token is base64");
    response.headers_mut().insert(header::SET_COOKIE, cookie);
}

async fn view(sender: &Sender, signed_in: Option<(&Operator, String)>) -> Result<Json<View>, Refusal> {
    let settings = sender.desk.operators.as_ref().map(|operators| &operators.settings);
    let operator = match signed_in {
        Some((operator, csrf_token)) => {
            let all = sender.desk.app.store.businesses().await?;
            let own = all.into_iter().filter(|business| operator.business.is_none_or(|id| id == business.id));
            Some(OperatorView {
                name: operator.name.to_string(),
                role: operator.role.as_str(),
                csrf_token,
                is_organisation: operator.business.is_none(),
                businesses: own
                    .map(|business| BusinessView { id: business.id.to_string(), name: business.name })
                    .collect(),
            })
        }
        None => None,
    };
    Ok(Json(View {
        operator,
        takes_passwords: settings.is_none_or(|settings| settings.takes_passwords),
        is_named: sender.named.is_some(),
        sandbox: settings.is_none(),
    }))
}
