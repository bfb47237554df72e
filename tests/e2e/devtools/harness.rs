//! Tests of the test harness: each check finds the error that it is for.

use serde_json::json;

use crate::support::browser::{DESKTOP, PHONE, Scheme};
use crate::support::merchant::Merchant;
use crate::support::page::Page;
use crate::support::stage::with_browser;
use crate::support::wait::eventually;
use crate::support::{axe, qr, screenshot};

#[test]
fn a_content_security_policy_violation_is_detected() {
    with_browser(async |browser| {
        let page = Merchant::open(
            "<script>document.title = 'ran'</script>",
            &["Content-Security-Policy: default-src 'none'"],
        );
        browser.expect_in_console("Content Security Policy");
        browser.goto(&page.origin).await;
        browser.read_console().await;
        assert_ne!(browser.client.title().await.unwrap(), "ran");
        assert!(browser.console.borrow().has("Content Security Policy"));
        assert!(browser.console.borrow().faults().is_empty(), "it was expected");
    });
}

#[test]
fn a_console_error_is_detected_inside_a_frame_too() {
    with_browser(async |browser| {
        let inner =
            Merchant::open("<script>console.error('from inside'); throw new Error('thrown')</script>", &[]);
        let frame = format!("<p data-screen='outer'>outer</p><iframe src='{}'></iframe>", inner.origin);
        let outer = Merchant::open(&frame, &[]);
        browser.expect_in_console("from inside");
        browser.goto(&outer.origin).await;
        for said in ["from inside", "thrown"] {
            eventually("the console has it", async || {
                browser.read_console().await;
                browser.console.borrow().has(said)
            })
            .await;
        }
        let faults = browser.console.borrow().faults();
        assert!(faults.len() == 1 && faults[0].contains("thrown"), "{faults:?}");
        browser.expect_in_console("thrown");
    });
}

#[test]
fn clock_clipboard_network_and_screen_follow_the_journey() {
    with_browser(async |browser| {
        let html = "<meta name=viewport content='width=device-width'>
            <button onclick='navigator.clipboard.writeText(\"0.00000090\")'>copy</button>";
        let merchant = Merchant::open(html, &[]);
        browser.goto(&merchant.origin).await;
        let now = browser.run("return Date.now()", vec![]).await.as_i64().unwrap();
        browser.shift_clock(3).await;
        browser.goto(&merchant.origin).await;
        let later =
            browser.run("return [Date.now(), new Date().getTime(), new Date(5).getTime()]", vec![]).await;
        for clock in [&later[0], &later[1]] {
            let shift = clock.as_i64().unwrap() - now;
            assert!((10_800_000..10_920_000).contains(&shift), "{shift}");
        }
        assert_eq!(later[2], 5);

        Page { browser }.click_on("button").await;
        assert_eq!(browser.clipboard().await, "0.00000090");

        for (viewport, scheme) in [(PHONE, Scheme::Dark), (DESKTOP, Scheme::Light)] {
            browser.view(viewport).await;
            browser.prefer(scheme).await;
            let script = "return [innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]";
            let seen = browser.run(script, vec![]).await;
            assert_eq!(seen, json!([viewport.width, scheme == Scheme::Dark]));
        }

        browser.offline(true).await;
        assert_eq!(browser.run("return navigator.onLine", vec![]).await, false);
        browser.offline(false).await;
        assert_eq!(browser.run("return navigator.onLine", vec![]).await, true);
    });
}

#[test]
fn overflow_is_detected() {
    with_browser(async |browser| {
        let html = "<meta name=viewport content='width=device-width'><div style='width: 500px'>wide</div>";
        let merchant = Merchant::open(html, &[]);
        browser.view(PHONE).await;
        browser.goto(&merchant.origin).await;
        assert!(screenshot::out(browser).await > 0);
    });
}

#[test]
fn axe_violations_are_detected() {
    with_browser(async |browser| {
        let policy = "Content-Security-Policy: default-src 'none'";
        let page =
            |body: &str| format!("<!doctype html><html lang=en><title>a page</title><main>{body}</main>");
        let check = async |body: &str, expected: &[&str]| {
            let merchant = Merchant::open(&page(body), &[policy]);
            browser.goto(&merchant.origin).await;
            let found = axe::violations(browser).await;
            let rules: Vec<&str> = found.iter().map(|violation| violation.id.as_str()).collect();
            assert_eq!(rules, expected, "{found:#?}");
        };
        check("<h1>fine</h1><button>a name</button>", &[]).await;
        check("<h1>not</h1><ul><p>listed</p></ul><input>", &["label", "list"]).await;
    });
}

#[test]
fn a_missing_quiet_zone_is_detected() {
    let code = fast_qr::QRBuilder::new("bitcoin:abc?amount=0.5").build().unwrap();
    let check = |zone: usize, is_quiet: bool| {
        let read = qr::read(&draw(&code, zone));
        assert_eq!(read.text, "bitcoin:abc?amount=0.5");
        assert_eq!(read.darkest_around > 200, is_quiet, "{zone} modules around: {read:?}");
    };
    check(6, true);
    check(4, true);
    check(3, false);
    check(1, false);
}

/// The code with a light border of that many modules on black, 5 px per module.
fn draw(code: &fast_qr::QRCode, zone: usize) -> Vec<u8> {
    const PIXELS: usize = 5;
    let (start, end) = (10 - zone, 10 + code.size + zone);
    let side = (code.size + 20) * PIXELS;
    let is_light = |x: usize, y: usize| {
        let inside = |at: usize| (10..10 + code.size).contains(&at);
        let around = |at: usize| (start..end).contains(&at);
        match (inside(x) && inside(y), around(x) && around(y)) {
            (true, _) => !code[y - 10][x - 10].value(),
            (false, is_zone) => is_zone,
        }
    };
    let pixels: Vec<u8> = (0..side * side)
        .map(|at| if is_light(at % side / PIXELS, at / side / PIXELS) { 255 } else { 0 })
        .collect();
    let side = u32::try_from(side).expect("a small picture");
    checkout_test_nodes::png(side, side, png::ColorType::Grayscale, &pixels)
}
