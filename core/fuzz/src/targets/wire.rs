use std::fmt::Debug;

use checkout_wire::{Payment, PaymentStatus, Problem};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Every type of the API must survive reading and writing.
fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(body: &[u8]) {
    let Ok(value) = serde_json::from_slice::<T>(body) else { return };
    let written = serde_json::to_string(&value).expect("a body is JSON");
    let again: T = serde_json::from_str(&written).expect("what is written reads back");
    assert_eq!(again, value);
}

const CHECKS: [fn(&[u8]); 16] = [
    check::<Payment>,
    check::<PaymentStatus>,
    check::<Problem>,
    check::<checkout_wire::Business>,
    check::<checkout_wire::checkout_view::CheckoutView>,
    check::<checkout_wire::create_payment::CreatePayment>,
    check::<checkout_wire::create_payment::CreatedPayment>,
    check::<checkout_wire::list_currencies::CurrencyInfo>,
    check::<checkout_wire::list_rates::ExchangeRate>,
    check::<checkout_wire::sandbox::SendTransfer>,
    check::<checkout_wire::sandbox::MineBlocks>,
    check::<checkout_wire::sandbox::DropTransfer>,
    check::<checkout_wire::sandbox::AdvanceClock>,
    check::<checkout_wire::update_payment::UpdatePayment>,
    check::<checkout_wire::update_payment::UpdatedPayment>,
    check::<checkout_wire::validate_address::AddressValidity>,
];

/// The type, then the body.
pub(crate) fn run(data: &[u8]) {
    let Some((which, body)) = data.split_first() else { return };
    CHECKS[usize::from(*which) % CHECKS.len()](body);
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let payment = r#"{"paymentId":"p","clientPaymentId":"c","businessId":"b","status":"NEW","type":"ONE_TIME","rateType":"FIXED","processorType":"x","locale":"en-US","displayCurrency":"EUR","depositCurrency":"BTC","expectedNetwork":"BTC","expectedDepositAmount":"0.1","actualDepositAmount":"0","actualDisplayAmount":"0","expirationMinutes":30,"paymentInitiatedAt":1,"paymentRequestedAt":2,"walletAddress":"a","deposits":[{"id":"d","depositAmount":"1","depositCurrency":"BTC","depositReceivedAt":1,"displayAmount":"1","displayCurrency":"EUR","status":"CONFIRMED","fromAddress":"a","toAddress":"b","transactionId":"t","onChainFee":"0","refund":{"type":"PARTIAL","status":"PENDING","reason":"OVERPAYMENT","amount":"1","fee":"0","displayCurrency":"EUR","displayAmount":"1","displayFee":"0"}}],"overpaymentPolicy":"PROCESS"}"#;
    let bodies = [
        payment,
        "\"NEW\"",
        r#"{"type":"about:blank","title":"t","status":422,"code":"c","requestId":"r","errors":[{"pointer":"/a","code":"c","detail":"d"}]}"#,
        r#"{"id":"b","name":"n","createdAt":1,"settlementCryptoCurrency":"BTC","settlementCryptoRatio":"0.5","settlementFiatCurrency":"EUR","supportedDepositCurrencies":["BTC"],"supportedDisplayCurrencies":["EUR"],"overpaymentPolicy":"PROCESS","refundFollowUpDepositsForOneTimePayments":true,"theme":"LIGHT"}"#,
        &format!(
            r#"{{"payment":{payment},"merchantName":"m","allowedOrigins":["https://a"],"options":[{{"currency":"BTC","network":"BTC","estimatedAmount":"1"}}],"sandbox":true}}"#
        ),
        r#"{"businessId":"b","clientPaymentId":"c","locale":"en-US","type":"REUSABLE","rateType":"FLOATING","displayCurrency":"EUR","displayAmount":"1","expirationMinutes":0,"redirectUrl":"https://a"}"#,
        &format!(r#"{{"paymentInfo":{payment},"paymentUrl":"https://a"}}"#),
        r#"{"currency":"BTC","name":"Bitcoin","networks":[{"network":"BTC","name":"Bitcoin","deposit":true,"withdrawal":true,"decimals":8,"quotePrecision":8,"tag":"NONE"}]}"#,
        r#"{"from":"BTC","to":"EUR","rate":"50000"}"#,
        r#"{"network":"BTC","currency":"BTC","address":"a","destinationTag":"1","amount":"1","fromAddress":"b"}"#,
        r#"{"network":"BTC","count":1}"#,
        r#"{"transactionId":"t"}"#,
        r#"{"advanceSeconds":1}"#,
        r#"{"depositCurrency":"BTC","network":"BTC"}"#,
        &format!(r#"{{"paymentInfo":{payment}}}"#),
        r#"{"valid":true,"supported":true}"#,
    ];
    (0_u8..).zip(bodies).map(|(which, body)| [&[which], body.as_bytes()].concat()).collect()
}
