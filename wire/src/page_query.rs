//! The part of a list's query that selects a page.

use schemars::JsonSchema;

use super::schema::Limit;

/// `Id` is the type of the cursors.
#[derive(Debug, JsonSchema)]
#[schemars(inline, bound = "Id: JsonSchema", rename_all = "camelCase")]
pub struct PageQuery<Id> {
    /// Only what comes after the entry with this id, in the order of the list.
    #[schemars(with = "Id", skip_serializing_if = "Option::is_none")]
    pub after: Option<Id>,
    /// Only what comes before the entry with this id, in the order of the list.
    #[schemars(with = "Id", skip_serializing_if = "Option::is_none")]
    pub before: Option<Id>,
    /// Newest first.
    #[schemars(with = "bool", skip_serializing_if = "Option::is_none", extend("default" = true))]
    pub descending: Option<bool>,
    /// Size of the page.
    #[schemars(with = "Limit", skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}
