//! The browser's console. Unexpected errors fail the journey.

use serde_json::Value;

#[derive(Debug, Default)]
pub(crate) struct Console {
    entries: Vec<Entry>,
    expected: Vec<&'static str>,
    sealed: bool,
}

#[derive(Debug)]
struct Entry {
    level: String,
    source: String,
    message: String,
}

impl Console {
    /// Collects the answer of the driver's log command.
    pub(crate) fn add(&mut self, entries: &Value) {
        if self.sealed {
            return;
        }
        let text = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
        let entries = entries.as_array().map(Vec::as_slice).unwrap_or_default();
        self.entries.extend(entries.iter().map(|entry| Entry {
            level: text(entry, "level"),
            source: text(entry, "source"),
            message: text(entry, "message"),
        }));
    }

    /// Stops collecting at the end of the journey.
    pub(crate) fn seal(&mut self) {
        self.sealed = true;
    }

    pub(crate) fn expect(&mut self, part: &'static str) {
        self.expected.push(part);
    }

    /// Unexpected errors, and Content-Security-Policy violations at any level.
    pub(crate) fn faults(&self) -> Vec<String> {
        let is_fault =
            |entry: &&Entry| entry.level == "SEVERE" || entry.message.contains("Content Security Policy");
        let is_expected = |entry: &Entry| self.expected.iter().any(|part| entry.message.contains(part));
        self.entries.iter().filter(is_fault).filter(|entry| !is_expected(entry)).map(Entry::line).collect()
    }

    pub(crate) fn has(&self, part: &str) -> bool {
        self.entries.iter().any(|entry| entry.message.contains(part))
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.entries.iter().map(Entry::line).collect()
    }
}

impl Entry {
    fn line(&self) -> String {
        format!("{} {}: {}", self.level, self.source, self.message)
    }
}
