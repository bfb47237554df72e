//! The page of a person whose request is over a limit: it opens what was asked for by itself, once there is room.

use std::sync::LazyLock;

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};

use super::page::source;
use super::policy;

const PAGE: &str = include_str!("../../../www/busy.html");

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

/// 429. Any site may frame it, because it has nothing of a payment.
pub(crate) fn busy_page(seconds: u64, locale: &str) -> Response<Body> {
    static STYLE: LazyLock<String> = LazyLock::new(|| {
        let style = PAGE.split_once("<style>").and_then(|(_, rest)| rest.split_once("</style>"));
        source(style.map_or("", |(style, _)| style))
    });
    let [lang, title, text] = TEXTS.into_iter().find(|[lang, ..]| *lang == locale).unwrap_or(TEXTS[0]);
    let page = PAGE.replace("{{lang}}", lang).replace("{{title}}", title).replace("{{text}}", text);
    let mut response = Response::new(Body::from(page.replace("{{seconds}}", &seconds.to_string())));
    *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    headers.insert(header::VARY, HeaderValue::from_static("Accept, Sec-Fetch-Mode"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    policy::protect_refused(headers, "'none'", &STYLE);
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
