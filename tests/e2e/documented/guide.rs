//! The code of a page.

/// A fenced block.
pub(super) struct Sample {
    /// The id of the section, or its title.
    pub(super) section: String,
    pub(super) language: String,
    /// The name in `Save as …` before it.
    pub(super) file: Option<String>,
    pub(super) code: String,
}

/// The fenced blocks of a page, in order.
pub(super) fn samples(page: &str) -> Vec<Sample> {
    let mut samples = Vec::new();
    let (mut section, mut file) = (String::new(), None);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")) {
            let id = title.rsplit_once("{#").map_or(title, |(_, id)| id.trim_end_matches('}'));
            id.clone_into(&mut section);
        } else if let Some(name) = line.strip_prefix("Save as `") {
            file = name.split_once('`').map(|(name, _)| name.to_owned());
        } else if let Some(language) = line.strip_prefix("```") {
            let code: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let (section, language) = (section.clone(), language.to_owned());
            samples.push(Sample { section, language, file: file.take(), code: code.join("\n") + "\n" });
        }
    }
    samples
}

#[test]
fn samples_know_their_section_and_file() {
    let page = "# A\n\n## B {#b}\n\n```sh\nls\n```\n\nSave as `c.py`:\n\n```python\n1\n2\n```\n";
    let samples = samples(page);
    let facts = samples.iter().map(|sample| {
        (sample.section.as_str(), sample.language.as_str(), sample.file.as_deref(), sample.code.as_str())
    });
    assert_eq!(
        facts.collect::<Vec<_>>(),
        [("b", "sh", None, "ls\n"), ("b", "python", Some("c.py"), "1\n2\n")]
    );
}
