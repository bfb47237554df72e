//! A snapshot of all facts of a page, read at one moment.

use std::collections::BTreeMap;

use serde::Deserialize;

pub(crate) const SCRIPT: &str = include_str!("snapshot.js");

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Snapshot {
    pub(crate) url: String,
    /// `data-screen`.
    pub(crate) screen: Option<String>,
    /// The visible text of the page.
    pub(crate) text: String,
    /// Everything with a `data-part`, by its name.
    pub(crate) parts: BTreeMap<String, Vec<Part>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Part {
    pub(crate) text: String,
    /// `data-value`.
    pub(crate) value: Option<String>,
    /// Rendered with a nonzero size.
    pub(crate) shown: bool,
    pub(crate) enabled: bool,
}

impl Snapshot {
    pub(crate) fn is(&self, screen: &str) -> bool {
        self.screen.as_deref() == Some(screen)
    }

    /// The first visible part of that name.
    pub(crate) fn shown(&self, part: &str) -> Option<&Part> {
        self.parts.get(part)?.iter().find(|part| part.shown)
    }

    /// The `data-value` of a visible part.
    pub(crate) fn value(&self, part: &str) -> Option<&str> {
        self.shown(part)?.value.as_deref()
    }

    /// Whether there is a visible, enabled option with that value.
    pub(crate) fn offers(&self, part: &str, value: &str) -> bool {
        let parts = self.parts.get(part).map(Vec::as_slice).unwrap_or_default();
        parts.iter().any(|part| part.shown && part.enabled && part.value.as_deref() == Some(value))
    }

    /// The `data-value` of a part that may be invisible: facts about the page.
    pub(crate) fn fact(&self, part: &str) -> Option<&str> {
        self.parts.get(part)?.first()?.value.as_deref()
    }

    /// The visible text of a part without whitespace: addresses are shown in groups.
    pub(crate) fn packed(&self, part: &str) -> Option<String> {
        Some(self.shown(part)?.text.split_whitespace().collect())
    }

    /// Seconds left.
    pub(crate) fn countdown(&self) -> Option<i64> {
        self.value("countdown")?.parse().ok()
    }
}
