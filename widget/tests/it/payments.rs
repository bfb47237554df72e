//! Payments as a gateway returns them. The addresses are published examples.

use checkout_wire::Word;
use checkout_wire::checkout_view::{CheckoutView, DepositOption, Transfer};
use checkout_wire::payment::{
    Deposit, DepositStatus, OverpaymentPolicy, Payment, PaymentStatus, PaymentType, RateType, Refund,
    RefundReason, RefundStatus, RefundType,
};

pub(crate) const ID: &str = "0198c5a4-6f0e-7cc1-9c8f-0d4f5a1b2c3d";
/// The creation of the payment in UNIX seconds.
pub(crate) const START: u64 = 1_790_000_000;
pub(crate) const MINUTES: u32 = 15;
pub(crate) const END: u64 = START + 15 * 60;

pub(crate) const BTC: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
pub(crate) const TRX: &str = "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC";
pub(crate) const XRP: &str = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";

/// A payment without a choice.
pub(crate) fn new() -> Payment {
    Payment {
        payment_id: ID.into(),
        client_payment_id: "order-1".into(),
        business_id: None,
        status: PaymentStatus::New.into(),
        kind: PaymentType::OneTime.into(),
        rate_type: RateType::Fixed.into(),
        processor_type: "BLOCKCHAIN".into(),
        locale: "en-US".into(),
        display_currency: "EUR".into(),
        deposit_currency: None,
        expected_network: None,
        expected_deposit_amount: None,
        expected_display_amount: Some("249.00".into()),
        expected_uniform_amount: None,
        actual_deposit_amount: "0".into(),
        actual_display_amount: "0.00".into(),
        actual_uniform_amount: None,
        expiration_minutes: MINUTES,
        payment_initiated_at: START.into(),
        payment_requested_at: None,
        wallet_address: None,
        deposits: Vec::new(),
        deposits_url: None,
        redirect_url: None,
        overpayment_policy: Some(OverpaymentPolicy::ExcessRefund.into()),
        refund_follow_up_deposits_for_one_time_payments: None,
        destination_tag: None,
        cancelled_at: None,
        accepted_at: None,
        description: None,
        metadata: None,
        refunds: Vec::new(),
    }
}

pub(crate) fn quoted(currency: &str, network: &str, address: &str, amount: &str) -> Payment {
    Payment {
        status: PaymentStatus::Pending.into(),
        deposit_currency: Some(currency.into()),
        expected_network: Some(network.into()),
        wallet_address: Some(address.into()),
        expected_deposit_amount: Some(amount.into()),
        payment_requested_at: Some((START + 20).into()),
        ..new()
    }
}

/// A payment of 0.00412345 BTC.
pub(crate) fn pending() -> Payment {
    quoted("BTC", "BTC", BTC, "0.00412345")
}

pub(crate) fn pending_xrp() -> Payment {
    Payment { destination_tag: Some("104729".into()), ..quoted("XRP", "XRP", XRP, "412.345678") }
}

pub(crate) fn deposit(amount: &str, currency: &str, status: DepositStatus) -> Deposit {
    Deposit {
        id: "d".into(),
        deposit_amount: amount.into(),
        deposit_currency: currency.into(),
        deposit_received_at: (START + 60).into(),
        display_amount: "249.00".into(),
        display_currency: "EUR".into(),
        being_valued: None,
        status: status.into(),
        confirmations: None,
        required_confirmations: None,
        from_address: "1BoatSLRHtKNngkdXEeobR76b53LETtpyT".into(),
        to_address: BTC.into(),
        transaction_id: "f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16".into(),
        on_chain_fee: "0.00001".into(),
        hold: None,
        refund: None,
    }
}

/// The payment with deposits, in the status that the gateway gives it.
pub(crate) fn with(
    payment: Payment,
    status: impl Into<Word<PaymentStatus>>,
    deposits: Vec<Deposit>,
) -> Payment {
    Payment { status: status.into(), deposits, ..payment }
}

pub(crate) fn seen() -> Payment {
    with(pending(), PaymentStatus::Awaiting, vec![deposit("0.00412345", "BTC", DepositStatus::Unconfirmed)])
}

pub(crate) fn partial() -> Payment {
    with(pending(), PaymentStatus::Awaiting, vec![deposit("0.001", "BTC", DepositStatus::Confirmed)])
}

pub(crate) fn paid() -> Payment {
    Payment {
        actual_deposit_amount: "0.00412345".into(),
        actual_display_amount: "249.00".into(),
        ..with(
            pending(),
            PaymentStatus::Deposited,
            vec![deposit("0.00412345", "BTC", DepositStatus::Confirmed)],
        )
    }
}

pub(crate) fn overpaid(refund: Option<RefundStatus>) -> Payment {
    let refund = refund.map(|status| Refund {
        kind: RefundType::Partial.into(),
        transaction_id: (status == RefundStatus::Confirmed).then(|| "ab".repeat(32)),
        confirmed_at: None,
        status: status.into(),
        reason: RefundReason::Overpayment.into(),
        amount: "0.00099".into(),
        fee: "0.00001".into(),
        display_currency: "EUR".into(),
        display_amount: "59.78".into(),
        display_fee: "0.60".into(),
        waiting_for: None,
        waiting_reason: None,
    });
    let deposit = Deposit { refund, ..deposit("0.00512345", "BTC", DepositStatus::Confirmed) };
    Payment {
        actual_display_amount: "309.38".into(),
        ..with(pending(), PaymentStatus::Overpaid, vec![deposit])
    }
}

pub(crate) fn expired() -> Payment {
    with(pending(), PaymentStatus::Expired, Vec::new())
}

pub(crate) fn returning(payment: Payment) -> Payment {
    Payment { redirect_url: Some("https://shop.example/thanks".into()), ..payment }
}

pub(crate) fn options() -> Vec<DepositOption> {
    let rows = [
        ("BTC", "BTC", Some("0.00412345")),
        ("USDT", "TRX", Some("268.523401")),
        ("USDT", "BSC", Some("268.523401")),
        ("XRP", "XRP", None),
        // From a newer gateway: this page does not know it.
        ("SHIB", "SHIB", Some("1")),
        ("BTC", "TRX", None),
    ];
    rows.iter().map(|row| option(row.0, row.1, row.2)).collect()
}

pub(crate) fn option(currency: &str, network: &str, estimate: Option<&str>) -> DepositOption {
    DepositOption {
        currency: currency.into(),
        network: network.into(),
        estimated_amount: estimate.map(Into::into),
        required_confirmations: None,
        usual_fee: None,
    }
}

pub(crate) fn view(payment: Payment) -> CheckoutView {
    let transfer = |deposit: &Deposit| Transfer {
        deposit_id: deposit.id.clone(),
        network: "BTC".into(),
        confirmations: None,
        required_confirmations: None,
        follow_up: false,
    };
    CheckoutView {
        version: 0,
        transfers: payment.deposits.iter().map(transfer).collect(),
        transfer_vanished: false,
        claims: Vec::new(),
        remaining_amount: None,
        rate: payment.expected_deposit_amount.as_ref().map(|_| "60386.33".into()),
        support_url: None,
        payment,
        merchant_name: "Kettle & Leaf".into(),
        allowed_origins: vec!["https://shop.example".into()],
        options: options(),
        sandbox: false,
        test_networks: Vec::new(),
    }
}

/// The payment; each of its deposits has the first number of confirmations and needs the second.
pub(crate) fn counted(payment: Payment, counts: &[(u64, u64)]) -> CheckoutView {
    let mut view = view(payment);
    for (transfer, (done, required)) in view.transfers.iter_mut().zip(counts) {
        (transfer.confirmations, transfer.required_confirmations) = (Some(*done), Some(*required));
    }
    view
}
