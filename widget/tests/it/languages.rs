//! Every screen in every language.

use checkout_core::Currency;
use checkout_widget::event::{Act, Body, What};
use checkout_widget::page_url::PageUrl;
use checkout_widget::present;
use checkout_widget::render::render;
use checkout_widget::screen::Field;
use checkout_widget::words::{LANGUAGES, PSEUDO, find};
use checkout_wire::payment::{DepositStatus, OverpaymentPolicy, PaymentStatus, RefundStatus};

use crate::payments::{
    BTC, counted, deposit, expired, new, overpaid, paid, partial, pending, pending_xrp, quoted, returning,
    seen, with,
};
use crate::player::Player;

/// One page for each text.
pub(crate) fn every_screen() -> Vec<Player> {
    let open = Player::open;
    let then = |mut player: Player, acts: &dyn Fn(&mut Player)| {
        acts(&mut player);
        player
    };
    let part = deposit("0.001", "BTC", DepositStatus::Confirmed);
    let mut processed = overpaid(None);
    processed.overpayment_policy = Some(OverpaymentPolicy::Process.into());
    let refused = |status| {
        then(open(expired()), &|player| {
            player.act(Act::Renew);
            player.answer(status, Body::Empty);
        })
    };
    vec![
        Player::start_at(crate::player::page_url()),
        open(new()),
        then(open(new()), &|player| player.act(Act::ChooseCurrency(Currency::Usdt))),
        open(pending()),
        open(pending_xrp()),
        then(open(pending_xrp()), &|player| player.play(What::Copied { field: Field::Tag, done: false })),
        then(open(pending_xrp()), &|player| player.play(What::Copied { field: Field::Tag, done: true })),
        then(open(pending()), &|player| player.play(What::Offline)),
        open(seen()),
        Player::open_view(crate::player::page_url(), counted(seen(), &[(1, 12)])),
        open(partial()),
        open(returning(paid())),
        open(overpaid(Some(RefundStatus::Pending))),
        open(overpaid(Some(RefundStatus::Confirmed))),
        open(overpaid(Some(RefundStatus::NonRefundable))),
        open(processed),
        open(expired()),
        open(with(pending(), PaymentStatus::Expired, vec![part])),
        refused(409),
        refused(503),
        Player::start_at(PageUrl::default()),
    ]
}

#[test]
fn every_screen_has_all_its_texts() {
    let languages = LANGUAGES.into_iter().map(|(tag, _)| find(&[Some(tag)]));
    for translation in languages.chain(PSEUDO.iter()) {
        for player in every_screen() {
            let model = player.model_in(translation);
            let page =
                [&model.page_title, &model.announcement, &render(model.clone())].map(String::as_str).concat();
            let at = format!("{}, {}", translation.tag, model.screen);
            assert!(!page.contains(['{', '}']), "a placeholder is left: {at}\n{page}");
            assert!(page.contains(&format!("data-value=\"{}\"", translation.tag)), "{at}");
            assert_eq!(page.matches("hreflang=").count(), LANGUAGES.len(), "{at}");
        }
    }
}

#[test]
fn the_number_of_confirmations_in_every_language() {
    let check = |tag, expected: &str| {
        let player = Player::open_view(crate::player::page_url(), counted(seen(), &[(1, 12)]));
        let page = render(player.model_in(find(&[Some(tag)])));
        assert_eq!(page.matches(expected).count(), 2, "{tag}: the step and the deposit\n{page}");
    };
    check("en-US", "1 of 12 confirmations");
    check("de-DE", "1 von 12 Bestätigungen");
    check("tr-TR", "12 onaydan 1 tanesi tamam");
    check("es-ES", "1 de 12 confirmaciones");
    check("fr-FR", "Confirmations\u{a0}: 1 sur 12");
    check("pt-PT", "1 de 12 confirmações");
    check("ja-JP", "承認 1/12");
    check("ru-RU", "Подтверждений: 1 из 12");
}

/// Each text is in the language of the page, not in English.
#[test]
fn no_screen_mixes_languages() {
    let english = find(&[]).words.write();
    let sentences = || english.iter().filter(|text| text.len() > 20 && !text.contains('{'));
    for (tag, _) in LANGUAGES.into_iter().skip(1) {
        for player in every_screen() {
            let page = render(player.model_in(find(&[Some(tag)])));
            let found = sentences().find(|text| page.contains(**text));
            assert_eq!(found, None, "{tag}, {}", player.screen());
        }
    }
}

#[test]
fn a_link_to_another_language_keeps_the_rest_of_the_url() {
    let links = Player::open(pending()).model().footer.languages;
    let hrefs: Vec<_> = links.iter().map(|link| link.href.as_str()).collect();
    let expected = format!("/checkout/{}?sessionToken=abc&theme=LIGHT&locale=", crate::payments::ID);
    assert_eq!(hrefs.len(), LANGUAGES.len());
    for ((tag, _), href) in LANGUAGES.iter().zip(hrefs) {
        assert_eq!(href, [&expected, *tag].concat());
    }
}

/// `1.234` is a thousand in half of the languages: amounts have the sign of the language, but what is copied has a point.
#[test]
fn amounts_have_the_decimal_sign_of_the_language() {
    for (tag, _) in LANGUAGES {
        let translation = find(&[Some(tag)]);
        let sign = translation.words.page.decimal_sign;
        let player = Player::open(quoted("BTC", "BTC", BTC, "0.00412345"));
        let present::Body::Pay(pay) = player.model_in(translation).body else {
            panic!("{tag}: nothing to pay")
        };
        assert_eq!(pay.amount.value, "0.00412345", "{tag}");
        assert!(pay.help.answer.contains(&format!("0{sign}00412345")), "{tag}: {}", pay.help.answer);
        let player = Player::open(new());
        let present::Body::Choose(choose) = player.model_in(translation).body else {
            panic!("{tag}: no choice")
        };
        let note = &choose.choices[0].note;
        assert!(note.contains(&format!("0{sign}00")), "{tag}: {note}");
    }
}
