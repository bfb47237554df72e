//! A deposit in the list of all.

use checkout_domain::chain::screening::{AddressOwner, Screening};
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::ports::payments::ListedDeposit as Listed;
use checkout_wire::list_deposits::{DepositDecision, HeldFor, ListedDeposit};
use checkout_wire::payment::DepositHold;

use crate::render::payment;

pub fn listed(listed: &Listed) -> ListedDeposit {
    let deposit = &listed.deposit;
    ListedDeposit {
        deposit: payment::deposit(deposit, listed.refund.as_ref(), listed.fiat),
        payment_id: listed.payment.to_string().into(),
        client_payment_id: listed.client_payment_id.as_str().into(),
        network: deposit.output.network.into(),
        held_for: held_for(deposit),
        sender_owner: deposit.sender.as_ref().filter(|_| deposit.screening.is_held()).map(owner),
        decision: match deposit.screening {
            Screening::Releasing => Some(DepositDecision::Release),
            Screening::Refusing => Some(DepositDecision::Refuse),
            _ => None,
        },
        refused: deposit.screening == Screening::Refused,
    }
}

fn owner(owner: &AddressOwner) -> String {
    format!("{}, {}", owner.name, owner.category)
}

fn held_for(deposit: &Deposit) -> Option<HeldFor> {
    deposit.screening.is_held().then_some(match deposit.hold {
        Some(DepositHold::Currency) => HeldFor::Currency,
        Some(DepositHold::Network) => HeldFor::Network,
        Some(DepositHold::Amount) => HeldFor::Amount,
        None => HeldFor::Sender,
    })
}
