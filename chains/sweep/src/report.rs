//! The report of a run, or of a dry run.

use checkout_core::Amount;
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Coins for fees, to an address that holds tokens.
    Fund,
    Token,
    Coins,
    /// Amounts below the fee or below `min`: they stay.
    Left,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    pub kind: Kind,
    /// Of the address that was given to a payer.
    pub index: u32,
    pub from: String,
    pub to: String,
    pub currency: String,
    /// A decimal.
    pub amount: String,
    /// `None` in a plan.
    pub transaction: Option<String>,
    pub error: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub dry_run: bool,
    pub gas_account: String,
    pub rows: Vec<Row>,
}

impl Report {
    pub fn is_done(&self) -> bool {
        self.rows.iter().all(|row| row.error.is_none())
    }
}

pub(crate) fn text(atoms: u128, decimals: u8) -> String {
    Amount::from_atoms(atoms).unwrap_or(Amount::MAX).to_text(decimals)
}
