//! Signs operators in and out of the desk.

use checkout_domain::access::operator::{LONGEST, Name, Operator};
use checkout_domain::access::token::{self, TokenHash};
use checkout_domain::ports::Stored;

use crate::service::App;
use crate::service::access::audit::Act;
use crate::service::access::passwords;

/// How the audit log names what is done here.
const SIGN_IN: &str = "SIGN_IN";
const SIGN_OUT: &str = "SIGN_OUT";

/// Prefix of the tokens of desk sessions.
const DESK: &str = "desk_";

/// Name, password and one-time code of somebody.
pub struct Attempt {
    pub name: String,
    pub password: String,
    pub code: String,
}

/// Returns the session's token. `None` whatever is wrong: name, password, code, a code that was used, or a disabled operator.
pub async fn with_password(app: &App, attempt: Attempt, client: &str) -> Stored<Option<(Operator, String)>> {
    let found = match attempt.name.parse::<Name>() {
        Ok(name) => app.store.operator(&name).await?,
        Err(_) => None,
    };
    let name = found.as_ref().map(|(operator, _)| operator.name.clone());
    let (operator, secrets) = found.unzip();
    let secrets = secrets.flatten();
    let (hash, password) = (secrets.as_ref().map(|secrets| secrets.password.clone()), attempt.password);
    let is_right =
        tokio::task::spawn_blocking(move || passwords::matches_hash(&password, hash.as_deref())).await;
    let now = app.clock.now();
    let step = secrets.and_then(|secrets| passwords::step_of(&attempt.code, &secrets.totp, now));
    if let (Some(operator), true, Some(step)) = (operator, is_right.unwrap_or(false), step)
        && let Some(token) = begin(app, &operator, Some(step), client).await?
    {
        return Ok(Some((operator, token)));
    }
    refused(app, name.as_ref(), client).await?;
    Ok(None)
}

/// For the name in a header of a trusted proxy.
pub async fn by_proxy(app: &App, name: &Name, client: &str) -> Stored<Option<(Operator, String)>> {
    let found = app.store.operator(name).await?;
    let known = found.is_some().then_some(name);
    if let Some((operator, _)) = found
        && let Some(token) = begin(app, &operator, None, client).await?
    {
        return Ok(Some((operator, token)));
    }
    refused(app, known, client).await?;
    Ok(None)
}

pub async fn sign_out(app: &App, operator: &Operator, session: &TokenHash, client: &str) -> Stored<()> {
    let name = operator.name.as_str();
    let mut tx = app.store.begin().await?;
    tx.end_desk_session(session).await?;
    let act = Act { operator: name, client, action: SIGN_OUT, target: name, outcome: "OK", ..Act::default() };
    act.append(tx.as_mut(), app.new_id(), app.clock.now()).await?;
    tx.commit().await
}

/// Uses up the code, begins a session and notes it, all or nothing.
async fn begin(app: &App, operator: &Operator, step: Option<u64>, client: &str) -> Stored<Option<String>> {
    let now = app.clock.now();
    let mut tx = app.store.begin().await?;
    if operator.is_disabled {
        return Ok(None);
    }
    if let Some(step) = step
        && !tx.use_code(operator.id, step).await?
    {
        return Ok(None);
    }
    let token = token::from_random(DESK, app.random());
    tx.put_desk_session(&TokenHash::of(&token), operator.id, now, now.saturating_sub(LONGEST)).await?;
    let name = operator.name.as_str();
    let act = Act { operator: name, client, action: SIGN_IN, target: name, outcome: "OK", ..Act::default() };
    act.append(tx.as_mut(), app.new_id(), now).await?;
    tx.commit().await?;
    Ok(Some(token))
}

/// An unknown name is not noted: people type passwords into the wrong field.
async fn refused(app: &App, name: Option<&Name>, client: &str) -> Stored<()> {
    let name = name.map_or("unknown", Name::as_str);
    tracing::warn!(name, client, "a sign-in was refused");
    let act =
        Act { operator: name, client, action: SIGN_IN, target: name, outcome: "REFUSED", ..Act::default() };
    act.note(app.store.as_ref(), app.new_id(), app.clock.now()).await
}
