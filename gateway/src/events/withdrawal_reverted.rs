//! The callback of a withdrawal that was reported as completed and failed in its block.

use super::{Event, withdrawal_ended};

pub(super) static EVENT: Event = Event {
    name: "withdrawalReverted",
    title: "Withdrawal reverted",
    description: "Sent to `withdrawalCallbackUrl` when the transaction of a completed withdrawal is in a final block and moved \
        nothing: a contract refused it. The body is that of a `FAILED` withdrawal. The amount that was charged is back on the balance.",
    schema: |generator| (withdrawal_ended::EVENT.schema)(generator),
};
