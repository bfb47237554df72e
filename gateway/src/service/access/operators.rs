//! Adds and changes operators, from the command line.

use checkout_domain::access::operator::{Name, Operator, Role, Secrets};
use checkout_domain::ports::{Random, Store, Stored};
use uuid::Uuid;

use crate::service::access::audit::Act;
use crate::service::access::passwords;

/// Who the audit log names for a command.
const COMMAND: &str = "command line";

/// The credentials of an operator, shown once.
#[derive(Clone)]
pub struct Setup {
    /// `None` if the operator chose it.
    pub password: Option<String>,
    /// For an authenticator.
    pub link: String,
}

/// How an operator signs in.
pub enum Means {
    /// With this password, or a random one.
    Password(Option<String>),
    /// By the name in a header of a proxy.
    Proxy,
}

/// Changes of an operator.
#[derive(Clone, Copy, Debug, Default)]
pub struct Changes {
    pub role: Option<Role>,
    pub is_disabled: Option<bool>,
}

/// `Err` if the name is taken.
pub async fn add(
    store: &dyn Store,
    operator: &Operator,
    means: Means,
    random: &dyn Random,
) -> Stored<Result<Option<Setup>, ()>> {
    let mut tx = store.begin().await?;
    if !tx.add_operator(operator).await? {
        return Ok(Err(()));
    }
    let made = match means {
        Means::Password(password) => Some(make(&operator.name, password, random)),
        Means::Proxy => None,
    };
    if let Some((_, secrets)) = &made {
        tx.put_secrets(operator.id, secrets).await?;
    }
    let act = act("ADD_OPERATOR", &operator.name, operator.role.as_str());
    act.append(tx.as_mut(), Uuid::now_v7(), operator.created_at).await?;
    tx.commit().await?;
    Ok(Ok(made.map(|(setup, _)| setup)))
}

/// `None` if there is no such operator. Sessions end.
pub async fn reset(
    store: &dyn Store,
    name: &Name,
    password: Option<String>,
    now: u64,
    random: &dyn Random,
) -> Stored<Option<Setup>> {
    let Some((operator, _)) = store.operator(name).await? else { return Ok(None) };
    let (setup, secrets) = make(name, password, random);
    let mut tx = store.begin().await?;
    tx.put_secrets(operator.id, &secrets).await?;
    act("RESET_PASSWORD", name, "").append(tx.as_mut(), Uuid::now_v7(), now).await?;
    tx.commit().await?;
    Ok(Some(setup))
}

/// `None` if there is no such operator. Sessions end.
pub async fn change(store: &dyn Store, name: &Name, changes: Changes, now: u64) -> Stored<Option<Operator>> {
    let Some((operator, _)) = store.operator(name).await? else { return Ok(None) };
    let operator = Operator {
        role: changes.role.unwrap_or(operator.role),
        is_disabled: changes.is_disabled.unwrap_or(operator.is_disabled),
        ..operator
    };
    let mut tx = store.begin().await?;
    tx.change_operator(&operator).await?;
    let state = if operator.is_disabled { "disabled" } else { "enabled" };
    let detail = format!("{}, {state}", operator.role.as_str());
    act("CHANGE_OPERATOR", name, &detail).append(tx.as_mut(), Uuid::now_v7(), now).await?;
    tx.commit().await?;
    Ok(Some(operator))
}

/// Something that a command did to an operator.
fn act<'a>(action: &'a str, target: &'a Name, detail: &'a str) -> Act<'a> {
    Act { operator: COMMAND, action, target: target.as_str(), detail, outcome: "OK", ..Act::default() }
}

fn make(name: &Name, chosen: Option<String>, random: &dyn Random) -> (Setup, Secrets) {
    let is_chosen = chosen.is_some();
    let password = chosen.unwrap_or_else(|| passwords::random(random));
    let secrets = Secrets { password: passwords::hash(&password), totp: passwords::random_key(random) };
    let link = passwords::link(name, &secrets);
    (Setup { password: (!is_chosen).then_some(password), link }, secrets)
}
