//! The rows of the contract: the tables of `docs/contract.md`, of which a test holds that they are the same.

use self::Table::{Deposit, Extensions, Origin, Payment, Requests, Statuses};

/// A table of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    Requests,
    Payment,
    Statuses,
    Deposit,
    Origin,
    Extensions,
}

impl Table {
    pub(super) const ALL: [Self; 6] = [Requests, Payment, Statuses, Deposit, Origin, Extensions];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Requests => "requests",
            Payment => "payment",
            Statuses => "status",
            Deposit => "deposit",
            Origin => "origin",
            Extensions => "extensions",
        }
    }

    /// What the rows say of the page.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Requests => "Requests, and what the page does",
            Payment => "The payment, and what the page does with it",
            Statuses => "Its status, and what the page shows",
            Deposit => "A deposit, and what the page does with it",
            Origin => "Another origin, and what the page is without the header",
            Extensions => "Extensions, and what the page does",
        }
    }
}

#[derive(Debug)]
pub(super) struct Facts {
    pub(super) table: Table,
    subject: &'static str,
    right: &'static str,
    page: &'static str,
}

macro_rules! rows {
    ($($name:ident: $table:ident, $subject:literal, $right:literal, $page:literal;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum Row { $($name),+ }

        impl Row {
            pub(super) const ALL: &[Self] = &[$(Self::$name),+];

            pub(super) const fn facts(self) -> Facts {
                match self {
                    $(Self::$name => Facts { table: $table, subject: $subject, right: $right, page: $page },)+
                }
            }
        }
    };
}

#[rustfmt::skip]
rows! {
    Get: Requests, "`GET`", "2xx, the payment", "shows it";
    OtherToken: Requests, "`GET` and `PATCH` with another token", "401 or 404 (at the start also 400, 403, 422)", "says that the link does not work; a page that shows the payment keeps it for a minute and asks on";
    OtherId: Requests, "`GET` of another id", "401 or 404 (at the start also 400, 403, 422)", "says that the link does not work";
    Patch: Requests, "`PATCH` of a pair", "2xx, the payment with address and amount in this pair", "shows them";
    SamePatch: Requests, "the same `PATCH` again", "2xx, the same address and tag", "shows them after the window, or with another rate; the payer may have copied the first";
    NoPair: Requests, "`PATCH` of what is no pair", "4xx, and nothing changes", "says that this choice is not possible, and offers the others";
    GetAfter: Requests, "`GET` after a `PATCH`", "the payment as in the answer to `PATCH`", "shows what it read last";
    Taken: Requests, "`PATCH` after a deposit", "409, and nothing changes (but for `REUSABLE`)", "says that the payment takes no other choice, and reads it again";
    Condition: Requests, "`If-None-Match`, if you send an `ETag`", "304 if nothing changed, or the payment", "keeps what it shows; nothing depends on it";
    Date: Requests, "`Date`", "the time", "counts down by it; without it, by the clock of its own web server";
    NoRate: Requests, "`PATCH` without a rate", "503, for a while", "says that there is no rate now";
    Busy: Requests, "any request, too often", "429 or 503 with `Retry-After`, in seconds", "waits so long, at most 30 seconds";
    Anything: Requests, "any request", "one of these, within 10 seconds, and no redirect", "says that it is offline, and asks again";

    PaymentId: Payment, "`paymentId`", "yes", "must be the one of the link";
    ClientPaymentId: Payment, "`clientPaymentId`", "yes", "shown as the order";
    Status: Payment, "`status`", "yes", "see below";
    Type: Payment, "`type`", "yes", "`REUSABLE` has no countdown and can be paid again; anything else is paid once";
    RateType: Payment, "`rateType`", "yes", "`FIXED`: \"rate held\"; `FLOATING`: the amount is asked for again after 30 minutes";
    DisplayCurrency: Payment, "`displayCurrency`", "yes", "the currency of the price";
    ExpirationMinutes: Payment, "`expirationMinutes`", "yes", "the window; 0 is 7 days";
    PaymentInitiatedAt: Payment, "`paymentInitiatedAt`", "yes", "its beginning";
    ExpectedDisplayAmount: Payment, "`expectedDisplayAmount`", "", "the price";
    Pair: Payment, "`depositCurrency`, `expectedNetwork`", "with an address", "the pair. While `NEW`: the only choice. A currency with one network needs no `expectedNetwork`";
    WalletAddress: Payment, "`walletAddress`", "from `PENDING` on", "checked by the core for this network; a refused one is never shown";
    ExpectedDepositAmount: Payment, "`expectedDepositAmount`", "with an address", "the exact amount; more decimals than the coin has are refused";
    DestinationTag: Payment, "`destinationTag`", "on XRP and XLM", "shown before the address; without it no address is shown";
    PaymentRequestedAt: Payment, "`paymentRequestedAt`", "", "a choice after the window begins another window of the same length";
    Deposits: Payment, "`deposits`", "", "see below; without it, none";
    ActualAmounts: Payment, "`actualDepositAmount`, `actualDisplayAmount`", "", "the receipt; without them, the sum of the deposits";
    Locale: Payment, "`locale`", "", "the language; without it, English";
    RedirectUrl: Payment, "`redirectUrl`", "", "an https address (http on a page over http): the payer is there five seconds after completion";
    Policies: Payment, "`overpaymentPolicy`, `refundFollowUpDepositsForOneTimePayments`", "", "what is said of an excess or a second transfer that has no refund yet";

    New: Statuses, "`NEW`", "before the choice, without a deposit", "the choice";
    Pending: Statuses, "`PENDING`", "after the choice", "amount and address";
    Awaiting: Statuses, "`AWAITING`", "with a deposit", "the transfer was seen; or the rest, if the deposits do not cover the amount";
    Paid: Statuses, "`DEPOSITED`, `OVERPAID`", "with a deposit", "the receipt";
    Expired: Statuses, "`EXPIRED`", "after the window, or with `cancelledAt`", "the end of the window, with a button for a new quote (`PATCH`)";

    DepositFacts: Deposit, "`id`, `depositAmount`, `depositCurrency`, `depositReceivedAt`, `displayAmount`, `displayCurrency`, `toAddress`, `transactionId`", "yes", "shown in the list, with a link to an explorer";
    DepositStatus: Deposit, "`status`", "", "`UNCONFIRMED` or `CONFIRMED`; without it, confirmed once the payment is `DEPOSITED` or `OVERPAID`";
    DepositSender: Deposit, "`fromAddress`, `onChainFee`", "", "where a refund goes";
    Refund: Deposit, "`refund`", "", "`type`, `status`, `reason`, `amount`, `fee`, `displayCurrency`, `displayAmount`, `displayFee` are required in it; `transactionId` and `confirmedAt` are not. With `reason: FOLLOW_UP_DEPOSIT` the deposit came after the order was paid";

    AllowOrigin: Origin, "`Access-Control-Allow-Origin`", "the origin of the page, or `*`, on every answer, also on errors", "is offline, since the browser hides the answer";
    AllowMethods: Origin, "`Access-Control-Allow-Methods`", "`PATCH`, on the answer to `OPTIONS`, which is 2xx", "cannot choose";
    AllowHeaders: Origin, "`Access-Control-Allow-Headers`", "`authorization`, `content-type` by their names, on the answer to `OPTIONS`", "is offline";

    ServerTime: Extensions, "`X-Server-Time`", "UNIX milliseconds", "asks once for `GET /api/v1/checkout/{paymentId}`, which is 404 or [this answer](reference/hosted-checkout.md), and uses it from then on, with estimates, rate, confirmations and claims";
}

impl Row {
    pub(super) fn name(self) -> String {
        plain(self.facts().subject)
    }

    /// What the page does with it.
    pub(super) fn page(self) -> String {
        plain(self.facts().page)
    }

    /// The fields of a table of fields.
    pub(super) fn fields(self) -> impl Iterator<Item = &'static str> {
        self.facts().subject.split('`').skip(1).step_by(2)
    }

    pub(super) fn is_required(self) -> bool {
        self.facts().right == "yes"
    }

    pub(super) fn of_table(table: Table) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |row| row.facts().table == table)
    }
}

/// Without the marks of Markdown.
fn plain(text: &str) -> String {
    let mut parts = text.split("](");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once(')').map_or(part, |(_, after)| after));
    }
    plain.replace(['`', '['], "")
}

#[cfg(test)]
mod tests {
    use checkout_wire::payment::{RefundReason, RefundStatus, RefundType};

    use super::{Row, plain};

    const PAGE: &str = include_str!("../../../../docs/contract.md");

    /// The page before, in and after the section of the words of refunds.
    fn sections() -> [&'static str; 3] {
        let (before, rest) = PAGE.split_once("\n### The words of a refund\n").expect("it has one");
        let (words, after) = rest.split_once("\n## ").expect("others follow");
        [before, words, after]
    }

    #[test]
    fn the_page_of_the_contract_has_every_word_of_a_refund() {
        let [_, words, _] = sections();
        let documented: Vec<&str> = words.lines().filter(|line| line.starts_with("| `")).collect();
        let fields =
            [("type", RefundType::KNOWN), ("status", RefundStatus::KNOWN), ("reason", RefundReason::KNOWN)];
        let rows = fields.iter().flat_map(|(field, words)| words.iter().map(move |word| (*field, *word)));
        for (field, word) in rows.clone() {
            let row = format!("| `{field}` | `{word}` | ");
            assert!(documented.iter().any(|line| line.starts_with(&row)), "{row}");
        }
        assert_eq!(documented.len(), rows.count());
    }

    #[test]
    fn texts_have_no_marks() {
        assert_eq!(plain("asks `GET`, or [this](a.md), and [that](b.md)."), "asks GET, or this, and that.");
    }

    #[test]
    fn the_page_of_the_contract_has_the_same_rows() {
        let [before, _, after] = sections();
        let lines: Vec<&str> = before.lines().chain(after.lines()).collect();
        let is_row = |place: usize| lines[place].starts_with('|') && !lines[place].starts_with("|---");
        let is_head = |place: usize| lines.get(place + 1).is_some_and(|next| next.starts_with("|---"));
        let documented: Vec<&str> = (0..lines.len())
            .filter(|place| is_row(*place) && !is_head(*place))
            .map(|place| lines[place])
            .collect();
        let row = |row: &Row| {
            let facts = row.facts();
            let right = if facts.right.is_empty() { " ".to_owned() } else { format!(" {} ", facts.right) };
            format!("| {} |{right}| {} |", facts.subject, facts.page)
        };
        assert_eq!(documented, Row::ALL.iter().map(row).collect::<Vec<_>>());
    }
}
