//! The page of a person whose request is over a limit: it opens what was asked for by itself, once there is room.

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};

use super::notice::notice;

/// Its language, title and sentence. The first one is for every other language.
const TEXTS: [[&str; 3]; 8] = [
    [
        "en-US",
        "One moment, please",
        "Many people are paying at the moment. This page opens by itself in a moment; your payment is not affected.",
    ],
    [
        "de-DE",
        "Einen Moment, bitte",
        "Gerade bezahlen sehr viele Menschen. Diese Seite öffnet sich gleich von selbst; Ihre Zahlung ist davon nicht betroffen.",
    ],
    [
        "tr-TR",
        "Lütfen biraz bekleyin",
        "Şu anda çok sayıda kişi ödeme yapıyor. Bu sayfa birazdan kendiliğinden açılacak; ödemeniz bundan etkilenmez.",
    ],
    [
        "es-ES",
        "Un momento, por favor",
        "En este momento está pagando mucha gente. Esta página se abrirá sola enseguida; su pago no se ve afectado.",
    ],
    [
        "fr-FR",
        "Un instant, s’il vous plaît",
        "Beaucoup de personnes paient en ce moment. Cette page s’ouvrira d’elle-même dans un instant ; votre paiement n’est pas concerné.",
    ],
    [
        "ru-RU",
        "Подождите немного",
        "Сейчас платит очень много людей. Эта страница скоро откроется сама; на ваш платёж это не влияет.",
    ],
    [
        "pt-PT",
        "Um momento, por favor",
        "Há muitas pessoas a pagar neste momento. Esta página abre-se sozinha daqui a pouco; o seu pagamento não é afetado.",
    ],
    [
        "ja-JP",
        "少々お待ちください",
        "ただいまお支払いが集中しています。このページはまもなく自動的に開きます。お支払いには影響ありません。",
    ],
];

pub(crate) fn busy_page(seconds: u64, locale: &str) -> Response<Body> {
    let texts = TEXTS.into_iter().find(|[lang, ..]| *lang == locale).unwrap_or(TEXTS[0]);
    let mut response = notice(StatusCode::TOO_MANY_REQUESTS, texts, Some(seconds));
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}

#[cfg(test)]
mod tests {
    use checkout_wire::LOCALES;

    use super::*;

    #[test]
    fn every_language_has_its_texts() {
        assert_eq!(TEXTS.map(|[lang, ..]| lang), LOCALES);
        let policy = busy_page(1, "ja-JP").headers()[header::CONTENT_SECURITY_POLICY].clone();
        let policy = policy.to_str().expect("ASCII");
        assert!(policy.starts_with("default-src 'none'; script-src 'none'; style-src 'sha256-"), "{policy}");
    }
}
