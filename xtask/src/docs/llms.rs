//! `llms.txt`: the pages as a list for language models (<https://llmstxt.org>).

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use crate::files::Files;

const HEAD: &str = "# Crypto Checkout\n\n> A self-hosted gateway for cryptocurrency payments: a hosted checkout page, one script tag to embed it, and an \
    HTTP API for payments, refunds and withdrawals. Each page below is Markdown; the OpenAPI document is at /api/openapi.json.\n";

/// In how many characters a page is described.
const LONGEST: usize = 240;

/// The summary, with the first sentence of each page.
pub(super) fn text(summary: &str, staged: &Files) -> String {
    let lines = summary.lines().skip(1).map(|line| {
        let page = line.rsplit_once("](").map(|(_, page)| format!("src/{}", page.trim_end_matches(')')));
        match page.and_then(|page| staged.get(&page)) {
            Some(page) => line.replace("](", "](/docs/") + ": " + &about(&String::from_utf8_lossy(page)),
            None if line.starts_with('#') => format!("#{line}"),
            None => line.to_owned(),
        }
    });
    [HEAD.to_owned()].into_iter().chain(lines.map(|line| line + "\n")).collect()
}

fn about(page: &str) -> String {
    let inside = Parser::new(page)
        .skip_while(|event| *event != Event::Start(Tag::Paragraph))
        .take_while(|event| *event != Event::End(TagEnd::Paragraph));
    let text = inside.map(|event| match event {
        Event::Text(text) | Event::Code(text) => text.into_string(),
        Event::SoftBreak => " ".to_owned(),
        _ => String::new(),
    });
    let paragraph: String = text.collect();
    paragraph.split_inclusive(". ").next().unwrap_or_default().trim_end().chars().take(LONGEST).collect()
}
