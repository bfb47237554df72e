//! `GET /api-keys/authorize`: a plugin sends the merchant here for a key. There are no accounts here: the merchant pastes the token of a
//! business, reads who gets it, and sends it there. Nothing on the page runs.

use std::fmt::Write as _;

use axum::body::{Body, to_bytes};
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use checkout_domain::access::scope::{Scope, Scopes};
use checkout_domain::access::token::{Caller, TokenHash};
use checkout_domain::business::Business;
use url::{Url, form_urlencoded};

use super::server::{KNOWN_PERMISSIONS, REFUND, granted};
use super::shop::change;
use crate::http::Shared;
use crate::http::problem::Refusal;
use crate::service::App;
use crate::service::access::authenticate;
use crate::site;
use crate::texts;
use crate::texts::html::escape;
use crate::texts::origin::check_link;

/// In bytes, escaped.
const LONGEST_FORM: usize = 8 * 1024;

/// In characters: what follows it has to be read.
const LONGEST_NAME: usize = 100;

/// What a plugin asks for.
#[derive(Debug, Default, PartialEq, Eq)]
struct KeyRequest {
    name: String,
    redirect: String,
    permissions: Vec<String>,
    token: String,
}

impl KeyRequest {
    fn read(form: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut asked = Self::default();
        for (name, value) in form {
            match name.as_str() {
                "applicationName" => asked.name = value,
                "redirect" => asked.redirect = value,
                "token" => value.trim().clone_into(&mut asked.token),
                "permissions" | "permissions[]" => {
                    // A store that was chosen before is that of the token.
                    let name = value.split(':').next().unwrap_or_default().to_owned();
                    if !asked.permissions.contains(&name) {
                        asked.permissions.push(name);
                    }
                }
                _ => {}
            }
        }
        asked
    }

    /// Where the key goes.
    fn target(&self, sandbox: bool) -> Result<Option<Url>, String> {
        if self.redirect.is_empty() {
            return Ok(None);
        }
        check_link(&self.redirect, sandbox)
            .map_err(|fault| format!("Its return address {}.", fault.detail()))?;
        Url::parse(&self.redirect).map(Some).map_err(|_| "Its return address cannot be read.".to_owned())
    }

    fn asks_to_refund(&self) -> bool {
        self.permissions.iter().any(|name| name == REFUND)
    }

    /// Why a token with these scopes is more than a shop should hold: who gets it has all of it.
    fn excess(&self, scopes: Scopes) -> Option<&'static str> {
        if scopes.list().is_none() {
            Some(
                "This token can do everything. Create one for the shop: checkout credential create --business ID --scope payments.",
            )
        } else if scopes.allow(&[Scope::Withdrawals]) && !self.asks_to_refund() {
            Some(
                "This token can also withdraw money, which the shop does not ask for. Create one without the scope withdrawals.",
            )
        } else {
            None
        }
    }

    fn problem(&self, sandbox: bool) -> Option<String> {
        let unknown = self.permissions.iter().find(|name| !KNOWN_PERMISSIONS.contains(&name.as_str()));
        let unknown = unknown.map(|name| format!("It asks for {name}, which this gateway does not give."));
        let unshown = texts::check(&self.name).is_err() || self.name.chars().count() > LONGEST_NAME;
        let unshown = unshown.then(|| "Its name cannot be shown.".to_owned());
        self.target(sandbox).err().or(unknown).or(unshown)
    }
}

pub(super) async fn open(State(app): State<Shared>, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let asked = KeyRequest::read(form_urlencoded::parse(query.as_bytes()).into_owned());
    match asked.problem(app.policy.sandbox) {
        Some(problem) => page(StatusCode::BAD_REQUEST, &paragraph(&problem), None),
        None => page(StatusCode::OK, &question(&asked, ""), None),
    }
}

pub(super) async fn give(State(app): State<Shared>, body: Body) -> Result<Response, Refusal> {
    let form = to_bytes(body, LONGEST_FORM).await.unwrap_or_default();
    let asked = KeyRequest::read(form_urlencoded::parse(&form).into_owned());
    if let Some(problem) = asked.problem(app.policy.sandbox) {
        return Ok(page(StatusCode::BAD_REQUEST, &paragraph(&problem), None));
    }
    let again = |why| Ok(page(StatusCode::UNPROCESSABLE_ENTITY, &question(&asked, why), None));
    let known = authenticate::caller(&app, &asked.token).await?;
    let Some((known, Caller::Business(id))) = known.map(|known| (known, known.caller)) else {
        return again("This is not the token of a business.");
    };
    let Some(business) = app.store.business(id).await?.filter(|found| found.greenfield.is_some()) else {
        return again("This business does not answer shops: an operator turns it on.");
    };
    let missing =
        asked.permissions.iter().find(|name| !granted(known.scopes).any(|held| held == name.as_str()));
    if let Some(missing) = missing {
        return again(&format!("The token has no scope for {missing}."));
    }
    if let Some(excess) = asked.excess(known.scopes) {
        return again(excess);
    }
    remember(&app, &business, &asked).await?;
    let target = asked.target(app.policy.sandbox).ok().flatten();
    Ok(page(StatusCode::OK, &answer(&asked, &business, target.as_ref()), target.as_ref()))
}

/// A plugin refuses a key that has more than it asked for.
async fn remember(app: &App, business: &Business, asked: &KeyRequest) -> Result<(), Refusal> {
    let handle = TokenHash::of(&asked.token).handle().to_owned();
    let permissions = asked.permissions.clone();
    change(app, business.id, |greenfield| {
        greenfield.permissions.insert(handle, permissions);
        Ok(())
    })
    .await
}

fn question(asked: &KeyRequest, problem: &str) -> String {
    let mut page = String::new();
    if !problem.is_empty() {
        let _ = write!(page, "<p class=\"wrong\" role=\"alert\">{}</p>", escape(problem));
    }
    let name = if asked.name.is_empty() { "A shop" } else { &asked.name };
    let host = asked.target(true).ok().flatten().map(|url| url.origin().ascii_serialization());
    let to = host.map_or_else(String::new, |host| format!(" at {host}"));
    page += &paragraph(&format!(
        "{name}{to} asks for a key of this gateway, for what is listed. The key is your whole token: who has it can do all that the \
         token's scopes allow."
    ));
    if asked.asks_to_refund() {
        page += &paragraph(
            "With the scope withdrawals that is also to send the balance of the business to any address that the gateway allows.",
        );
    }
    page += "<ul>";
    for permission in &asked.permissions {
        let _ = write!(page, "<li>{}</li>", escape(permission));
    }
    page += "</ul><form method=\"post\" action=\"/api-keys/authorize\">";
    page += &hidden("applicationName", &asked.name);
    page += &hidden("redirect", &asked.redirect);
    for permission in &asked.permissions {
        page += &hidden("permissions", permission);
    }
    page += "<label for=\"token\">Token of the business (<code>biz_…</code>, scope <code>payments</code>)</label>\
             <p><input id=\"token\" name=\"token\" type=\"password\" autocomplete=\"off\" required></p>\
             <button>Allow</button></form>";
    page
}

/// The form that carries the key to the shop.
fn answer(asked: &KeyRequest, business: &Business, target: Option<&Url>) -> String {
    let Some(target) = target else {
        let text = format!("The token works. Its store is {}.", business.id);
        return paragraph(&text);
    };
    let mut page =
        paragraph(&format!("The token works. It is sent to {}.", target.origin().ascii_serialization()));
    let _ = write!(page, "<form method=\"post\" action=\"{}\">", escape(target.as_str()));
    page += &hidden("apiKey", &asked.token);
    page += &hidden("userId", &business.id.to_string());
    for permission in &asked.permissions {
        page += &hidden("permissions[]", &format!("{permission}:{}", business.id));
    }
    page += "<button>Continue to the shop</button></form>";
    page
}

fn hidden(name: &str, value: &str) -> String {
    format!("<input type=\"hidden\" name=\"{name}\" value=\"{}\">", escape(value))
}

fn paragraph(text: &str) -> String {
    format!("<p>{}</p>", escape(text))
}

fn page(status: StatusCode, content: &str, target: Option<&Url>) -> Response {
    let to = target.map_or_else(|| "'self'".to_owned(), |url| url.origin().ascii_serialization());
    site::key_page(status, format!("<h1>A key for a shop</h1>{content}"), &to)
}
