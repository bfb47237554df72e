//! The hosted page: the built template with the parts rendered for one payment.

use std::borrow::Cow;
use std::sync::OnceLock;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checkout_domain::ports::page::Drawing;
use sha2::{Digest as _, Sha256};

use super::accent::{DARK, LIGHT, Theme};
use super::encoding::{self, Encoding};
use super::{Brand, find, not_built, policy};
use crate::texts::html::escape;

/// The page of this brand, which only these origins may frame. Nothing frames the form of a claim: the payer sees where the
/// address is typed.
pub(crate) fn checkout_page(
    drawing: &Drawing,
    brand: &Brand,
    frame_ancestors: &[String],
    request: &HeaderMap,
) -> Response<Body> {
    let is_form = drawing.data.is_none();
    let Some(file) = find(if is_form { "claim.html" } else { "checkout.html" }) else { return not_built() };
    let frame_ancestors = if is_form { &[] } else { frame_ancestors };
    let template = std::str::from_utf8(file.identity).expect("the built page is UTF-8");
    let icon = brand.icon().and_then(|path| with_icon(template, path));
    let brand = brand.style();
    let page = fill(icon.as_deref().unwrap_or(template), drawing, &brand);
    let encoding = encoding::choose(request, true, false);
    let body = if encoding == Encoding::Brotli { compress(page.as_bytes()) } else { page.into_bytes() };
    let mut response = Response::new(Body::from(body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding, Sec-Fetch-Dest"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(policy::AS_IT_IS));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if let Some(token) = encoding.token() {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(token));
    }
    let own = SOURCES[usize::from(is_form)].get_or_init(|| Sources::of(template));
    let brand = if brand.is_empty() { String::new() } else { source(&brand) };
    let styles = [own.style.as_str(), &brand];
    let styles = if brand.is_empty() { &styles[..1] } else { &styles };
    policy::protect_page(headers, &own.script, styles, frame_ancestors);
    response
}

/// The source expressions of the template's inline elements, which are the same on every page.
struct Sources {
    script: String,
    style: String,
}

/// Of the checkout, and of the form of a claim.
static SOURCES: [OnceLock<Sources>; 2] = [OnceLock::new(), OnceLock::new()];

impl Sources {
    fn of(template: &str) -> Self {
        let of = |start: &str, end: &str| {
            let content = template.split_once(start).and_then(|(_, rest)| rest.split_once(end));
            source(content.map_or("", |(content, _)| content))
        };
        Self { script: of(SCRIPT, "</script>"), style: of("<style>", "</style>") }
    }
}

/// Cloudflare's Rocket Loader leaves it as it is.
pub(super) const SCRIPT: &str = "<script data-cfasync=\"false\">";

/// The source expression of an inline element (CSP 3, section 2.3.1).
pub(super) fn source(content: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(content)))
}

fn fill(template: &str, drawing: &Drawing, brand: &str) -> String {
    let data = drawing.data.as_deref().unwrap_or_default();
    filled(template, drawing.main.len() + data.len(), |name| match name {
        "lang" => escape(&drawing.lang),
        "dir" => escape(&drawing.dir),
        "theme" => escape(&drawing.theme),
        "color" => Cow::Owned(theme_color(&drawing.theme)),
        "title" => escape(&drawing.title),
        "brand" if !brand.is_empty() => Cow::Owned(["<style>", brand, "</style>"].concat()),
        "main" => Cow::Borrowed(drawing.main.as_str()),
        "data" => Cow::Borrowed(data),
        _ => Cow::Borrowed(""),
    })
}

/// The template with a value for each `{{name}}`, about `more` bytes longer. One pass, so that inserted text is never treated as a
/// placeholder.
pub(super) fn filled<'a>(template: &str, more: usize, value: impl Fn(&str) -> Cow<'a, str>) -> String {
    let mut page = String::with_capacity(template.len() + more);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, after)) = after.split_once("}}") else { break };
        page.push_str(before);
        page.push_str(&value(name));
        rest = after;
    }
    page.push_str(rest);
    page
}

/// The colour of the browser around the page, the page's own: no white frame in the dark.
pub(super) fn theme_color(theme: &str) -> String {
    let meta = |media: &str, theme: &Theme| {
        let [red, green, blue] = theme.page();
        format!("<meta name=\"theme-color\" content=\"#{red:02x}{green:02x}{blue:02x}\"{media}>")
    };
    match theme {
        "LIGHT" => meta("", &LIGHT),
        "DARK" => meta("", &DARK),
        // The first that fits counts.
        _ => meta(" media=\"(prefers-color-scheme:dark)\"", &DARK) + &meta("", &LIGHT),
    }
}

/// The template with this image in place of its own icon.
fn with_icon(template: &str, path: &str) -> Option<String> {
    const LINK: &str = "<link rel=\"icon\" href=\"";
    let (before, rest) = template.split_once(LINK)?;
    let (_, after) = rest.split_once('"')?;
    Some([before, LINK, path, "\"", after].concat())
}

/// A compression level that takes less than a millisecond per page.
fn compress(page: &[u8]) -> Vec<u8> {
    let parameters = brotli::enc::BrotliEncoderParams { quality: 5, lgwin: 18, ..Default::default() };
    let mut compressed = Vec::with_capacity(page.len() / 3);
    brotli::BrotliCompress(&mut &*page, &mut compressed, &parameters).expect("memory takes it");
    compressed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_filled_in_one_pass() {
        let drawing = Drawing {
            title: "A <b> & {{main}}".to_owned(),
            main: "<p>{{data}}</p>".to_owned(),
            data: Some("{}".to_owned()),
            ..Drawing::default()
        };
        let page = fill("<title>{{title}}</title>{{main}}{{unknown}}{{brand}}|{{data}}|{{", &drawing, "");
        assert_eq!(page, "<title>A &lt;b&gt; &amp; {{main}}</title><p>{{data}}</p>|{}|{{");
        assert_eq!(fill("{{brand}}{{lang}}", &drawing, "a{}"), "<style>a{}</style>");
    }

    #[test]
    fn the_browser_has_the_colour_of_the_page() {
        let light = "<meta name=\"theme-color\" content=\"#f3f5f8\">";
        assert_eq!(theme_color("LIGHT"), light);
        assert_eq!(theme_color("DARK"), light.replace("f3f5f8", "0d1015"));
        let dark = "<meta name=\"theme-color\" content=\"#0d1015\" media=\"(prefers-color-scheme:dark)\">";
        assert_eq!(theme_color("AUTO"), [dark, light].concat());
    }

    #[test]
    fn a_logo_replaces_the_icon() {
        let page = "<link rel=\"icon\" href=\"data:,a\"><b>";
        assert_eq!(
            with_icon(page, "/logos/a.png").as_deref(),
            Some("<link rel=\"icon\" href=\"/logos/a.png\"><b>")
        );
        assert_eq!(with_icon("<b>", "/logos/a.png"), None);
    }
}
