//! Why it is not known where a refund would reach the payer.

crate::words! {
    /// Why a refund waits for an address: one to the sender of its deposit would not reach the payer, or nobody named any.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum NoRefundAddress {
        /// Nobody said yet that the sender is the payer's own wallet: an exchange sends from accounts of its own.
        UnconfirmedSender = "UNCONFIRMED_SENDER",
        /// The transaction does not show who sent it.
        UnknownSender = "UNKNOWN_SENDER",
        /// The sender is a contract, which may not know the payer or not be able to send money on.
        Contract = "CONTRACT",
        /// A contract sent it for somebody: only the trace of the transaction shows the transfer.
        InternalTransfer = "INTERNAL_TRANSFER",
        /// The sender demands a tag of everybody who pays it, and sent none.
        TagRequired = "TAG_REQUIRED",
        /// The sender accepts payments of accounts only that it knows.
        Closed = "CLOSED",
        /// The network refuses a payment to this address.
        Refused = "REFUSED",
        /// The payment to this address failed in its block.
        Reverted = "REVERTED",
        /// The screening blocks the address.
        Blocked = "BLOCKED",
        /// The sender is an account of this gateway.
        OwnAddress = "OWN_ADDRESS",
        /// The merchant refused the address that the payer named.
        ClaimRefused = "CLAIM_REFUSED",
        /// The merchant made the refund, and left its address to the payer.
        NotGiven = "NOT_GIVEN",
    }
}
