//! The texts of a language, by screen.

use std::vec::IntoIter;

use super::Plural;

/// Texts sent from the server to the page as a list, in order of declaration.
trait Texts {
    /// The number of texts.
    const COUNT: usize;
    fn write(&self, list: &mut Vec<&'static str>);
    fn read(list: &mut IntoIter<&'static str>) -> Self;
}

/// Declares a group of texts.
macro_rules! texts {
    ($(#[$about:meta])* $name:ident { $($(#[$facts:meta])* $text:ident: $kind:ty,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$facts])* pub $text: $kind,)+
        }

        impl Texts for $name {
            const COUNT: usize = 0 $(+ <$kind>::COUNT)+;

            fn write(&self, list: &mut Vec<&'static str>) {
                $(self.$text.write(list);)+
            }

            fn read(list: &mut IntoIter<&'static str>) -> Self {
                Self { $($text: Texts::read(list),)+ }
            }
        }
    };
}

impl Texts for &'static str {
    const COUNT: usize = 1;

    fn write(&self, list: &mut Vec<&'static str>) {
        list.push(self);
    }

    fn read(list: &mut IntoIter<&'static str>) -> Self {
        list.next().unwrap_or_default()
    }
}

impl Texts for Plural {
    const COUNT: usize = 4;

    fn write(&self, list: &mut Vec<&'static str>) {
        list.extend([self.one, self.few, self.many, self.other]);
    }

    fn read(list: &mut IntoIter<&'static str>) -> Self {
        let mut text = || Texts::read(list);
        Self { one: text(), few: text(), many: text(), other: text() }
    }
}

/// All texts of a group, for [`read`].
fn write(texts: &impl Texts) -> Vec<&'static str> {
    let mut list = Vec::new();
    texts.write(&mut list);
    list
}

/// The texts live as long as the page. `None` if the number of texts differs.
fn read<T: Texts>(list: Vec<String>) -> Option<T> {
    let list: Vec<&'static str> = list.into_iter().map(|text| &*text.leak()).collect();
    (list.len() == T::COUNT).then(|| T::read(&mut list.into_iter()))
}

impl Words {
    /// All texts, for [`Words::read`].
    pub fn write(&self) -> Vec<&'static str> {
        write(self)
    }

    /// Reads the output of [`Words::write`]; `None` if the number of texts differs.
    pub fn read(list: Vec<String>) -> Option<Self> {
        read(list)
    }
}

#[cfg(feature = "ssr")]
macro_rules! map {
    ($($name:ident)+) => {
        $(impl $name {
            /// The same texts, each changed.
            pub(super) fn map(&self, change: impl Fn(&str) -> String) -> Self {
                read(write(self).into_iter().map(change).collect()).expect("as many texts")
            }
        })+
    };
}

#[cfg(feature = "ssr")]
mod lookup_form;
#[cfg(feature = "ssr")]
mod receipt;
#[cfg(feature = "ssr")]
pub use {lookup_form::LookupFormWords, receipt::ReceiptWords};

#[cfg(feature = "ssr")]
map!(ClaimFormWords LookupFormWords ReceiptWords WalletWords);

texts!(Words {
    page: PageWords,
    choose: ChooseWords,
    pay: PayWords,
    tag: TagWords,
    copy: CopyWords,
    time: TimeWords,
    done: DoneWords,
    refund: RefundWords,
    claim: ClaimWords,
    expired: ExpiredWords,
    problem: ProblemWords,
    notice: NoticeWords,
    transfer: TransferWords,
    rate: RateWords,
    help: HelpWords,
});

texts!(PageWords {
    /// In figures, but those that are copied.
    decimal_sign: &'static str,
    /// The number with a group sign that has the fewest digits.
    smallest_grouped: &'static str,
    loading: &'static str,
    /// `{merchant}`
    pay_to: &'static str,
    title: &'static str,
    sandbox: &'static str,
    /// `{name}`
    test_network: &'static str,
    offline: &'static str,
    /// The gateway asks the page to wait.
    busy: &'static str,
    /// Once there is an address to pay to.
    watched: &'static str,
    online_again: &'static str,
    /// The page cannot update itself.
    not_live: &'static str,
    /// Where that is so.
    reloads: &'static str,
    language: &'static str,
    /// `{reference}`
    reference: &'static str,
});

texts!(ChooseWords {
    title: &'static str,
    hint: &'static str,
    /// `{asset}`
    network_title: &'static str,
    /// `{asset}`
    network_hint: &'static str,
    /// `{amount}`
    about: &'static str,
    /// `{amount}`: what the network usually takes from a sender.
    fee: &'static str,
    /// Where the business has no deposits to tell from.
    fee_low: &'static str,
    fee_varies: &'static str,
    networks: Plural,
    back: &'static str,
    asking: &'static str,
});

texts!(PayWords {
    /// `{asset}`, `{network}`: the sentence that prevents losses.
    send_only: &'static str,
    amount: &'static str,
    remaining: &'static str,
    address: &'static str,
    /// `{domain}`: the host or the merchant whose page has checked the address.
    checked: &'static str,
    /// `{asset}`, `{network}`
    qr: &'static str,
    qr_with_amount: &'static str,
    /// Where the code is folded away.
    show_qr: &'static str,
    hand_over: &'static str,
    hand_over_hint: &'static str,
    /// The name of the code that opens this page.
    hand_over_code: &'static str,
    hand_over_back: &'static str,
    /// `{network}`: any of its wallets may open the link.
    open_wallet: &'static str,
    /// `{wallet}`: the link is for this wallet alone.
    open_in: &'static str,
    /// Two seconds after the link was pressed, the page is still seen. A wallet's window may be beside it.
    no_wallet: &'static str,
    change_currency: &'static str,
    waiting: &'static str,
    /// After a part has arrived.
    waiting_rest: &'static str,
    exchange_question: &'static str,
    /// `{amount}`
    exchange_answer: &'static str,
    partial_title: &'static str,
    /// `{arrived}`, `{expected}`
    partial_text: &'static str,
    /// `{merchant}`: wallets and exchanges may not send so little.
    partial_small: &'static str,
    seen_title: &'static str,
    /// `{amount}`, `{network}`
    seen_text: &'static str,
    /// `{amount}`: for a deposit on another network than that of the current quote.
    seen_text_elsewhere: &'static str,
    /// `{merchant}`
    seen_hint: &'static str,
    /// `{merchant}`: for a deposit that was credited when it was first seen.
    seen_hint_reported: &'static str,
    /// The transfer is confirmed, and there is no rate.
    valued_text: &'static str,
    valued_hint: &'static str,
    confirming: &'static str,
});

texts!(TagWords {
    required: &'static str,
    /// The steps of the payer, with the tag between them.
    step_amount: &'static str,
    step_address: &'static str,
    destination_tag: TagName,
    memo: TagName,
});

texts!(
    /// The texts about one kind of tag.
    TagName {
        name: &'static str,
        warning: &'static str,
        /// Opens the address.
        noted: &'static str,
        copy: &'static str,
        copied: &'static str,
    }
);

texts!(CopyWords {
    copy: &'static str,
    copied: &'static str,
    failed: &'static str,
    /// `{label}`: the accessible name of the button, which starts with `failed`.
    failed_label: &'static str,
    amount: &'static str,
    address: &'static str,
    transaction: &'static str,
    reference: &'static str,
    amount_copied: &'static str,
    address_copied: &'static str,
    transaction_copied: &'static str,
    reference_copied: &'static str,
    not_copied: &'static str,
});

texts!(TimeWords {
    rate_held: &'static str,
    time_left: &'static str,
    unknown: &'static str,
    days: Plural,
    /// For announcements.
    seconds_left: Plural,
    minutes_left: Plural,
});

texts!(DoneWords {
    paid_title: &'static str,
    /// `{merchant}`
    paid_text: &'static str,
    overpaid_title: &'static str,
    /// `{amount}`, `{excess}`
    overpaid_text: &'static str,
    /// `{amount}`
    overpaid_text_plain: &'static str,
    /// A transfer came after the order was paid.
    twice_title: &'static str,
    /// `{merchant}`, `{amount}`: what paid the order; `{extra}`, `{time}`: what came after it, and when.
    twice_text: &'static str,
    received: &'static str,
    expected: &'static str,
    excess: &'static str,
    value: &'static str,
    date: &'static str,
    transaction: &'static str,
    confirmed: &'static str,
    unconfirmed: &'static str,
    /// `{merchant}`
    back_to: &'static str,
    returning_in: Plural,
    stay: &'static str,
    close: &'static str,
    again: &'static str,
});

texts!(RefundWords {
    /// `{amount}`
    pending: &'static str,
    /// `{amount}`
    confirmed: &'static str,
    /// It waits for an address or an approval. `{amount}`, `{merchant}`
    waiting: &'static str,
    /// For an excess.
    non_refundable: &'static str,
    /// For a whole deposit.
    non_refundable_full: &'static str,
    /// `{merchant}`
    processed: &'static str,
    /// `{merchant}`
    undecided: &'static str,
    /// `{amount}`: a transfer after the order was paid, before its refund is made.
    twice_pending: &'static str,
    /// `{merchant}`, `{order}`: such a transfer, where the merchant keeps it.
    twice_kept: &'static str,
    to: &'static str,
});

texts!(ExpiredWords {
    title: &'static str,
    text: &'static str,
    already_sent: &'static str,
    /// `{amount}`, `{merchant}`
    part_arrived: &'static str,
    renew: &'static str,
});

texts!(ProblemWords {
    link_title: &'static str,
    link_text: &'static str,
    unreachable_title: &'static str,
    unreachable_text: &'static str,
    refused_title: &'static str,
    refused_text: &'static str,
    unreadable_title: &'static str,
    unreadable_text: &'static str,
    nothing_title: &'static str,
    nothing_text: &'static str,
    retry: &'static str,
    reload: &'static str,
});

texts!(ClaimWords {
    /// The link to the form.
    get_back: &'static str,
    /// The next six are states. `{amount}`, `{merchant}`
    asked: &'static str,
    approved: &'static str,
    sent: &'static str,
    confirmed: &'static str,
    refused: &'static str,
    failed: &'static str,
    /// `{amount}`, `{network}`: it can be asked for.
    open: &'static str,
    reason: &'static str,
});

#[cfg(feature = "ssr")]
texts!(
    /// The form with which a payer asks for money back. Only the server draws it.
    ClaimFormWords {
    /// `{amount}`
    title: &'static str,
    /// `{network}`, `{fee}`: what the payer gets is after the fee.
    after_fee: &'static str,
    /// `{network}`
    no_fee: &'static str,
    /// The question about the address where the money came from.
    own_wallet: &'static str,
    /// The button that says yes.
    send_back: &'static str,
    /// Before the field for another address.
    otherwise: &'static str,
    /// `{asset}`, `{network}`: the name of the field.
    address: &'static str,
    /// `{tag}`: the name of the field for the destination tag or memo.
    tag: &'static str,
    tag_hint: &'static str,
    /// `{network}`
    valid: &'static str,
    mistake: &'static str,
    /// A character is marked below.
    mistake_at: &'static str,
    /// `{network}`
    other_network: &'static str,
    own: &'static str,
    contract: &'static str,
    /// `{tag}`
    bad_tag: &'static str,
    /// `{tag}`: it stands beside the address.
    tag_inside: &'static str,
    secret: &'static str,
    /// `{suggestion}`: the button that takes it.
    suggestion: &'static str,
    next: &'static str,
    review_title: &'static str,
    /// `{merchant}`
    review_text: &'static str,
    amount: &'static str,
    no_tag: &'static str,
    ask: &'static str,
    change: &'static str,
    not_now: &'static str,
});

texts!(NoticeWords {
    not_reached: &'static str,
    not_possible: &'static str,
    no_rate: &'static str,
    closed: &'static str,
});

texts!(TransferWords {
    network: &'static str,
    /// The link to the transaction in a block explorer.
    explorer: &'static str,
    seen: &'static str,
    confirming: &'static str,
    confirmed: &'static str,
    /// `{done}`, `{required}`, which is more than one
    confirmations: &'static str,
    /// How long a confirmation usually takes.
    usual_minutes: Plural,
    usual_soon: &'static str,
    /// A seen transfer is no longer on the network.
    vanished: &'static str,
    /// `{amount}`, `{merchant}`: a coin that the business does not take.
    held: &'static str,
    refund_fee: &'static str,
});

texts!(RateWords {
    /// `{asset}`, `{price}`, `{time}`
    fixed: &'static str,
    /// `{asset}`, `{price}`
    floating: &'static str,
    /// `{asset}`, `{network}`: the choice was changed on another page.
    changed: &'static str,
});

texts!(HelpWords {
    /// `{merchant}`
    contact: &'static str,
    /// `{order}`
    order: &'static str,
    print: &'static str,
    share: &'static str,
    /// The link to the form that looks for a transfer, and the title of the form.
    lookup: &'static str,
    /// The link to the form that asks for a receipt; empty if the gateway sends no mail.
    receipt: &'static str,
});

#[cfg(feature = "ssr")]
texts!(
    /// A wallet in the payer's browser. The page asks the server for them when there is one.
    WalletWords {
    title: &'static str,
    /// The button in a frame, which opens the page in a tab.
    in_tab: &'static str,
    connect: &'static str,
    /// `{network}`
    switch: &'static str,
    checking: &'static str,
    /// `{amount}`
    confirm: &'static str,
    /// The wallet has not answered for a while.
    silent: &'static str,
    sent: &'static str,
    rejected: &'static str,
    /// The wallet already asks something.
    busy: &'static str,
    locked: &'static str,
    account_changed: &'static str,
    /// `{network}`
    wrong_network: &'static str,
    /// `{network}`
    unknown_network: &'static str,
    /// `{amount}`
    too_little: &'static str,
    /// `{coin}`
    no_fee: &'static str,
    would_fail: &'static str,
    /// The page no longer shows what the gateway says.
    changed: &'static str,
    /// The account has sent something that is in no block.
    unfinished: &'static str,
    disconnected: &'static str,
    failed: &'static str,
    /// The wallet may have sent, or not.
    unclear: &'static str,
});
