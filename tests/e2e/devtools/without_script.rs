//! The page without script.

use crate::journeys::double_click;
use crate::journeys::languages::switches;
use crate::journeys::reusable;
use crate::journeys::single_offer;
use crate::journeys::without_script::pays;
use crate::support::stage::journey;

#[test]
fn the_language_is_switched_without_script() {
    journey(async |stage| {
        stage.browser.script(false).await;
        switches(stage).await;
    });
}

#[test]
fn a_payment_works_without_scripts() {
    journey(async |stage| {
        stage.browser.script(false).await;
        pays(stage, &stage.gateway.ready.base_url).await;
    });
}

#[test]
fn a_single_offer_needs_no_choice_and_no_script() {
    journey(async |stage| {
        stage.browser.script(false).await;
        single_offer::pays(stage).await;
    });
}

#[test]
fn a_reusable_payment_is_paid_again_without_script() {
    journey(async |stage| {
        stage.browser.script(false).await;
        reusable::pays_twice(stage).await;
    });
}

#[test]
fn a_double_click_on_a_currency_does_not_choose_its_network_without_script() {
    journey(async |stage| {
        stage.browser.script(false).await;
        double_click::chooses_no_network(stage, false).await;
    });
}
