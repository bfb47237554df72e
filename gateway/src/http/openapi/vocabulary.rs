//! What the names of fields and parameters mean, once for every place where they stand.
//!
//! Types, and what is required, follow from the wire types; a word adds its grammar and its meaning. The grammars of
//! currencies, networks and locales are the tables themselves.

use checkout_core::currency::CURRENCIES;
use checkout_core::network::NETWORKS;
use checkout_core::wire::LOCALES;
use serde_json::{Value, json};

use crate::domain::business::Theme;
use crate::domain::create_request::{MAX_CLIENT_ID, MAX_EXPIRATION_MINUTES};
use crate::domain::fiat::Fiat;
use crate::domain::whitelist::MAX_LABEL;

use Grammar::{
    Amount, Asset, ClientId, Code, Crypto, FiatCode, Flag, Free, Label, Locale, Minutes, Network,
    NumberOrText, Short, Tag, Theming, Time, Url, Uuid, Whole,
};

/// What a value looks like, beyond its JSON type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grammar {
    /// A decimal text, never rounded.
    Amount,
    /// A decimal as a text or as a JSON number.
    NumberOrText,
    Asset,
    ClientId,
    Code,
    Crypto,
    FiatCode,
    Flag,
    Free,
    Label,
    Locale,
    Minutes,
    Network,
    /// Text that is not empty.
    Short,
    Tag,
    Theming,
    /// UNIX seconds.
    Time,
    Url,
    Uuid,
    Whole,
}

/// Name, or `Schema.name` where it means something else there; grammar; meaning.
type Word = (&'static str, Grammar, &'static str);

#[rustfmt::skip]
const WORDS: &[Word] = &[
    ("paymentId", Uuid, "Identifier of the payment."),
    ("businessId", Uuid, "Identifier of the business. Optional with a business token."),
    ("Payment.businessId", Uuid, "Identifier of the business."),
    ("WithdrawalEnded.businessId", Uuid, "Identifier of the business."),
    ("depositId", Uuid, "Identifier of the deposit."),
    ("withdrawId", Uuid, "Identifier of the withdrawal."),
    ("withdrawalId", Uuid, "Identifier of the withdrawal."),
    ("id", Uuid, "Identifier given by the gateway."),
    ("clientPaymentId", ClientId, "The merchant's own id of the payment; unique per business."),
    ("clientWithdrawalId", ClientId, "The merchant's own id of the withdrawal; unique per business."),
    ("clientWithdrawId", ClientId, "The merchant's own id of the withdrawal: the `clientWithdrawalId` of the request."),
    ("clientAddressId", ClientId, "The merchant's own id of the address; unique per business."),
    ("initiatedBy", Free, "By what kind of credential the withdrawal was asked for."),
    ("label", Label, "A group of addresses."),
    ("name", Free, "Name for people."),
    ("Owner.name", Free, "Whose address it is, such as `Example Exchange`; `Unknown` when nothing is known of it."),
    ("Owner.category", Free, "What the owner is, such as `EXCHANGE` or `SANCTIONS`; `UNKNOWN` when nothing is known."),
    ("merchantName", Free, "Name of the merchant, to be shown to the payer."),

    ("Payment.status", Free, "Where the payment stands."),
    ("Payment.type", Free, "`ONE_TIME` payments end with their window; `REUSABLE` ones never expire."),
    ("Payment.rateType", Free, "`FIXED`: the quoted rate holds within the window. `FLOATING`: the rate of the moment when the deposit is received."),
    ("CreatePayment.type", Free, "`ONE_TIME` (the default) or `REUSABLE`."),
    ("CreatePayment.rateType", Free, "`FIXED` for ONE_TIME and `FLOATING` for REUSABLE payments when it is not given."),
    ("DepositReceived.rateType", Free, "By which rate the deposit was valued; late deposits are `FLOATING`."),
    ("DepositReceived.status", Free, "Always `CONFIRMED`."),
    ("Deposit.status", Free, "`UNCONFIRMED` at first sight, `CONFIRMED` in a block."),
    ("Refund.type", Free, "`PARTIAL`: the excess. `FULL`: a follow-up deposit."),
    ("Refund.status", Free, "`PENDING` until it is in a block, first for deposits that can still leave their chain. `NON_REFUNDABLE` when nothing would be left or no sender is known."),
    ("Refund.reason", Free, "Why it is paid back."),
    ("Withdrawal.status", Free, "`NEW`; the outcome comes with the callback."),
    ("WithdrawalEnded.status", Free, "What came of it."),
    ("processorType", Free, "`BLOCKCHAIN` for crypto payments."),
    ("overpaymentPolicy", Free, "What happens to an excess: paid back, or credited."),
    ("refundFollowUpDepositsForOneTimePayments", Flag, "Whether a deposit to a payment that was paid already is paid back in full."),

    ("locale", Locale, "Language of the checkout page."),
    ("theme", Theming, "Look of the checkout page."),
    ("expirationMinutes", Minutes, "Minutes in which the deposit has to be made; 0 means 7 days; 30 when it is not given. REUSABLE payments never expire."),
    ("redirectUrl", Url, "Where the payer returns to; `https:` (in the sandbox also `http:`)."),
    ("paymentUrl", Url, "The hosted checkout, with a session token for this one payment. A redirect target, or the source of a frame."),
    ("depositReceivedCallbackUrl", Url, "Where the deposit-received callback goes."),
    ("withdrawalCallbackUrl", Url, "Where the withdrawal callback goes."),
    ("allowedOrigins", Free, "The origins that may embed this checkout."),
    ("sandbox", Flag, "Money here is not real."),
    ("options", Free, "What the payer may choose from, in the order to offer it."),
    ("payment", Free, "The payment."),
    ("paymentInfo", Free, "The payment."),
    ("deposits", Free, "All deposits of the payment; empty at its creation."),
    ("refund", Free, "Of an overpayment or a follow-up deposit."),

    ("displayCurrency", FiatCode, "Fiat currency in which prices are said."),
    ("depositCurrency", Crypto, "Cryptocurrency of the deposit."),
    ("withdrawCurrency", Crypto, "Cryptocurrency to withdraw."),
    ("withdrawalCurrency", Short, "Code of the cryptocurrency; one that is not known gives `supported: false`."),
    ("settlementCurrency", Asset, "Currency in which the business is settled."),
    ("uniformCurrency", FiatCode, "EUR."),
    ("settlementCryptoCurrency", Crypto, "Cryptocurrency of the crypto part of settlements."),
    ("settlementFiatCurrency", FiatCode, "Fiat currency of settlements: EUR."),
    ("settlementCryptoRatio", Amount, "The share of a deposit that is settled in crypto, from 0 to 1."),
    ("supportedDepositCurrencies", Crypto, "Cryptocurrencies that the business takes."),
    ("supportedDisplayCurrencies", FiatCode, "Fiat currencies in which the business says prices."),
    ("currency", Crypto, "Cryptocurrency."),
    ("network", Network, "Network. One that the currency lacks is refused."),
    ("CreateWithdrawal.network", Network, "Network to send on; `ETH` when it is not given. One that the currency lacks is refused, never guessed."),
    ("expectedNetwork", Network, "Network on which the deposit is expected."),
    ("from", Asset, "What is valued."),
    ("to", Asset, "What it is valued in."),
    ("rate", Amount, "How much of `to` one whole `from` is worth."),
    ("SetRate.rate", NumberOrText, "How much of `to` one whole `from` is worth."),

    ("expectedDepositAmount", Amount, "Crypto amount that covers the price."),
    ("expectedDisplayAmount", Amount, "The price in the display currency."),
    ("expectedUniformAmount", Amount, "The price in EUR."),
    ("actualDepositAmount", Amount, "Crypto amount that was deposited."),
    ("actualDisplayAmount", Amount, "What was deposited, in the display currency."),
    ("actualUniformAmount", Amount, "What was deposited, in EUR."),
    ("depositAmount", Amount, "Amount in the cryptocurrency."),
    ("CreatePayment.depositAmount", Amount, "Price in the cryptocurrency; needs `depositCurrency` and `displayCurrency`. Exactly one of the two amounts."),
    ("CreatePayment.displayAmount", NumberOrText, "Price in the display currency. Exactly one of the two amounts."),
    ("UpdatePayment.displayAmount", NumberOrText, "Price in the display currency, from the merchant, where creation left it open."),
    ("displayAmount", Amount, "Amount in the display currency."),
    ("estimatedAmount", Amount, "What the payment would cost at the rate of this moment; the quote comes with PATCH."),
    ("amount", Amount, "Amount in the cryptocurrency."),
    ("SendTransfer.amount", NumberOrText, "Amount in the cryptocurrency."),
    ("fee", Amount, "On-chain fee in the cryptocurrency."),
    ("displayFee", Amount, "On-chain fee in the display currency."),
    ("onChainFee", Amount, "What the sender paid the chain, in its main coin."),
    ("displayServiceFee", Amount, "Commission of the service, in the display currency."),
    ("settlementAmount", Amount, "What the business is credited, in the settlement currency."),
    ("settlementServiceFee", Amount, "Commission of the service, in the settlement currency."),
    ("settlementDeductedAmount", Amount, "What the balance is charged, in the settlement currency."),
    ("deducedSettlementAmount", Amount, "What the balance was charged, in the settlement currency."),
    ("deductedSettlementAmount", Amount, "The same by its other spelling; only when the gateway is told to send both."),
    ("estimatedDisplayAmount", Amount, "What is sent, in the display currency."),
    ("estimatedWithdrawAmount", Amount, "What is sent, in the cryptocurrency."),
    ("actualWithdrawAmount", Amount, "What was sent, in the cryptocurrency."),
    ("uniformAmount", Amount, "What is sent, in EUR."),
    ("uniformServiceFee", Amount, "Commission of the service, in EUR."),
    ("targetAmountPolicy", Free, "What `targetAmount` is in: the display currency (`FIAT`) or the cryptocurrency (`CRYPTO`)."),
    ("targetAmount", NumberOrText, "How much to send, by `targetAmountPolicy`."),
    ("withdrawalAccount", Free, "Which balance is charged; `CRYPTO` when it is not given."),
    ("withdrawFee", Amount, "Fee of a withdrawal, in the cryptocurrency."),
    ("displayWithdrawFee", Amount, "Fee of a withdrawal, in the display currency, rounded up."),
    ("mininumWithdrawableAmount", Amount, "The least that can be withdrawn (spelled exactly so)."),
    ("displayMinimumWithdrawableAmount", Amount, "The least that can be withdrawn, in the display currency, rounded up."),
    ("withdrawAvailable", Flag, "Whether it can be withdrawn now."),
    ("withdrawPrecision", Whole, "Decimal places of the cryptocurrency."),
    ("fees", Free, "One entry per coin, in the order of the question."),
    ("minimum", Amount, "The least that can be withdrawn, in the currency."),
    ("maxAmount", Amount, "The most that can be withdrawn at once, in the currency."),
    ("decimals", Whole, "Decimal places on this network."),
    ("quotePrecision", Whole, "Decimal places of quotes."),
    ("contract", Free, "Contract of the token on this network."),
    ("deposit", Flag, "Whether payers can pay with it."),
    ("withdrawal", Flag, "Whether it can be withdrawn."),
    ("tag", Free, "What this network needs beside an address: `NONE`, `DESTINATION_TAG` or `MEMO`."),
    ("networks", Free, "The networks it travels on."),

    ("address", Short, "Address on the network."),
    ("ValidateAddress.currency", Free, "Code of the cryptocurrency."),
    ("ValidateAddress.network", Free, "Code of the network."),
    ("ValidateAddress.address", Free, "Address on the network."),
    ("walletAddress", Free, "Address assigned for the deposit."),
    ("depositAddress", Free, "Address that was paid to."),
    ("fromAddress", Free, "Sending address."),
    ("toAddress", Free, "Address that was paid to."),
    ("toTxAddress", Free, "Recipient, with `?dt=<tag>` where there is a tag."),
    ("txAddressOwner", Free, "What the screening of the address found."),
    ("recipientAddress", Free, "Recipient; may carry its tag as `<address>?dt=<tag>`."),
    ("destinationTag", Tag, "Destination tag (XRP) or memo (XLM)."),
    ("CreateWithdrawal.destinationTag", Tag, "Destination tag (XRP) or memo (XLM); `0` stands for none."),
    ("Payment.destinationTag", Free, "Destination tag (XRP) or memo (XLM) without which the deposit cannot be found."),
    ("WhitelistedAddress.destinationTag", Free, "Destination tag (XRP) or memo (XLM)."),
    ("transactionId", Free, "Transaction on the chain."),
    ("flagged", Flag, "Deposits from this address are held; `true` unless given."),
    ("replaceable", Flag, "The sender can still replace it (BIP 125), so that it is no instant deposit."),
    ("valid", Flag, "Money can be sent to this address."),
    ("supported", Flag, "The currency travels on the network."),

    ("paymentInitiatedAt", Time, "When the payment was created."),
    ("paymentRequestedAt", Time, "When the payer chose how to pay."),
    ("paymentReceivedAt", Time, "When the transfer was seen."),
    ("depositReceivedAt", Time, "When the transfer was seen."),
    ("expirationTime", Time, "When the window ends; missing where the payment never expires."),
    ("confirmedAt", Time, "When the refund was confirmed."),
    ("createdAt", Time, "When it was made."),
    ("now", Time, "The gateway's time."),
    ("height", Whole, "Height of the chain."),
    ("count", Whole, "Blocks to mine, up to 1000."),
    ("depth", Whole, "Blocks to drop, up to 1000."),
    ("advanceSeconds", Whole, "Seconds to go forward, up to ten years."),

    ("Problem.type", Free, "Names the kind of problem: `urn:crypto-checkout:problem:` and the code."),
    ("Problem.status", Whole, "The HTTP status."),
    ("Problem.code", Code, "Stable name for machines."),
    ("FieldError.code", Code, "Stable name for machines, such as `required` or `too_many_decimals`."),
    ("Health.status", Free, "`ok` or `ready`."),
    ("title", Free, "The kind of problem, for people."),
    ("detail", Free, "What is wrong here, for people."),
    ("requestId", Free, "As in `X-Request-Id`: quote it when asking for help."),
    ("pointer", Free, "JSON Pointer (RFC 6901) to the field, such as `/displayAmount`; for parameters their name."),
    ("errors", Free, "Every fault of the request at once."),

    ("coin", Free, "A coin, several with commas between them, or `ALL`."),
    ("after", Uuid, "Only what comes after this address in the order of the listing."),
    ("before", Uuid, "Only what comes before this address in the order of the listing."),
    ("descending", Flag, "The newest first (the default)."),
    ("limit", Whole, "Size of the page, from 1 to 100."),
    ("sessionToken", Free, "Moved into the fragment by the page before anything is loaded."),
];

/// The grammar and the meaning of a name in a schema.
pub(super) fn look_up(schema: &str, name: &str) -> Option<(Grammar, &'static str)> {
    let qualified = format!("{schema}.{name}");
    let find = |wanted: &str| WORDS.iter().find(|(known, ..)| *known == wanted);
    find(&qualified).or_else(|| find(name)).map(|(_, grammar, meaning)| (*grammar, *meaning))
}

/// What the grammar adds to a schema of the right type.
pub(super) fn keywords(grammar: Grammar) -> Value {
    let codes = || CURRENCIES.iter().map(|row| row.code);
    match grammar {
        Amount => json!({"pattern": AMOUNT}),
        NumberOrText => json!({"type": ["string", "number"], "pattern": AMOUNT, "exclusiveMinimum": 0}),
        Flag | Free => json!({}),
        Asset => json!({"enum": codes().chain(Fiat::all().map(Fiat::code)).collect::<Vec<_>>()}),
        ClientId => json!({"minLength": 1, "maxLength": MAX_CLIENT_ID, "pattern": CLIENT_ID}),
        Code => json!({"pattern": "^[a-z0-9_]+$"}),
        Crypto => json!({"enum": codes().collect::<Vec<_>>()}),
        FiatCode => json!({"enum": Fiat::all().map(Fiat::code).collect::<Vec<_>>()}),
        Label => json!({"maxLength": MAX_LABEL, "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"}),
        Locale => json!({"enum": LOCALES}),
        Minutes => json!({"minimum": 0, "maximum": MAX_EXPIRATION_MINUTES}),
        Network => json!({"enum": NETWORKS.iter().map(|row| row.code).collect::<Vec<_>>()}),
        Short => json!({"minLength": 1}),
        Tag => json!({"type": ["string", "number"]}),
        Theming => json!({"enum": Theme::WORDS}),
        Time => json!({"format": "int64", "minimum": 0}),
        Url => json!({"format": "uri"}),
        Uuid => json!({"format": "uuid"}),
        Whole => json!({"minimum": 0}),
    }
}

/// `0|[1-9][0-9]*` with an optional fraction.
const AMOUNT: &str = r"^(0|[1-9][0-9]*)(\.[0-9]+)?$";

/// Not blank, and without control characters.
const CLIENT_ID: &str =
    r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$";

/// Every name, for a test that none is useless.
#[cfg(test)]
pub(in crate::http) fn names() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|(name, ..)| *name)
}
