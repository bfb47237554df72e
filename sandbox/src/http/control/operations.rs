//! The control API's part of the OpenAPI document.

use aide::transform::TransformOperation;
use checkout_gateway::http::openapi::operation::Describe as _;
use checkout_gateway::http::openapi::tag;

type Operation<'a> = TransformOperation<'a>;

fn control<'a>(operation: Operation<'a>, id: &str, summary: &str, about: &str) -> Operation<'a> {
    operation
        .id(id)
        .tag(tag::SANDBOX)
        .summary(summary)
        .description(about)
        .refuses(403, &["cross_origin", "unknown_host"])
        .refuses(503, &["store_unavailable", "outcome_unknown", "chain_unavailable"])
}

pub(in crate::http) fn transfers(operation: Operation<'_>) -> Operation<'_> {
    let about = "Broadcasts an unconfirmed transfer.";
    control(operation, "sandboxSendTransfer", "Send a transfer", about)
}

pub(in crate::http) fn blocks(operation: Operation<'_>) -> Operation<'_> {
    let about = "Mines blocks. The first one confirms all pending transfers.";
    control(operation, "sandboxMineBlocks", "Mine blocks", about)
}

pub(in crate::http) fn reorgs(operation: Operation<'_>) -> Operation<'_> {
    let about = "Drops the last blocks. Their transfers are pending again.";
    control(operation, "sandboxReorganise", "Reorganise a chain", about)
}

pub(in crate::http) fn drops(operation: Operation<'_>) -> Operation<'_> {
    let about =
        "Removes a transfer (double spend). The gateway sends its own transfers again until they are final.";
    control(operation, "sandboxDropTransfer", "Drop a transfer", about).refuses(404, &["not_found"])
}

pub(in crate::http) fn reverts(operation: Operation<'_>) -> Operation<'_> {
    let about = "Lets the transaction of a withdrawal or a refund revert: its block has it, and it moves nothing. Once the block \
        is final, a withdrawal is `FAILED` and its money is back on the balance.";
    control(operation, "sandboxRevert", "Revert a payout", about).refuses(404, &["not_found"])
}

pub(in crate::http) fn fees(operation: Operation<'_>) -> Operation<'_> {
    let about = "Sets what a network asks for a transaction, permanently. Refunds pay it.";
    control(operation, "sandboxSetFee", "Set the fee of a network", about)
}

pub(in crate::http) fn flags(operation: Operation<'_>) -> Operation<'_> {
    let about = "Makes the screening flag an address. Deposits from it are held, without a callback, until \
        `checkout flagged release`. Withdrawals to it are `BLOCKED`.";
    control(operation, "sandboxFlagSender", "Flag a sender", about)
}

pub(in crate::http) fn clock(operation: Operation<'_>) -> Operation<'_> {
    let about = "Advances the clock of the gateway permanently. Payments expire accordingly.";
    control(operation, "sandboxAdvanceClock", "Advance the clock", about)
}

pub(in crate::http) fn rates(operation: Operation<'_>) -> Operation<'_> {
    let about = "Sets the rate of a cryptocurrency in a fiat currency permanently.";
    control(operation, "sandboxSetRate", "Set a rate", about)
}
