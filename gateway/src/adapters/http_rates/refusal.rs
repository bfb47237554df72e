//! What a feed says when it does not answer, and what to do about it.

use std::time::Duration;

use serde_json::Value;

use super::public_feed::PublicFeed;

/// The longest text of a feed that is repeated.
const LONGEST: usize = 200;

/// Where the messages of feeds are: CoinGecko's, Coinbase's, Bitstamp's, Kraken's, others.
const MESSAGES: [&str; 9] = [
    "/status/error_message",
    "/error/status/error_message",
    "/errors/0/message",
    "/response_explanation",
    "/reason",
    "/error/0",
    "/error/message",
    "/error",
    "/message",
];

/// Where CoinGecko's codes are.
const CODES: [&str; 3] = ["/status/error_code", "/error/status/error_code", "/error_code"];

#[derive(Debug, PartialEq, Eq)]
pub(super) struct FeedRefusal {
    pub(super) status: u16,
    pub(super) code: Option<u64>,
    /// Empty if the feed says nothing.
    pub(super) said: String,
    /// How long the feed wants to be left alone.
    pub(super) wait: Option<Duration>,
}

impl FeedRefusal {
    pub(super) fn new(status: u16, wait: Option<Duration>, body: &[u8]) -> Self {
        let json: Option<Value> = serde_json::from_slice(body).ok();
        let code = json.as_ref().and_then(|json| CODES.iter().find_map(|code| json.pointer(code)?.as_u64()));
        let said = match &json {
            Some(json) => {
                MESSAGES.iter().find_map(|at| json.pointer(at)?.as_str()).unwrap_or_default().to_owned()
            }
            None => std::str::from_utf8(body).unwrap_or_default().to_owned(),
        };
        Self { status, code, said: one_line(&said), wait }
    }

    /// The feed does not want to be asked so, and asking again at once does not help.
    pub(super) fn is_final(&self) -> bool {
        (400..500).contains(&self.status)
    }
}

/// The title of a page, or the beginning of a text.
fn one_line(text: &str) -> String {
    let title =
        text.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>")).map(|(title, _)| title);
    let text = match title {
        Some(title) => title,
        None if text.trim_start().starts_with(['<', '{', '[']) => "",
        None => text,
    };
    let words: Vec<&str> =
        text.split(|character: char| character.is_whitespace() || character.is_control()).collect();
    let text = words.iter().filter(|word| !word.is_empty()).copied().collect::<Vec<_>>().join(" ");
    text.chars().take(LONGEST).collect()
}

/// What an operator can do. `reason` is why there is no price; `has_key` is whether CoinGecko was asked with a key.
pub(super) fn remedy(
    feed: Option<PublicFeed>,
    has_key: bool,
    reason: &str,
    refusal: Option<&FeedRefusal>,
) -> Option<&'static str> {
    let (status, code) = refusal.map_or((200, None), |refusal| (refusal.status, refusal.code));
    let lower = reason.to_ascii_lowercase();
    let is_limit = ["too many requests", "rate limit"].iter().any(|text| lower.contains(text));
    if feed == Some(PublicFeed::Coingecko) {
        match (code, status, has_key) {
            (Some(10010), ..) => {
                return Some("the key is one of a paid plan: set [rates] coingecko_plan = \"pro\"");
            }
            (Some(10011), ..) => return Some("the key is a demo key: set [rates] coingecko_plan = \"demo\""),
            (_, 401 | 403 | 429, false) | (Some(10002), _, false) => {
                return Some(
                    "CoinGecko wants a key: get a free demo key and name its file in [rates] coingecko_key_file, or remove \"coingecko\" from [rates] feeds",
                );
            }
            (_, 401, true) | (Some(10002), _, true) => {
                return Some(
                    "CoinGecko does not accept the key: check [rates] coingecko_key_file and coingecko_plan",
                );
            }
            (_, 429, true) => {
                return Some(
                    "the requests of the key's plan are used up: give each gateway a key of its own, or a larger plan",
                );
            }
            _ => {}
        }
    }
    match (feed, status) {
        (None, 300..=399) => Some("the feed has moved: set [rates] url to its new address"),
        (None, 401 | 403 | 404) => Some("check [rates] url"),
        (_, 429) => Some("the feed is asked too often from this address: raise [rates] refresh_seconds"),
        _ if is_limit => Some("the feed is asked too often from this address: raise [rates] refresh_seconds"),
        (Some(_), 400..=499) => {
            Some("the feed refuses this machine or its country: replace it in [rates] feeds by another")
        }
        (_, 500..=599) => Some("the feed is down or in maintenance: it is asked again"),
        _ if reason.contains("EService:") => Some("the feed is down or in maintenance: it is asked again"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bodies of the feeds' documentation, and what they are read as.
    #[test]
    fn what_feeds_say() {
        let check = |body: &str, code: Option<u64>, said: &str| {
            let refusal = FeedRefusal::new(401, None, body.as_bytes());
            assert_eq!((refusal.code, refusal.said.as_str()), (code, said), "{body}");
        };
        let missing = r#"{"status":{"timestamp":"2026-05-17T01:39:44.892+00:00","error_code":10002,"error_message":"API Key Missing."}}"#;
        check(missing, Some(10002), "API Key Missing.");
        let wrong = r#"{"error_code":10011,"status":{"error_message":"please change your root URL"}}"#;
        check(wrong, Some(10011), "please change your root URL");
        check(r#"{"error":{"status":{"error_code":10012,"error_message":"range"}}}"#, Some(10012), "range");
        check(
            r#"{"errors":[{"id":"invalid_request","message":"Currency is invalid"}]}"#,
            None,
            "Currency is invalid",
        );
        check(
            r#"{"response_code":"400.002","response_explanation":"Request rejected"}"#,
            None,
            "Request rejected",
        );
        check(r#"{"error":["EGeneral:Too many requests"]}"#, None, "EGeneral:Too many requests");
        check(r#"{"error":"quota"}"#, None, "quota");
        check(
            "<!DOCTYPE html><html><title>Attention Required!\n | Cloudflare</title>",
            None,
            "Attention Required! | Cloudflare",
        );
        check("<html><body>no</body></html>", None, "");
        check("error code: 1015", None, "error code: 1015");
        check("a\u{1b}[31m\nb", None, "a [31m b");
        check("", None, "");
        check("[[[[", None, "");
        check(&"x".repeat(1000), None, &"x".repeat(200));
    }

    #[test]
    fn what_to_do() {
        use PublicFeed::{Coingecko, Ecb, Kraken};
        let check = |feed, has_key, status, code, reason: &str, expected: &str| {
            let refusal =
                (status != 200).then(|| FeedRefusal { status, code, said: String::new(), wait: None });
            let found = remedy(feed, has_key, reason, refusal.as_ref()).unwrap_or_default();
            let is_expected = if expected.is_empty() { found.is_empty() } else { found.contains(expected) };
            assert!(is_expected, "{feed:?} {has_key} {status} {code:?}: {found}");
        };
        for (status, code) in
            [(401, Some(10002)), (401, None), (403, None), (429, Some(429)), (400, Some(10002))]
        {
            check(Some(Coingecko), false, status, code, "", "coingecko_key_file");
        }
        check(Some(Coingecko), true, 401, Some(10002), "", "does not accept the key");
        check(Some(Coingecko), true, 400, Some(10010), "", "coingecko_plan = \"pro\"");
        check(Some(Coingecko), true, 400, Some(10011), "", "coingecko_plan = \"demo\"");
        check(Some(Coingecko), true, 429, Some(429), "", "used up");
        check(Some(Coingecko), true, 403, None, "", "refuses this machine");
        check(Some(Coingecko), true, 503, None, "", "maintenance");
        check(Some(Kraken), false, 429, None, "", "refresh_seconds");
        check(Some(Kraken), false, 200, None, "Kraken says EGeneral:Too many requests", "refresh_seconds");
        check(Some(Kraken), false, 200, None, "Kraken says EService:Unavailable", "maintenance");
        check(Some(Ecb), false, 403, None, "", "replace it in [rates] feeds");
        check(None, false, 301, None, "", "[rates] url");
        check(None, false, 401, None, "", "check [rates] url");
        check(None, false, 200, None, "the answer is no list of rates", "");
        check(Some(Kraken), false, 200, None, "no connection", "");
    }
}
