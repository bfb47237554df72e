//! `llms.txt`: the pages as a list for language models (<https://llmstxt.org>).

use std::fmt::Write as _;

use crate::Outcome;
use crate::folder::Files;

const HEAD: &str = "# Crypto Checkout\n\n> A self-hosted gateway for cryptocurrency payments: a hosted checkout page, one script tag to embed it, and an \
    HTTP API for payments, refunds and withdrawals. Each page below is Markdown; the OpenAPI document is at /api/openapi.json.\n";

/// In how many characters a page is described.
const LONGEST: usize = 240;

pub(super) fn text(staged: &Files) -> Outcome<String> {
    let read = |name: &str| {
        staged
            .get(name)
            .map(|text| String::from_utf8_lossy(text))
            .ok_or_else(|| format!("{name} is missing."))
    };
    let mut text = HEAD.to_owned();
    for line in read("src/SUMMARY.md")?.lines() {
        if let Some(part) = line.strip_prefix("# ").filter(|part| *part != "Summary") {
            let _ = write!(text, "\n## {part}\n\n");
        }
        let link =
            line.trim_start_matches([' ', '-']).strip_prefix('[').and_then(|link| link.split_once("]("));
        if let Some((title, page)) = link {
            let page = page.trim_end_matches(')');
            let about = first_sentence(&read(&format!("src/{page}"))?);
            let _ = writeln!(text, "- [{title}](/docs/{page}): {about}");
        }
    }
    Ok(text)
}

/// The first sentence of the first paragraph.
fn first_sentence(page: &str) -> String {
    let paragraph: Vec<&str> = page
        .lines()
        .skip_while(|line| !line.starts_with(|letter: char| letter.is_alphabetic() || "`*[".contains(letter)))
        .take_while(|line| !line.is_empty())
        .collect();
    let paragraph = without_links(&paragraph.join(" "));
    let sentence = paragraph.split_inclusive(". ").next().unwrap_or_default().trim_end();
    sentence.chars().take(LONGEST).collect()
}

/// `[a](b)` becomes `a`.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let Some((_, after)) = after.split_once(')') else { break };
        let (start, label) = before.rsplit_once('[').unwrap_or(("", before));
        plain.push_str(start);
        plain.push_str(label);
        rest = after;
    }
    plain.push_str(rest);
    plain
}
