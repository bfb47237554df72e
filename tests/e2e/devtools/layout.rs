//! Narrow screens, long names, large type.

use checkout_wire::create_payment::CreatePayment;

use crate::support::browser::{DESKTOP, PHONE, Viewport};
use crate::support::extent::in_turn;
use crate::support::gateway::order;
use crate::support::languages::{NARROW, fits, font_size, with_locale};
use crate::support::logo;
use crate::support::screenshot::out;
use crate::support::stage::journey;
use crate::support::wait::eventually;

const TABLET: Viewport = Viewport { width: 768, height: 800, phone: false };

#[test]
fn long_names_right_to_left_names_and_huge_amounts_fit() {
    let unbroken = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
    for name in in_turn(&[unbroken, "קומקום ועלה בע״מ"]) {
        journey(async |stage| {
            stage.gateway.become_business_named(name, &[]);
            let mut order = order();
            order.display_amount = Some("98765432.10".into());
            let page = stage.page();
            for (currency, network) in [("XRP", "XRP"), ("USDT", "BSC")] {
                let created = stage.gateway.create(&order);
                order.client_payment_id = format!("{}+", order.client_payment_id).into();
                for locale in ["ja-JP", "ru-RU", "en-XA", "en-XB"] {
                    stage.browser.view(NARROW).await;
                    page.open(&with_locale(&created.payment_url, locale)).await;
                    let screen = page
                        .until("asks for a choice or for money", |page| page.is("choose") || page.is("pay"))
                        .await;
                    fits(stage.browser, &format!("{:?} in {locale}", screen.screen)).await;
                    if screen.is("choose") {
                        page.choose(currency, network).await;
                        fits(stage.browser, &format!("{currency} in {locale}")).await;
                    }
                }
            }
        });
    }
}

#[test]
fn a_long_order_number_leaves_price_and_countdown_on_one_line() {
    journey(async |stage| {
        let mut order = order();
        order.client_payment_id = "order-number-".repeat(4).into();
        stage.open_and_choose(&order, "BTC", "BTC").await;
        stage.browser.view(TABLET).await;
        let script = "const middle = (selector) => {
                const box = document.querySelector(selector).getBoundingClientRect();
                return Math.round(box.top + box.height / 2);
            };
            const lines = getComputedStyle(document.querySelector('.order-fiat')).lineHeight;
            return [middle('.order-fiat') - middle('.countdown'),
                document.querySelector('.order-fiat').getBoundingClientRect().height <= parseFloat(lines)];";
        let expected = serde_json::json!([0, true]);
        eventually("price and countdown are on one line", async || {
            stage.browser.run(script, vec![]).await == expected
        })
        .await;
    });
}

#[test]
fn on_a_phone_the_price_stands_on_a_line_of_its_own() {
    for id in ["7".to_owned(), "order-number-".repeat(4)] {
        journey(async |stage| {
            stage.gateway.become_business_named("Kettle", &[]);
            stage.browser.view(PHONE).await;
            let order = CreatePayment { client_payment_id: id.as_str().into(), ..order() };
            stage.open_and_choose(&order, "BTC", "BTC").await;
            let script = "const [order, price, time] = ['.order-id', '.order-fiat', '.countdown'].map(
                    (selector) => document.querySelector(selector).getBoundingClientRect());
                return order.bottom <= price.top && price.bottom <= time.top";
            eventually("the price is below the order", async || {
                stage.browser.run(script, vec![]).await == true
            })
            .await;
        });
    }
}

/// What does something here looks alike on all screens.
#[test]
fn quiet_buttons_have_one_style_and_links_elsewhere_another() {
    const STYLES: &str = "return [...document.querySelectorAll(arguments[0])].filter((link) => link.checkVisibility()).map((link) => {
        const { color, fontSize, fontWeight, textDecorationLine } = getComputedStyle(link);
        return [color, fontSize, fontWeight, textDecorationLine].join(' ');
    })";
    journey(async |stage| {
        let page = stage.page();
        let styles = async |selector: &str| {
            let styles = stage.browser.run(STYLES, vec![serde_json::json!(selector)]).await;
            serde_json::from_value::<Vec<String>>(styles).expect("texts")
        };
        let payment = stage.open_and_choose(&order(), "BTC", "BTC").await;
        page.until_alive().await;
        let pay = styles(".quiet, .help summary").await;
        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        let seen = styles(".quiet").await;
        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
        let paid = styles(".quiet").await;
        assert!(pay.len() >= 3 && !seen.is_empty() && !paid.is_empty(), "{pay:?} {seen:?} {paid:?}");
        let all: std::collections::BTreeSet<_> = pay.iter().chain(&seen).chain(&paid).collect();
        assert_eq!(all.len(), 1, "{all:?}");
    });
}

#[test]
fn the_card_of_a_form_stands_where_the_others_do() {
    journey(async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "BTC", "BTC").await;
        let place =
            "const { left, right } = document.querySelector('.order ~ section').getBoundingClientRect();
            return [left, right]";
        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        let seen = stage.browser.run(place, vec![]).await;
        page.click("lookup").await;
        page.until_screen("lookup").await;
        assert_eq!(stage.browser.run(place, vec![]).await, seen);
    });
}

/// Above the card there is less room than beside it.
#[test]
fn a_logo_cuts_nothing_of_the_header() {
    journey(async |stage| {
        let (_folder, file) = logo::file();
        stage.gateway.become_business(&["--logo", file.to_str().expect("a temporary path is text")]);
        let order = CreatePayment { client_payment_id: "2026-11-000123".into(), ..order() };
        stage.open_and_choose(&order, "BTC", "BTC").await;
        let script = "return [...document.querySelector('.order').children]
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ className }) => className)";
        for width in [720, 768, 991] {
            stage.browser.view(Viewport { width, ..TABLET }).await;
            fits(stage.browser, &format!("{width} px")).await;
            eventually("nothing is cut", async || {
                stage.browser.run(script, vec![]).await == serde_json::json!([])
            })
            .await;
        }
    });
}

/// Merchant, order, price and countdown in a column of their own, unless the page is narrow or in a frame.
#[test]
fn on_a_desktop_the_summary_stands_beside_the_card() {
    journey(async |stage| {
        stage.open_and_choose(&order(), "BTC", "BTC").await;
        // The browser answers a change of its size before the page has it.
        let until = async |what: &str, script: &str| {
            let script = format!(
                "const at = (selector) => document.querySelector(selector).getBoundingClientRect();
                const [summary, card] = [at('.order'), at('.pay')];
                const beside = summary.right < card.left && Math.abs(summary.top - card.top) < 24;
                {script}"
            );
            eventually(what, async || stage.browser.run(&script, vec![]).await == true).await;
        };
        stage.browser.view(DESKTOP).await;
        until("the summary is beside the card", "return beside").await;
        stage.browser.view(TABLET).await;
        until("the summary is above the card of a narrow page", "return !beside").await;
        stage.browser.view(DESKTOP).await;
        until("the summary is beside the card again", "return beside").await;
        // A screen that settles writes its classes anew.
        let frame = "document.querySelector('.checkout').classList.add('framed'); return !beside";
        until("the summary is above the card in a frame", frame).await;
    });
}

/// Twice the usual font of the browser: everything is twice as large, and still fits.
#[test]
fn text_follows_the_browsers_font_size() {
    journey(async |stage| {
        stage.open_and_choose(&order(), "XRP", "XRP").await;
        let sizes = async || {
            let script =
                "return ['h1', '.label', '[data-part=amount]', '[data-part=address]', '.copy', '.foot'].map(
                (selector) => parseFloat(getComputedStyle(document.querySelector(selector)).fontSize))";
            let sizes = stage.browser.run(script, vec![]).await;
            serde_json::from_value::<Vec<f64>>(sizes).expect("sizes")
        };
        let usual = sizes().await;
        font_size(stage.browser, 32).await;
        let large = sizes().await;
        for (usual, large) in usual.iter().zip(&large) {
            // A narrow layout has a smaller amount.
            assert!(large / usual >= 1.75, "{usual} px became {large} px");
        }
        assert_eq!(out(stage.browser).await, 0);
    });
}
