//! A database belongs permanently to a sandbox or to a production gateway; the first start stores its kind.

use checkout_domain::ports::{Store, Stored};

const KIND: &str = "kind";

/// Set by every start of an earlier version.
const STARTED: &str = "token_key";

/// Set by every start with `--sandbox`.
const SANDBOX: &str = "sandbox_business";

/// Returns whether the database is of this kind. Sets the kind of a new one.
pub async fn is_of_kind(store: &dyn Store, sandbox: bool) -> Stored<bool> {
    let known = |setting: Option<String>| setting.is_some();
    let was_sandbox = known(store.setting(SANDBOX).await?);
    let first = if known(store.setting(STARTED).await?) { was_sandbox } else { sandbox };
    let word = |sandbox| if sandbox { "sandbox" } else { "production" };
    let mut tx = store.begin().await?;
    let kind = tx.put_setting_if_absent(KIND, word(first)).await?;
    tx.commit().await?;
    Ok(kind == word(sandbox))
}
