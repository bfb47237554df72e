//! Statements, their arguments and the columns that they return.

pub(crate) mod columns;
pub(crate) mod conditions;
pub mod locks;
pub(crate) mod query;
pub(crate) mod row;
