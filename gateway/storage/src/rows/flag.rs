//! The columns of a flagged deposit or address.

use checkout_domain::chain::screening::AddressOwner;
use checkout_domain::ports::Stored;
use checkout_wire::payment::DepositHold;

use crate::statements::row::{Row, bad};

/// Returns why a deposit is held although its sender is cleared.
pub(crate) fn hold(row: &Row) -> Stored<Option<DepositHold>> {
    let word = row.optional_text("hold")?;
    word.map(|word| DepositHold::known(&word).ok_or_else(|| bad("hold"))).transpose()
}

/// Returns the owner of the address that a flagged deposit came from.
pub(crate) fn owner(row: &Row) -> Stored<Option<AddressOwner>> {
    let (name, category) = (row.optional_text("owner_name")?, row.optional_text("owner_category")?);
    Ok(name.zip(category).map(|(name, category)| AddressOwner { name, category }))
}
