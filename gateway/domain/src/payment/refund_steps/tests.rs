use checkout_core::{Amount, Currency, Network, pair};
use checkout_wire::RateType;
use checkout_wire::create_withdrawal::{TargetPolicy, WithdrawalAccount, WithdrawalStatus};
use checkout_wire::payment::{RefundReason, RefundType};
use uuid::Uuid;

use super::*;
use crate::chain::payout::state::Progress;
use crate::chain::screening::Screening;
use crate::chain::{OutputId, OutputState};
use crate::ids::{BusinessId, PaymentId};
use crate::ledger::money::Money;
use crate::payment::refund::Source;
use crate::rates::asset::Asset;
use crate::rates::fiat::Fiat;
use crate::withdrawal::Refunded;

const WHY: NoRefundAddress = NoRefundAddress::Contract;
const WAITS: Phase = Phase::NeedsAddress { why: WHY, refused: None };

fn given(address: &str) -> Given {
    Given { address: address.to_owned(), tag: None }
}

fn claim(address: &str, refusal: Option<&str>) -> Claim {
    Claim { refusal: refusal.map(str::to_owned), ..Claim::new(given(address), 5) }
}

fn automatic(phase: Phase) -> Refund {
    Refund {
        id: Uuid::from_u128(1),
        pair: pair::find(Currency::Btc, Network::Btc).unwrap(),
        gross: Amount::from_atoms(10).unwrap(),
        fee: Amount::from_atoms(3).unwrap(),
        source: Source::Deposit { kind: RefundType::Partial, reason: RefundReason::Overpayment },
        phase,
    }
}

fn leaving(step: Step, said: Said) -> Phase {
    let (payout, transaction_id) = (Uuid::from_u128(2), Some("transaction".to_owned()));
    Phase::Leaving(step, Transfer { payout, transaction_id, confirmed_at: None, planned_at: 1, said })
}

fn to_sender() -> Said {
    let decision = Decision { to: None, at: 1, gross: None };
    Said { claim: None, decision: Some(decision) }
}

fn asked() -> Said {
    Said { claim: Some(claim("payer", None)), decision: None }
}

fn deposit_from(sender: &str) -> Deposit {
    Deposit {
        id: Uuid::from_u128(1),
        output: OutputId { network: Network::Btc, transaction: "received".to_owned(), index: 0 },
        currency: Currency::Btc,
        amount: Amount::from_atoms(10).unwrap(),
        to: "ours".to_owned(),
        tag: None,
        from: sender.to_owned(),
        other_senders: Vec::new(),
        from_tag: None,
        fee: "0".to_owned(),
        seen_at: 1,
        recorded_at: 1,
        state: OutputState::Confirmed,
        confirmations: 1,
        required_confirmations: 1,
        required_by_amount: 1,
        instant: false,
        being_valued: false,
        rate: Decimal::ONE,
        uniform_rate: Decimal::ONE,
        price_rate: None,
        rate_type: RateType::Floating,
        quote: None,
        display_amount: Decimal::ZERO,
        uniform_amount: Decimal::ZERO,
        seen_seq: 1,
        confirmed_seq: Some(1),
        screening: Screening::Passed,
        hold: None,
        sender: None,
    }
}

/// Charged to a balance, to `there`, for 50 EUR.
fn charge(status: WithdrawalStatus, approval: Option<Approval>) -> Withdrawal {
    let zero = Money { asset: Asset::Fiat(Fiat::EUR), units: 0 };
    let payment = PaymentId(Uuid::from_u128(8));
    Withdrawal {
        id: Uuid::from_u128(2),
        business: BusinessId(Uuid::nil()),
        refunds: Some(Refunded { payment, of_unpaid: false, claim_of: None, after: None }),
        client_withdrawal_id: "refund".to_owned(),
        pair: pair::find(Currency::Btc, Network::Btc).unwrap(),
        recipient: "there".to_owned(),
        to: "there".to_owned(),
        tag: None,
        policy: TargetPolicy::Crypto,
        account: WithdrawalAccount::Fiat,
        initiated_by: "BUSINESS_TOKEN".to_owned(),
        initiator: None,
        status,
        amount: Amount::from_atoms(10).unwrap(),
        fee: Amount::ZERO,
        display_currency: Fiat::EUR,
        display_amount: Decimal::ZERO,
        display_fee: Decimal::ZERO,
        display_service_fee: Decimal::ZERO,
        deducted: zero,
        service_fee: zero,
        uniform_amount: "50".parse().unwrap(),
        uniform_service_fee: Decimal::ZERO,
        owner: None,
        screened_at: None,
        why: None,
        transaction_id: None,
        created_at: 1,
        approval,
        approved: None,
        asked_fee: None,
    }
}

/// Whether the payer asked for it, and the merchant refused.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    No,
    Yes,
    Refused,
}

fn charged(progress: Progress, approval: Option<Approval>, asked: Asked) -> Refund {
    let status = match progress {
        Progress::Cancelled => WithdrawalStatus::Failed,
        Progress::Failed => WithdrawalStatus::Blocked,
        _ => WithdrawalStatus::New,
    };
    let asked = ((asked != Asked::No).then_some(5), (asked == Asked::Refused).then(|| "no".to_owned()));
    Refund::charged(charge(status, approval), (progress, None), asked).unwrap()
}

fn payout(refund: &Refund, to: Option<&str>) -> Payout {
    let to_given = given(to.unwrap_or("sender"));
    refund.payout(Uuid::from_u128(3), BusinessId(Uuid::nil()), to_given, to.is_some(), 7)
}

#[test]
fn what_is_approved() {
    let check = |refund: Refund, expected: Result<bool, NotNow>| {
        assert_eq!(refund.can_be_approved(), expected, "{refund:?}");
    };
    check(automatic(WAITS), Err(NotNow::NeedsAddress));
    check(automatic(Phase::AboveLimit(Said::default())), Ok(true));
    check(automatic(Phase::Claimed(claim("payer", None))), Ok(true));
    for step in [Step::Queued, Step::Signed, Step::Sent, Step::Confirmed] {
        check(automatic(leaving(step, to_sender())), Ok(false));
        check(automatic(leaving(step, asked())), Ok(false));
        check(automatic(leaving(step, Said::default())), Err(NotNow::NeedsNoApproval));
    }
    check(automatic(Phase::Dropped(Said::default())), Err(NotNow::NeedsNoApproval));
    check(automatic(Phase::Ended(End::NotWorthItsFee, Said::default())), Err(NotNow::NeedsNoApproval));

    let (waiting, approved, rejected) =
        (Some(Approval::Waiting), Some(Approval::Approved), Some(Approval::Rejected));
    check(charged(Progress::Unaddressed, None, Asked::No), Err(NotNow::NeedsAddress));
    check(charged(Progress::Waiting, waiting, Asked::No), Ok(true));
    check(charged(Progress::Waiting, waiting, Asked::Yes), Ok(true));
    for progress in [Progress::Waiting, Progress::Signed, Progress::Sent, Progress::Final] {
        check(charged(progress, approved, Asked::Yes), Ok(false));
        check(charged(progress, None, Asked::No), Err(NotNow::NeedsNoApproval));
    }
    check(charged(Progress::Waiting, rejected, Asked::Refused), Err(NotNow::NeedsNoApproval));
    check(charged(Progress::Failed, rejected, Asked::No), Err(NotNow::NeedsNoApproval));
    check(charged(Progress::Cancelled, waiting, Asked::No), Err(NotNow::NeedsNoApproval));
}

#[test]
fn who_approves() {
    let check = |refund: Refund, above: Option<u8>, expected: bool| {
        let above = above.map(Decimal::from);
        assert_eq!(refund.is_approved_by_organisation(above), expected, "{above:?} {refund:?}");
    };
    let waiting = Some(Approval::Waiting);
    check(automatic(Phase::AboveLimit(Said::default())), Some(0), false);
    check(charged(Progress::Waiting, None, Asked::No), Some(0), false);
    check(charged(Progress::Waiting, waiting, Asked::No), None, true);
    check(charged(Progress::Waiting, waiting, Asked::Yes), None, false);
    check(charged(Progress::Waiting, waiting, Asked::Yes), Some(50), false);
    check(charged(Progress::Waiting, waiting, Asked::Yes), Some(49), true);
}

#[test]
fn what_gets_an_address() {
    let check = |refund: Refund, to: &str, expected: Result<bool, NotNow>| {
        assert_eq!(refund.can_be_addressed(&given(to)), expected, "{to} {refund:?}");
    };
    let none = Err(NotNow::NeedsNoAddress);
    check(automatic(WAITS), "there", Ok(true));
    check(automatic(Phase::AboveLimit(Said::default())), "there", Ok(true));
    check(automatic(Phase::Claimed(claim("payer", None))), "there", Ok(true));
    let decision = Decision { to: Some(given("there")), at: 1, gross: None };
    for step in [Step::Queued, Step::Signed, Step::Sent, Step::Confirmed] {
        let decided = || Said { claim: None, decision: Some(decision.clone()) };
        check(automatic(leaving(step, decided())), "there", Ok(false));
        check(automatic(leaving(step, decided())), "elsewhere", none);
        check(automatic(leaving(step, Said::default())), "there", none);
    }
    check(automatic(Phase::Ended(End::NotWorthItsFee, Said::default())), "there", none);

    check(charged(Progress::Unaddressed, None, Asked::No), "elsewhere", Ok(true));
    for progress in [Progress::Waiting, Progress::Signed, Progress::Sent, Progress::Final] {
        check(charged(progress, None, Asked::No), "there", Ok(false));
        check(charged(progress, None, Asked::No), "elsewhere", none);
    }
    check(charged(Progress::Waiting, Some(Approval::Waiting), Asked::Yes), "elsewhere", none);
    check(charged(Progress::Cancelled, None, Asked::No), "there", none);
}

#[test]
fn what_is_cancelled() {
    let check = |refund: Refund, expected: Result<bool, NotNow>| {
        assert_eq!(refund.can_be_cancelled(), expected, "{refund:?}");
    };
    check(automatic(WAITS), Err(NotNow::Automatic));
    check(automatic(leaving(Step::Queued, Said::default())), Err(NotNow::Automatic));
    check(charged(Progress::Unaddressed, None, Asked::No), Ok(true));
    check(charged(Progress::Waiting, Some(Approval::Waiting), Asked::Yes), Ok(true));
    check(charged(Progress::Waiting, Some(Approval::Rejected), Asked::Refused), Ok(true));
    check(charged(Progress::Waiting, Some(Approval::Approved), Asked::No), Ok(true));
    check(charged(Progress::Cancelled, None, Asked::No), Ok(false));
    for progress in [Progress::Signed, Progress::Sent, Progress::Confirmed, Progress::Final] {
        check(charged(progress, None, Asked::No), Err(NotNow::TooLate));
    }
    check(charged(Progress::Failed, None, Asked::No), Err(NotNow::TooLate));
}

#[test]
fn what_is_refused() {
    let check = |refund: Refund, expected: Result<Option<Phase>, NotNow>| {
        let name = format!("{refund:?}");
        let refused = refund.refused("no").map(|next| next.map(|refund| refund.phase));
        assert_eq!(refused, expected, "{name}");
    };
    let (none, why) = (Err(NotNow::NotAsked), NoRefundAddress::ClaimRefused);
    let refused = Phase::NeedsAddress { why, refused: Some(claim("payer", Some("no"))) };
    check(automatic(Phase::Claimed(claim("payer", None))), Ok(Some(refused.clone())));
    check(automatic(refused), Ok(None));
    check(automatic(WAITS), none.clone());
    check(automatic(Phase::AboveLimit(Said::default())), none.clone());
    for step in [Step::Queued, Step::Signed, Step::Sent, Step::Confirmed] {
        check(automatic(leaving(step, asked())), none.clone());
    }

    let (waiting, rejected) = (Some(Approval::Waiting), Some(Approval::Rejected));
    let refused = Phase::Refused(Some(claim("there", Some("no"))));
    check(charged(Progress::Waiting, waiting, Asked::Yes), Ok(Some(refused)));
    check(charged(Progress::Waiting, waiting, Asked::No), none.clone());
    check(charged(Progress::Waiting, rejected, Asked::No), none.clone());
    check(charged(Progress::Waiting, rejected, Asked::Refused), Ok(None));
    check(charged(Progress::Failed, rejected, Asked::Refused), Ok(None));
    for progress in [Progress::Waiting, Progress::Signed, Progress::Sent, Progress::Final] {
        check(charged(progress, Some(Approval::Approved), Asked::Yes), none.clone());
    }
}

/// What was approved, signed or sent is not asked for, and gets no second payout.
#[test]
fn nothing_leaves_twice() {
    let check = |phase: Phase| {
        let refund = automatic(phase);
        let payout = payout(&refund, Some("other"));
        assert_eq!(refund.clone().decided(&payout), Err(NotNow::NeedsNoAddress), "{refund:?}");
        assert_eq!(refund.clone().claimed(claim("payer", None)), Err(NotNow::NeedsNoAddress), "{refund:?}");
    };
    for step in [Step::Queued, Step::Signed, Step::Sent, Step::Confirmed] {
        check(leaving(step, asked()));
    }
    check(Phase::Refused(None));
    check(Phase::Dropped(asked()));
    check(Phase::Ended(End::NotWorthItsFee, Said::default()));
}

/// An address that nobody else saw is not approved: its amount may change.
#[test]
fn what_a_decision_approves() {
    let check = |refund: Refund, to: Option<&str>, is_approved: bool| {
        let (gross, why) = (refund.gross, format!("{:?} to {to:?}", refund.phase));
        let payout = payout(&refund, to);
        assert_eq!(payout.amount.atoms(), 7, "{why}");
        let queued = refund.decided(&payout).unwrap();
        assert_eq!(queued.phase.transfer().unwrap().payout, payout.id, "{why}");
        let expected = Decision { to: to.map(given), at: 7, gross: is_approved.then_some(gross) };
        assert_eq!(queued.phase.decision(), Some(&expected), "{why}");
    };
    let limit = || automatic(Phase::AboveLimit(Said::default()));
    let claimed = || automatic(WAITS).claimed(claim("payer", None)).unwrap();
    check(limit(), None, true);
    check(limit(), Some("other"), true);
    check(claimed(), Some("payer"), true);
    check(claimed(), Some("other"), false);
    check(claimed().refused("no").unwrap().unwrap(), Some("other"), false);
    check(automatic(WAITS), Some("other"), false);
}

#[test]
fn a_claim_is_forgotten_unless_it_was_refused_or_is_the_own_wallet() {
    let check = |refund: Refund, claim: Option<&str>| {
        assert_eq!(refund.phase.claim().map(|claim| &*claim.to.address), claim, "{refund:?}");
        assert!(refund.lasts(), "{refund:?}");
    };
    let claimed = || automatic(WAITS).claimed(claim("payer", None)).unwrap();
    let refused = || claimed().refused("no").unwrap().unwrap();
    check(automatic(WAITS), None);
    check(claimed(), Some("payer"));
    check(refused(), Some("payer"));
    check(refused().claimed(claim("other", None)).unwrap(), Some("other"));
    check(claimed().needs_address(WHY), None);
    check(refused().needs_address(WHY), Some("payer"));
    check(refused().needs_approval(), Some("payer"));
    let own = Claim { is_own_wallet: true, ..claim("sender", None) };
    let queued = || automatic(leaving(Step::Queued, Said { claim: Some(own.clone()), decision: None }));
    check(queued().needs_approval(), Some("sender"));
    check(queued().needs_address(WHY), None);
    let kept = automatic(Phase::Ended(End::NotWorthItsFee, Said::default()));
    assert_eq!((kept.returned(), automatic(WAITS).returned().atoms()), (Amount::ZERO, 10));
}

/// What waits for another approval goes where it was decided, never to an address that the merchant refused.
#[test]
fn what_is_decided_again() {
    let check = |claim: Option<Claim>, to: Option<&str>, expected: Phase| {
        let decision = Some(Decision { to: to.map(given), at: 7, gross: None });
        let refund = automatic(leaving(Step::Queued, Said { claim, decision }));
        assert_eq!(refund.undecided().unwrap().phase, expected, "{to:?}");
    };
    let decided = |address: &str| Phase::Claimed(Claim { at: 7, ..claim(address, None) });
    check(None, None, Phase::AboveLimit(Said::default()));
    check(None, Some("other"), decided("other"));
    check(Some(claim("payer", None)), Some("payer"), Phase::Claimed(claim("payer", None)));
    check(Some(claim("payer", None)), Some("other"), decided("other"));
    check(Some(claim("payer", Some("no"))), Some("other"), decided("other"));
    assert_eq!(automatic(leaving(Step::Queued, asked())).undecided(), None);
}

/// Planned again, it waits for what the payer asked for, and never goes by itself to an address that was refused.
#[test]
fn what_is_planned_again() {
    let deposit = deposit_from("sender");
    let check = |phase: Phase, expected: Option<Phase>| {
        let refund = automatic(phase);
        assert_eq!(refund.asked(&deposit), expected, "{refund:?}");
        if let Some(Phase::Claimed(claim)) = expected {
            assert_eq!(refund.kept(&deposit).claim, Some(claim), "{refund:?}");
        }
    };
    let claimed = |address: &str| Said { claim: Some(claim(address, None)), decision: None };
    let refused = |why| Phase::NeedsAddress { why, refused: Some(claim("payer", Some("no"))) };
    let said_no = || Said { claim: Some(claim("payer", Some("no"))), decision: None };
    check(Phase::Claimed(claim("payer", None)), Some(Phase::Claimed(claim("payer", None))));
    check(Phase::Dropped(claimed("payer")), Some(Phase::Claimed(claim("payer", None))));
    check(Phase::Ended(End::NotWorthItsFee, claimed("payer")), Some(Phase::Claimed(claim("payer", None))));
    check(Phase::Dropped(said_no()), Some(refused(NoRefundAddress::ClaimRefused)));
    check(Phase::Ended(End::NotWorthItsFee, said_no()), Some(refused(NoRefundAddress::ClaimRefused)));
    for why in NoRefundAddress::ALL {
        check(refused(why), Some(refused(why)));
    }
    check(WAITS, None);
    check(Phase::Dropped(claimed("sender")), Some(Phase::Claimed(claim("sender", None))));
    check(Phase::Ended(End::NotWorthItsFee, claimed("sender")), Some(Phase::Claimed(claim("sender", None))));
    let own = |address| Claim { is_own_wallet: true, ..claim(address, None) };
    let said_own = |address| Said { claim: Some(own(address)), decision: None };
    check(Phase::Dropped(said_own("sender")), None);
    check(Phase::Ended(End::NotWorthItsFee, said_own("sender")), None);
    // It is no longer where the deposit came from.
    check(Phase::Dropped(said_own("payer")), Some(Phase::Claimed(own("payer"))));
    check(Phase::Ended(End::NotWorthItsFee, Said::default()), None);
    check(leaving(Step::Queued, asked()), None);
}

/// A row that is read back is what was written.
#[test]
fn rows() {
    let check = |phase: Phase, payout: Option<Progress>| {
        let said = Said { claim: phase.claim().cloned(), decision: phase.decision().cloned() };
        let wait = phase.wait().map(|(word, why)| (word.as_str(), why));
        let sent = payout.zip(phase.transfer().cloned());
        assert_eq!(Phase::of_row(wait, phase.status().is_some(), said, sent), Some(phase));
    };
    for why in NoRefundAddress::ALL {
        check(Phase::NeedsAddress { why, refused: None }, None);
    }
    check(Phase::NeedsAddress { why: WHY, refused: Some(claim("payer", Some(""))) }, None);
    check(Phase::AboveLimit(Said::default()), None);
    let refused = Some(claim("payer", Some("no")));
    check(Phase::AboveLimit(Said { claim: refused, ..to_sender() }), None);
    let own = Some(Claim { is_own_wallet: true, ..claim("sender", None) });
    check(Phase::AboveLimit(Said { claim: own, decision: None }), None);
    check(Phase::Claimed(claim("payer", None)), None);
    for said in [Said::default(), asked(), to_sender()] {
        check(Phase::Dropped(said.clone()), None);
        check(Phase::Ended(End::NotWorthItsFee, said.clone()), None);
        check(leaving(Step::Queued, said.clone()), Some(Progress::Waiting));
        check(leaving(Step::Signed, said.clone()), Some(Progress::Signed));
        check(leaving(Step::Sent, said.clone()), Some(Progress::Sent));
        check(leaving(Step::Confirmed, said.clone()), Some(Progress::Confirmed));
        check(leaving(Step::Confirmed, said), Some(Progress::Final));
    }
    let limit = Phase::of_row(Some(("APPROVAL", "LIMIT_OF_ANOTHER_VERSION")), true, asked(), None);
    assert_eq!(limit, Some(Phase::AboveLimit(asked())), "an operator decides");
}
