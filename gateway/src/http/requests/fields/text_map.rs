//! Objects of texts.

use std::collections::BTreeMap;

use super::Fields;

impl Fields {
    /// An optional object of texts, as its entries. `check` returns what is wrong with them.
    pub fn text_map(
        &mut self,
        name: &str,
        check: impl Fn(&[(String, String)]) -> Option<(&'static str, String)>,
    ) -> Option<BTreeMap<String, String>> {
        if !self.has(name) {
            return None;
        }
        let texts: Option<BTreeMap<String, String>> =
            self.entries.get(name).and_then(|raw| serde_json::from_str(raw.get()).ok());
        let Some(texts) = texts else { return self.wrong_type(name, "an object of texts") };
        for (key, value) in &texts {
            for text in [key, value] {
                self.checked(name, text.clone())?;
            }
        }
        let entries: Vec<_> = texts.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        if let Some((code, detail)) = check(&entries) {
            self.error(name, code, detail);
            return None;
        }
        Some(texts)
    }
}
