//! `llms.txt`: the pages as a list for language models (<https://llmstxt.org>).

use std::fmt::Write as _;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

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

/// The first sentence of the first paragraph, without its links.
fn first_sentence(page: &str) -> String {
    let is_start = |event: &Event<'_>| matches!(event, Event::Start(Tag::Paragraph));
    let is_end = |event: &Event<'_>| matches!(event, Event::End(TagEnd::Paragraph));
    let inside = Parser::new_ext(page, Options::ENABLE_TABLES)
        .skip_while(|event| !is_start(event))
        .take_while(|event| !is_end(event));
    let text = inside.map(|event| match event {
        Event::Text(text) => text.into_string(),
        Event::Code(code) => format!("`{code}`"),
        Event::Start(Tag::Strong) | Event::End(TagEnd::Strong) => "**".to_owned(),
        Event::SoftBreak => " ".to_owned(),
        _ => String::new(),
    });
    let paragraph: String = text.collect();
    paragraph.split_inclusive(". ").next().unwrap_or_default().trim_end().chars().take(LONGEST).collect()
}
