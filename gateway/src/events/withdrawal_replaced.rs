//! The callback of a withdrawal that another transaction paid than the one that was reported.

use super::{Event, withdrawal_ended};

pub(super) static EVENT: Event = Event {
    name: "withdrawalReplaced",
    title: "Withdrawal replaced",
    description: "Sent to `withdrawalCallbackUrl` when another transaction of a completed withdrawal is confirmed than the one that was \
        reported: one that waits too long is replaced by a transaction with a higher fee. The body is that of the first \
        callback with the new `transactionId`. The recipient is paid once.",
    schema: |generator| (withdrawal_ended::EVENT.schema)(generator),
};
