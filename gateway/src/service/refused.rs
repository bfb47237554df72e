//! Reasons for refusing a merchant's request.

use checkout_core::Network;
use checkout_domain::payment::refund_steps::NotNow;
use checkout_domain::ports::StoreError;
use checkout_wire::FieldError;

use crate::service::transfers::missing_rate::MissingRate;

/// An id that the merchant chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientId {
    Payment,
    Withdrawal,
    Refund,
    Address,
    SaleLink,
    CounterSale,
}

impl ClientId {
    /// The field of the request.
    pub fn field(self) -> &'static str {
        match self {
            Self::Payment => "clientPaymentId",
            Self::Withdrawal => "clientWithdrawalId",
            Self::Refund => "clientRefundId",
            Self::Address => "clientAddressId",
            Self::SaleLink => "clientLinkId",
            Self::CounterSale => "saleNumber",
        }
    }
}

#[derive(Debug)]
pub enum Refused {
    Invalid(Vec<FieldError>),
    /// The address in this field is an account of this gateway.
    OwnAddress(&'static str),
    /// The address, tag or amount are not those that were seen.
    AddressChanged,
    /// Who asked for it does not approve it.
    SameInitiator,
    /// The business is disabled.
    Disabled,
    /// Another request used the same merchant's id.
    Taken(ClientId),
    /// The network has no payouts at the moment.
    NetworkUnavailable(Network),
    NoRate(MissingRate),
    /// The payment does not exist, or the caller cannot access it.
    NoPayment,
    /// The payer can still be asked for the price.
    PaymentOpen,
    /// Everything that was received is given back, or nothing was received.
    NothingToRefund,
    /// The refund does not exist, or the caller cannot access it.
    NoRefund,
    /// The refund is in no state for this: the end of a sentence.
    RefundState(&'static str),
    /// The payment has nothing like this that its payer can ask for.
    NoClaim,
    /// It was asked for before, to another address.
    Claimed,
    /// It cannot be paid out at the moment.
    NotClaimable,
    /// The business pays to whitelisted addresses only.
    NotWhitelisted,
    /// A limit of the business: an operator has to send it.
    RefundLimit,
    /// The sale link does not exist, or the caller cannot access it.
    NoSaleLink,
    /// The counter was withdrawn.
    NoCounter,
    /// Another sale link has this slug.
    SlugTaken,
    /// Only an organisation key approves what is above a limit.
    OnlyOrganisation,
    Store(StoreError),
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<NotNow> for Refused {
    fn from(why: NotNow) -> Self {
        Self::RefundState(why.as_str())
    }
}

impl From<FieldError> for Refused {
    fn from(error: FieldError) -> Self {
        Self::Invalid(vec![error])
    }
}

/// Refuses a request that breaks a rule.
pub fn no_errors(errors: impl IntoIterator<Item = FieldError>) -> Result<(), Refused> {
    let errors: Vec<FieldError> = errors.into_iter().collect();
    if errors.is_empty() { Ok(()) } else { Err(Refused::Invalid(errors)) }
}

/// A created object, or the one that an identical request created before.
#[derive(Debug)]
pub struct Created<T> {
    pub body: T,
    pub replayed: bool,
}
