//! The texts of the page, in the languages of the checkout.

use serde::Serialize;

#[derive(Debug, Serialize)]
pub(super) struct Words {
    pub(super) locale: &'static str,
    /// Of the page.
    pub(super) title: &'static str,
    /// With `{max}`.
    max: &'static str,
    /// With `{max}`; the amount is above it.
    over: &'static str,
    note: &'static str,
    /// On the button; with `{amount}`.
    charge: &'static str,
    /// The key that takes the last digit away.
    erase: &'static str,
    making: &'static str,
    scan: &'static str,
    /// The link to the payer's page.
    here: &'static str,
    /// With `{time}`.
    until: &'static str,
    waiting: &'static str,
    /// With `{received}` and `{amount}`.
    part: &'static str,
    /// Everything is there, and not confirmed.
    confirming: &'static str,
    paid: &'static str,
    expired: &'static str,
    /// With `{received}` and `{amount}`.
    expired_part: &'static str,
    cancel: &'static str,
    not_cancelled: &'static str,
    next: &'static str,
    offline: &'static str,
    failed: &'static str,
    /// The business takes no payments.
    closed: &'static str,
    withdrawn: &'static str,
    pub(super) noscript: &'static str,
}

/// Those of the first language for a language that is unknown.
pub(super) fn words(locale: &str) -> &'static Words {
    ALL.iter().find(|words| words.locale == locale).unwrap_or(&ALL[0])
}

#[rustfmt::skip]
static ALL: [Words; 8] = [
    Words {
        locale: "en-US",
        title: "Counter",
        max: "At most {max} for one sale",
        over: "This is more than {max}, the limit of one sale.",
        note: "Note (optional)",
        charge: "Ask for {amount}",
        erase: "Delete the last digit",
        making: "One moment…",
        scan: "Scan with your phone to pay",
        here: "Open the payment here",
        until: "Valid until {time}",
        waiting: "Waiting for the payment",
        part: "{received} of {amount} has arrived. The rest is missing.",
        confirming: "The payment was seen. It is paid when the check mark appears.",
        paid: "Paid",
        expired: "The time is up, and nothing has arrived.",
        expired_part: "The time is up. {received} of {amount} has arrived: it can be accepted or given back at the desk.",
        cancel: "Cancel",
        not_cancelled: "Money is on its way: this sale can no longer be cancelled.",
        next: "Next sale",
        offline: "No connection. Trying again. Do not ask for the money a second time: what was paid is not lost.",
        failed: "That did not work, and no sale was made. Please try again.",
        closed: "This shop takes no payments at the moment.",
        withdrawn: "This link does not work. It was withdrawn, or it is not complete: ask whoever gave it to you.",
        noscript: "This page needs JavaScript.",
    },
    Words {
        locale: "de-DE",
        title: "Kasse",
        max: "Höchstens {max} je Verkauf",
        over: "Das ist mehr als {max}, die Grenze für einen Verkauf.",
        note: "Notiz (freiwillig)",
        charge: "{amount} verlangen",
        erase: "Letzte Ziffer löschen",
        making: "Einen Moment …",
        scan: "Zum Bezahlen mit dem Handy scannen",
        here: "Die Zahlung hier öffnen",
        until: "Gültig bis {time}",
        waiting: "Warten auf die Zahlung",
        part: "{received} von {amount} sind angekommen. Der Rest fehlt.",
        confirming: "Die Zahlung wurde gesehen. Bezahlt ist, wenn das Häkchen erscheint.",
        paid: "Bezahlt",
        expired: "Die Zeit ist um, und es ist nichts angekommen.",
        expired_part: "Die Zeit ist um. {received} von {amount} sind angekommen: Das kann im Desk angenommen oder zurückgegeben werden.",
        cancel: "Abbrechen",
        not_cancelled: "Geld ist unterwegs: Dieser Verkauf kann nicht mehr abgebrochen werden.",
        next: "Nächster Verkauf",
        offline: "Keine Verbindung. Es wird weiter versucht. Verlangen Sie das Geld nicht ein zweites Mal: Was bezahlt wurde, geht nicht verloren.",
        failed: "Das hat nicht geklappt, und es gibt keinen Verkauf. Bitte versuchen Sie es noch einmal.",
        closed: "Dieser Shop nimmt gerade keine Zahlungen an.",
        withdrawn: "Dieser Link funktioniert nicht. Er wurde zurückgezogen oder ist nicht vollständig: Fragen Sie die Person, die ihn Ihnen gegeben hat.",
        noscript: "Diese Seite braucht JavaScript.",
    },
    Words {
        locale: "tr-TR",
        title: "Kasa",
        max: "Bir satış için en çok {max}",
        over: "Bu, bir satışın sınırı olan {max} tutarından fazla.",
        note: "Not (isteğe bağlı)",
        charge: "{amount} iste",
        erase: "Son rakamı sil",
        making: "Bir saniye…",
        scan: "Ödemek için telefonunuzla tarayın",
        here: "Ödemeyi burada aç",
        until: "{time} saatine kadar geçerli",
        waiting: "Ödeme bekleniyor",
        part: "{amount} tutarının {received} kadarı geldi. Gerisi eksik.",
        confirming: "Ödeme görüldü. Onay işareti çıkınca ödenmiş olur.",
        paid: "Ödendi",
        expired: "Süre doldu ve hiçbir şey gelmedi.",
        expired_part: "Süre doldu. {amount} tutarının {received} kadarı geldi: panelde kabul edilebilir veya geri verilebilir.",
        cancel: "İptal",
        not_cancelled: "Para yolda: bu satış artık iptal edilemez.",
        next: "Sonraki satış",
        offline: "Bağlantı yok. Yeniden deneniyor. Parayı ikinci kez istemeyin: ödenen kaybolmaz.",
        failed: "Bu işe yaramadı ve satış yapılmadı. Lütfen yeniden deneyin.",
        closed: "Bu mağaza şu anda ödeme almıyor.",
        withdrawn: "Bu bağlantı çalışmıyor. Geri çekilmiş veya eksik: size verene sorun.",
        noscript: "Bu sayfa JavaScript gerektirir.",
    },
    Words {
        locale: "es-ES",
        title: "Caja",
        max: "Como máximo {max} por venta",
        over: "Es más de {max}, el límite de una venta.",
        note: "Nota (opcional)",
        charge: "Pedir {amount}",
        erase: "Borrar la última cifra",
        making: "Un momento…",
        scan: "Escanee con su teléfono para pagar",
        here: "Abrir el pago aquí",
        until: "Válido hasta las {time}",
        waiting: "Esperando el pago",
        part: "Han llegado {received} de {amount}. Falta el resto.",
        confirming: "Se ha visto el pago. Estará pagado cuando aparezca la marca.",
        paid: "Pagado",
        expired: "Se acabó el tiempo y no ha llegado nada.",
        expired_part: "Se acabó el tiempo. Han llegado {received} de {amount}: se pueden aceptar o devolver en el panel.",
        cancel: "Cancelar",
        not_cancelled: "El dinero está en camino: esta venta ya no se puede cancelar.",
        next: "Siguiente venta",
        offline: "Sin conexión. Se intenta de nuevo. No pida el dinero otra vez: lo pagado no se pierde.",
        failed: "No ha funcionado y no se ha hecho ninguna venta. Inténtelo de nuevo.",
        closed: "Esta tienda no acepta pagos en este momento.",
        withdrawn: "Este enlace no funciona. Se ha retirado o no está completo: pregunte a quien se lo dio.",
        noscript: "Esta página necesita JavaScript.",
    },
    Words {
        locale: "fr-FR",
        title: "Caisse",
        max: "Au plus {max} par vente",
        over: "C’est plus que {max}, la limite d’une vente.",
        note: "Note (facultative)",
        charge: "Demander {amount}",
        erase: "Effacer le dernier chiffre",
        making: "Un instant…",
        scan: "Scannez avec votre téléphone pour payer",
        here: "Ouvrir le paiement ici",
        until: "Valable jusqu’à {time}",
        waiting: "En attente du paiement",
        part: "{received} sur {amount} sont arrivés. Il manque le reste.",
        confirming: "Le paiement a été vu. Il est payé quand la coche apparaît.",
        paid: "Payé",
        expired: "Le temps est écoulé et rien n’est arrivé.",
        expired_part: "Le temps est écoulé. {received} sur {amount} sont arrivés : ils peuvent être acceptés ou rendus dans le tableau de bord.",
        cancel: "Annuler",
        not_cancelled: "De l’argent est en route : cette vente ne peut plus être annulée.",
        next: "Vente suivante",
        offline: "Pas de connexion. Nouvel essai en cours. Ne demandez pas l’argent une deuxième fois : ce qui est payé n’est pas perdu.",
        failed: "Cela n’a pas marché et aucune vente n’a été faite. Veuillez réessayer.",
        closed: "Cette boutique n’accepte pas de paiements pour le moment.",
        withdrawn: "Ce lien ne fonctionne pas. Il a été retiré ou n’est pas complet : demandez à la personne qui vous l’a donné.",
        noscript: "Cette page a besoin de JavaScript.",
    },
    Words {
        locale: "ru-RU",
        title: "Касса",
        max: "Не больше {max} за одну продажу",
        over: "Это больше {max}, предела одной продажи.",
        note: "Заметка (необязательно)",
        charge: "Запросить {amount}",
        erase: "Удалить последнюю цифру",
        making: "Одну минуту…",
        scan: "Отсканируйте телефоном, чтобы заплатить",
        here: "Открыть платёж здесь",
        until: "Действует до {time}",
        waiting: "Ожидание платежа",
        part: "Пришло {received} из {amount}. Остального не хватает.",
        confirming: "Платёж замечен. Он оплачен, когда появится галочка.",
        paid: "Оплачено",
        expired: "Время вышло, и ничего не пришло.",
        expired_part: "Время вышло. Пришло {received} из {amount}: их можно принять или вернуть в кабинете.",
        cancel: "Отмена",
        not_cancelled: "Деньги уже в пути: эту продажу нельзя отменить.",
        next: "Следующая продажа",
        offline: "Нет связи. Пробуем снова. Не просите деньги второй раз: оплаченное не пропадёт.",
        failed: "Не получилось, продажа не создана. Попробуйте ещё раз.",
        closed: "Этот магазин сейчас не принимает платежи.",
        withdrawn: "Эта ссылка не работает. Её отозвали, или она неполная: спросите того, кто вам её дал.",
        noscript: "Этой странице нужен JavaScript.",
    },
    Words {
        locale: "pt-PT",
        title: "Caixa",
        max: "No máximo {max} por venda",
        over: "É mais do que {max}, o limite de uma venda.",
        note: "Nota (opcional)",
        charge: "Pedir {amount}",
        erase: "Apagar o último algarismo",
        making: "Um momento…",
        scan: "Leia com o telemóvel para pagar",
        here: "Abrir o pagamento aqui",
        until: "Válido até às {time}",
        waiting: "À espera do pagamento",
        part: "Chegaram {received} de {amount}. Falta o resto.",
        confirming: "O pagamento foi visto. Fica pago quando aparecer o visto.",
        paid: "Pago",
        expired: "O tempo acabou e nada chegou.",
        expired_part: "O tempo acabou. Chegaram {received} de {amount}: podem ser aceites ou devolvidos no painel.",
        cancel: "Cancelar",
        not_cancelled: "O dinheiro vem a caminho: esta venda já não pode ser cancelada.",
        next: "Próxima venda",
        offline: "Sem ligação. A tentar de novo. Não peça o dinheiro outra vez: o que foi pago não se perde.",
        failed: "Não resultou e nenhuma venda foi feita. Tente novamente.",
        closed: "Esta loja não aceita pagamentos neste momento.",
        withdrawn: "Esta ligação não funciona. Foi retirada ou não está completa: pergunte a quem lha deu.",
        noscript: "Esta página precisa de JavaScript.",
    },
    Words {
        locale: "ja-JP",
        title: "レジ",
        max: "1回の販売は {max} まで",
        over: "1回の販売の上限 {max} を超えています。",
        note: "メモ（任意）",
        charge: "{amount} を請求",
        erase: "最後の数字を消す",
        making: "少々お待ちください…",
        scan: "スマートフォンで読み取ってお支払いください",
        here: "この端末で支払いを開く",
        until: "{time} まで有効",
        waiting: "支払いを待っています",
        part: "{amount} のうち {received} が届きました。残りが不足しています。",
        confirming: "支払いが確認されつつあります。チェックマークが出たら支払い完了です。",
        paid: "支払い完了",
        expired: "時間切れです。何も届いていません。",
        expired_part: "時間切れです。{amount} のうち {received} が届きました。管理画面で受け入れるか返金できます。",
        cancel: "キャンセル",
        not_cancelled: "お金が送られています。この販売はもうキャンセルできません。",
        next: "次の販売",
        offline: "接続できません。再試行しています。もう一度請求しないでください。支払われた分は失われません。",
        failed: "うまくいきませんでした。販売は作成されていません。もう一度お試しください。",
        closed: "このショップは現在支払いを受け付けていません。",
        withdrawn: "このリンクは使えません。取り消されたか、不完全です。リンクをくれた人にお尋ねください。",
        noscript: "このページには JavaScript が必要です。",
    },
];

#[cfg(test)]
mod tests {
    use checkout_wire::LOCALES;

    use super::*;

    #[test]
    fn every_language_has_the_same_places() {
        assert_eq!(ALL.each_ref().map(|words| words.locale), LOCALES);
        let places = |text: &str| {
            let mut places: Vec<String> =
                text.split('{').skip(1).map(|rest| rest.split('}').next().unwrap().to_owned()).collect();
            places.sort();
            places
        };
        let of = |words: &Words| serde_json::to_value(words).unwrap();
        let first = of(&ALL[0]);
        for words in &ALL {
            for (name, text) in of(words).as_object().unwrap() {
                let text = text.as_str().unwrap();
                assert!(!text.is_empty(), "{name}");
                assert_eq!(places(text), places(first[name].as_str().unwrap()), "{}: {name}", words.locale);
            }
        }
    }
}
