//! The texts of the page, in the languages of the checkout. The browser never loads them.

#[derive(Debug)]
pub(super) struct Words {
    pub(super) locale: &'static str,
    /// On the button.
    pub(super) buy: &'static str,
    pub(super) next: &'static str,
    /// Below a QR code.
    pub(super) scan: &'static str,
    pub(super) amount: &'static str,
    /// With `{min}` and `{max}`.
    pub(super) bounds: &'static str,
    pub(super) wrong_amount: &'static str,
    pub(super) used: &'static str,
    pub(super) failed: &'static str,
    /// The title of a page that could not be read.
    pub(super) unavailable: &'static str,
    pub(super) sold_out: &'static str,
    pub(super) reserved: &'static str,
    pub(super) ended: &'static str,
    pub(super) withdrawn: &'static str,
    pub(super) unknown_title: &'static str,
    pub(super) unknown: &'static str,
}

/// Those of the first language for a language that is unknown.
pub(super) fn words(locale: &str) -> &'static Words {
    ALL.iter().find(|words| words.locale == locale).unwrap_or(&ALL[0])
}

#[rustfmt::skip]
static ALL: [Words; 8] = [
    Words {
        locale: "en-US",
        buy: "Pay with crypto",
        next: "On the next page you choose the currency. Nothing is sent before you do it in your wallet.",
        scan: "Scan to pay",
        amount: "Amount",
        bounds: "From {min} to {max}",
        wrong_amount: "Please check the amount.",
        used: "This payment has ended. Press once more for a new one.",
        failed: "That did not work. Nothing was charged: please try again.",
        unavailable: "One moment, please",
        sold_out: "Sold out.",
        reserved: "A payment for the last one is under way. If nothing is paid, it is free again, most often within half an hour.",
        ended: "This offer has ended.",
        withdrawn: "This is no longer for sale.",
        unknown_title: "This link does not work",
        unknown: "Please check the address, or ask whoever gave it to you.",
    },
    Words {
        locale: "de-DE",
        buy: "Mit Krypto bezahlen",
        next: "Auf der nächsten Seite wählen Sie die Währung. Es wird nichts gesendet, bevor Sie es in Ihrer Wallet tun.",
        scan: "Zum Bezahlen scannen",
        amount: "Betrag",
        bounds: "Von {min} bis {max}",
        wrong_amount: "Bitte prüfen Sie den Betrag.",
        used: "Diese Zahlung ist beendet. Drücken Sie noch einmal für eine neue.",
        failed: "Das hat nicht geklappt. Es wurde nichts abgebucht: Bitte versuchen Sie es noch einmal.",
        unavailable: "Einen Moment, bitte",
        sold_out: "Ausverkauft.",
        reserved: "Für das letzte Stück läuft eine Zahlung. Wird nichts bezahlt, ist es wieder frei, meist innerhalb einer halben Stunde.",
        ended: "Dieses Angebot ist beendet.",
        withdrawn: "Das wird nicht mehr verkauft.",
        unknown_title: "Dieser Link funktioniert nicht",
        unknown: "Bitte prüfen Sie die Adresse oder fragen Sie die Person, die sie Ihnen gegeben hat.",
    },
    Words {
        locale: "tr-TR",
        buy: "Kriptoyla öde",
        next: "Para birimini sonraki sayfada seçersiniz. Siz cüzdanınızda göndermeden hiçbir şey gönderilmez.",
        scan: "Ödemek için tarayın",
        amount: "Tutar",
        bounds: "En az {min}, en fazla {max}",
        wrong_amount: "Lütfen tutarı kontrol edin.",
        used: "Bu ödeme sona erdi. Yeni bir ödeme için bir kez daha basın.",
        failed: "Bu işe yaramadı. Hiçbir tutar alınmadı: lütfen yeniden deneyin.",
        unavailable: "Lütfen biraz bekleyin",
        sold_out: "Tükendi.",
        reserved: "Son ürün için bir ödeme sürüyor. Ödenmezse, çoğunlukla yarım saat içinde yeniden satışa açılır.",
        ended: "Bu teklif sona erdi.",
        withdrawn: "Bu artık satılmıyor.",
        unknown_title: "Bu bağlantı çalışmıyor",
        unknown: "Lütfen adresi kontrol edin veya bağlantıyı verene sorun.",
    },
    Words {
        locale: "es-ES",
        buy: "Pagar con cripto",
        next: "En la página siguiente elige la moneda. No se envía nada hasta que lo haga en su monedero.",
        scan: "Escanee para pagar",
        amount: "Importe",
        bounds: "De {min} a {max}",
        wrong_amount: "Compruebe el importe, por favor.",
        used: "Este pago ha terminado. Pulse otra vez para hacer uno nuevo.",
        failed: "No ha funcionado. No se ha cobrado nada: inténtelo de nuevo, por favor.",
        unavailable: "Un momento, por favor",
        sold_out: "Agotado.",
        reserved: "Hay un pago en curso por el último. Si no se paga nada, vuelve a estar libre, casi siempre en media hora.",
        ended: "Esta oferta ha terminado.",
        withdrawn: "Esto ya no está a la venta.",
        unknown_title: "Este enlace no funciona",
        unknown: "Compruebe la dirección o pregunte a quien se la dio.",
    },
    Words {
        locale: "fr-FR",
        buy: "Payer en crypto",
        next: "Vous choisissez la monnaie à la page suivante. Rien n’est envoyé avant que vous ne le fassiez dans votre portefeuille.",
        scan: "Scannez pour payer",
        amount: "Montant",
        bounds: "De {min} à {max}",
        wrong_amount: "Veuillez vérifier le montant.",
        used: "Ce paiement est terminé. Appuyez encore une fois pour en faire un nouveau.",
        failed: "Cela n’a pas fonctionné. Rien n’a été débité : veuillez réessayer.",
        unavailable: "Un instant, s’il vous plaît",
        sold_out: "Épuisé.",
        reserved: "Un paiement est en cours pour le dernier. Si rien n’est payé, il sera de nouveau libre, le plus souvent dans la demi-heure.",
        ended: "Cette offre est terminée.",
        withdrawn: "Ceci n’est plus en vente.",
        unknown_title: "Ce lien ne fonctionne pas",
        unknown: "Veuillez vérifier l’adresse, ou demander à la personne qui vous l’a donnée.",
    },
    Words {
        locale: "ru-RU",
        buy: "Оплатить криптовалютой",
        next: "Валюту вы выберете на следующей странице. Ничего не отправится, пока вы не сделаете этого в своём кошельке.",
        scan: "Отсканируйте, чтобы оплатить",
        amount: "Сумма",
        bounds: "От {min} до {max}",
        wrong_amount: "Проверьте сумму.",
        used: "Этот платёж завершён. Нажмите ещё раз, чтобы создать новый.",
        failed: "Не получилось. Ничего не списано: попробуйте ещё раз.",
        unavailable: "Подождите немного",
        sold_out: "Распродано.",
        reserved: "За последний товар идёт оплата. Если ничего не оплатят, он снова освободится, чаще всего в течение получаса.",
        ended: "Это предложение завершено.",
        withdrawn: "Это больше не продаётся.",
        unknown_title: "Эта ссылка не работает",
        unknown: "Проверьте адрес или спросите того, кто вам его дал.",
    },
    Words {
        locale: "pt-PT",
        buy: "Pagar com cripto",
        next: "Na página seguinte escolhe a moeda. Nada é enviado antes de o fazer na sua carteira.",
        scan: "Digitalize para pagar",
        amount: "Montante",
        bounds: "De {min} a {max}",
        wrong_amount: "Verifique o montante, por favor.",
        used: "Este pagamento terminou. Prima mais uma vez para fazer um novo.",
        failed: "Não funcionou. Nada foi cobrado: tente novamente, por favor.",
        unavailable: "Um momento, por favor",
        sold_out: "Esgotado.",
        reserved: "Está em curso um pagamento pelo último. Se nada for pago, volta a ficar livre, quase sempre dentro de meia hora.",
        ended: "Esta oferta terminou.",
        withdrawn: "Isto já não está à venda.",
        unknown_title: "Esta ligação não funciona",
        unknown: "Verifique o endereço ou pergunte a quem lho deu.",
    },
    Words {
        locale: "ja-JP",
        buy: "暗号資産で支払う",
        next: "通貨は次のページで選びます。ご自身のウォレットで送金するまで、何も送金されません。",
        scan: "スキャンして支払う",
        amount: "金額",
        bounds: "{min}から{max}まで",
        wrong_amount: "金額をご確認ください。",
        used: "このお支払いは終了しました。新しいお支払いをするには、もう一度押してください。",
        failed: "うまくいきませんでした。請求はされていません。もう一度お試しください。",
        unavailable: "少々お待ちください",
        sold_out: "売り切れました。",
        reserved: "最後の一点は、お支払いの途中です。お支払いがなければ、通常30分以内に再び購入できます。",
        ended: "この販売は終了しました。",
        withdrawn: "こちらは販売されていません。",
        unknown_title: "このリンクは使えません",
        unknown: "アドレスを確認するか、リンクを受け取った相手にお問い合わせください。",
    },
];

#[cfg(test)]
mod tests {
    use checkout_wire::LOCALES;

    use super::*;

    #[test]
    fn every_language_has_its_texts() {
        assert_eq!(ALL.each_ref().map(|words| words.locale), LOCALES);
        for words in &ALL {
            assert!(words.bounds.contains("{min}") && words.bounds.contains("{max}"), "{words:?}");
        }
    }
}
