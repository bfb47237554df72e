// The element's own texts, in the languages of the page. A merchant's slots replace them.

const NAMES = ["title", "loading", "retry", "link", "error", "refused", "ask", "stay", "leave", "leaving", "remain"] as const;

export type Words = Record<(typeof NAMES)[number], string>;

const TEXTS: Record<string, string[]> = {
  en: [
    "Payment in cryptocurrency",
    "Loading the checkout…",
    "Try again",
    "Open the checkout on its own page",
    "The checkout could not be loaded.",
    "The checkout cannot be shown on this page.",
    "Your payment is under way. It continues when you close the checkout.",
    "Back to the payment",
    "Close the checkout",
    "You return to the shop in a moment.",
    "Stay on this page",
  ],
  de: [
    "Zahlung in Kryptowährung",
    "Die Zahlungsseite wird geladen…",
    "Erneut versuchen",
    "Zahlung auf eigener Seite öffnen",
    "Die Zahlungsseite konnte nicht geladen werden.",
    "Die Zahlungsseite kann hier nicht gezeigt werden.",
    "Ihre Zahlung läuft. Sie läuft weiter, wenn Sie die Zahlungsseite schließen.",
    "Zurück zur Zahlung",
    "Zahlungsseite schließen",
    "Sie kehren gleich zum Shop zurück.",
    "Auf dieser Seite bleiben",
  ],
  tr: [
    "Kripto para ile ödeme",
    "Ödeme sayfası yükleniyor…",
    "Yeniden dene",
    "Ödemeyi kendi sayfasında aç",
    "Ödeme sayfası yüklenemedi.",
    "Ödeme sayfası burada gösterilemiyor.",
    "Ödemeniz sürüyor. Ödeme sayfasını kapatsanız da devam eder.",
    "Ödemeye dön",
    "Ödeme sayfasını kapat",
    "Birazdan mağazaya döneceksiniz.",
    "Bu sayfada kal",
  ],
  es: [
    "Pago en criptomoneda",
    "Cargando la página de pago…",
    "Reintentar",
    "Abrir el pago en su propia página",
    "No se ha podido cargar la página de pago.",
    "La página de pago no se puede mostrar aquí.",
    "Su pago está en curso. Continúa aunque cierre la página de pago.",
    "Volver al pago",
    "Cerrar la página de pago",
    "En un momento volverá a la tienda.",
    "Quedarme en esta página",
  ],
  fr: [
    "Paiement en cryptomonnaie",
    "Chargement de la page de paiement…",
    "Réessayer",
    "Ouvrir le paiement sur sa propre page",
    "La page de paiement n’a pas pu être chargée.",
    "La page de paiement ne peut pas être affichée ici.",
    "Votre paiement est en cours. Il continue si vous fermez la page de paiement.",
    "Revenir au paiement",
    "Fermer la page de paiement",
    "Vous allez revenir à la boutique.",
    "Rester sur cette page",
  ],
  ru: [
    "Оплата криптовалютой",
    "Страница оплаты загружается…",
    "Повторить",
    "Открыть оплату на отдельной странице",
    "Не удалось загрузить страницу оплаты.",
    "Страницу оплаты нельзя показать здесь.",
    "Ваш платёж выполняется. Он продолжится, если закрыть страницу оплаты.",
    "Вернуться к оплате",
    "Закрыть страницу оплаты",
    "Сейчас вы вернётесь в магазин.",
    "Остаться на странице",
  ],
  pt: [
    "Pagamento em criptomoeda",
    "A carregar a página de pagamento…",
    "Tentar de novo",
    "Abrir o pagamento na sua própria página",
    "Não foi possível carregar a página de pagamento.",
    "A página de pagamento não pode ser mostrada aqui.",
    "O seu pagamento está em curso. Continua se fechar a página de pagamento.",
    "Voltar ao pagamento",
    "Fechar a página de pagamento",
    "Dentro de momentos volta à loja.",
    "Ficar nesta página",
  ],
  ja: [
    "暗号資産でのお支払い",
    "お支払いページを読み込んでいます…",
    "もう一度試す",
    "お支払いを専用ページで開く",
    "お支払いページを読み込めませんでした。",
    "お支払いページはここに表示できません。",
    "お支払いは進行中です。お支払いページを閉じても続きます。",
    "お支払いに戻る",
    "お支払いページを閉じる",
    "まもなくショップに戻ります。",
    "このページに残る",
  ],
};

/** Of the page's language, or else of the one around the element. */
export function wordsOf(url: URL | undefined): Words {
  const tags = [url?.searchParams.get("locale"), document.documentElement.lang];
  const texts = tags.map((tag) => TEXTS[tag?.slice(0, 2).toLowerCase() ?? ""]).find(Boolean) ?? TEXTS["en"]!;
  return Object.fromEntries(NAMES.map((name, index) => [name, texts[index]])) as Words;
}
