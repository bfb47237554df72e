//! English (United States).

use super::{
    ChooseWords, CopyWords, DoneWords, ExpiredWords, NoticeWords, PageWords, PayWords, ProblemWords,
    RefundWords, TagWords, TimeWords, Words,
};

pub(super) const WORDS: Words = Words {
    page: PageWords {
        loading: "Opening your payment…",
        pay_to: "Pay {merchant}",
        title: "Payment",
        sandbox: "Sandbox – do not send real money",
        offline: "Connection lost. Your payment is still being watched; this page reconnects by itself.",
        busy: "Many people are paying right now. Your payment is still being watched; the next update comes within 30 seconds.",
        online_again: "Connected again",
        not_live: "Live updates are off. This page reloads by itself every 15 seconds.",
        language: "Language",
        not_translated: "{language} is not available yet. This page is in English.",
        reference: "Reference for support: {reference}",
    },
    choose: ChooseWords {
        title: "Choose a currency",
        hint: "Next you get an address and the exact amount to send.",
        network_title: "Choose the network for {asset}",
        network_hint: "Pick the network your wallet or exchange sends {asset} on. Coins sent on a different network are lost.",
        about: "≈\u{a0}{amount}",
        networks: |count| {
            if count == 1 { "1 network".to_owned() } else { [&count.to_string(), " networks"].concat() }
        },
        back: "Back",
        asking: "Getting your address…",
    },
    pay: PayWords {
        send_only: "Send only {asset} on {network}",
        amount: "Amount to send",
        remaining: "Still to send",
        address: "To this address",
        qr: "QR code for sending {asset} on {network}. The same address and amount are in text beside it.",
        qr_with_amount: "Amount in QR code",
        open_wallet: "Open in wallet",
        change_currency: "Pay with another currency",
        waiting: "Waiting for your transfer",
        exchange_question: "Sending from an exchange?",
        exchange_answer: "Exchanges often take their fee out of the amount you enter. Enter enough for {amount} to arrive here.",
        partial_title: "Part of the amount has arrived",
        partial_text: "{arrived} of {expected} has arrived. Send the rest to complete your payment.",
        seen_title: "We have seen your transfer",
        seen_text: "{amount} is on its way. The {network} network now has to confirm it, which can take a few minutes.",
        seen_text_elsewhere: "{amount} is on its way. Its network now has to confirm it, which can take a few minutes.",
        seen_hint: "You can close this page. {merchant} is told as soon as the transfer is confirmed.",
        confirming: "Waiting for confirmation",
    },
    tag: TagWords {
        destination_tag: "Destination tag",
        memo: "Memo",
        required: "Required",
        warning: "Enter the address and the {tag}. Without it your transfer cannot be matched and may be lost.",
    },
    copy: CopyWords {
        copy: "Copy",
        copied: "Copied",
        failed: "Not copied",
        amount: "Copy amount",
        address: "Copy address",
        tag: "Copy {tag}",
        amount_copied: "Amount copied",
        address_copied: "Address copied",
        tag_copied: "{tag} copied",
        not_copied: "Your browser did not allow copying. Select the text and copy it yourself.",
    },
    time: TimeWords {
        rate_held: "Rate held for",
        time_left: "Time left",
        unknown: "–:––",
        days: |days| if days == 1 { "1 day".to_owned() } else { [&days.to_string(), " days"].concat() },
        left,
    },
    done: DoneWords {
        paid_title: "Payment complete",
        paid_text: "{merchant} has received your {amount}.",
        overpaid_title: "Paid, with more than needed",
        overpaid_text: "Your payment is complete. {amount} has arrived, {excess} more than needed.",
        overpaid_text_plain: "Your payment is complete. {amount} has arrived, which is more than needed.",
        received: "Received",
        expected: "Needed",
        excess: "Too much",
        value: "Value",
        date: "Date",
        transaction: "Transaction",
        confirmed: "Confirmed",
        unconfirmed: "Not confirmed yet",
        back_to: "Return to {merchant}",
        returning_in: |seconds| {
            if seconds == 1 {
                "You return in 1 second".to_owned()
            } else {
                ["You return in ", &seconds.to_string(), " seconds"].concat()
            }
        },
        stay: "Stay on this page",
        close: "Close",
    },
    refund: RefundWords {
        pending: "{amount} will be sent back to the address it came from.",
        confirmed: "{amount} has been sent back to the address it came from.",
        non_refundable: "The difference cannot be sent back: it would not cover the network fee, or the sender is not known.",
        non_refundable_full: "This transfer cannot be sent back: it would not cover the network fee, or the sender is not known.",
        processed: "The whole amount was credited to {merchant}. Ask them about the difference.",
        undecided: "It is not settled yet what becomes of the difference. {merchant} can tell you.",
        to: "Back to",
    },
    expired: ExpiredWords {
        title: "The time to pay has ended",
        text: "The rate was held until now. Get a new one to continue; nothing was charged.",
        already_sent: "Already sent it? Do not send again. This page keeps watching, and shows your transfer as soon as it is seen.",
        part_arrived: "{amount} has arrived, which does not cover the payment. Please contact {merchant} before you send more.",
        renew: "Get a new rate",
    },
    problem: ProblemWords {
        link_title: "This payment link does not work",
        link_text: "It is incomplete, or it has ended. Please go back to the shop and start the payment again. Do not send money to an address from an earlier visit.",
        unreachable_title: "We cannot reach the payment service",
        unreachable_text: "Check your connection. This page keeps trying and continues by itself.",
        refused_title: "We stopped this payment to protect you",
        refused_text: "The address for this payment did not pass our checks, so it is not shown. Please do not send anything, and tell the shop.",
        unreadable_title: "This page cannot show the payment",
        unreadable_text: "It may be out of date. Reload it; if that does not help, go back to the shop. Please do not send anything.",
        nothing_title: "No currency is available",
        nothing_text: "The shop does not accept any currency for this payment at the moment. Please go back to the shop.",
        retry: "Try again now",
        reload: "Reload the page",
    },
    notice: NoticeWords {
        not_reached: "We could not reach the payment service. Please try again.",
        not_possible: "This currency is not possible for this payment. Please choose another.",
        no_rate: "There is no exchange rate for this currency at the moment. Try again soon, or choose another.",
        closed: "This payment cannot be changed any more.",
    },
};

fn left(seconds: u64) -> String {
    let (count, unit) = if seconds < 60 { (seconds, "second") } else { (seconds.div_ceil(60), "minute") };
    let plural = if count == 1 { "" } else { "s" };
    [&count.to_string(), " ", unit, plural, " left to pay"].concat()
}
