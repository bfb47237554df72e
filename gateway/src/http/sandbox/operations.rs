//! What the control API says of itself.

use checkout_core::wire::list_rates::ExchangeRate;
use checkout_core::wire::sandbox::{
    AdvanceClock, ChainHeight, DropBlocks, DropTransfer, FlagSender, FlaggedSender, GatewayTime, MineBlocks,
    SendTransfer, SentTransfer, SetRate,
};
use schemars::JsonSchema;

use crate::http::openapi::operation::{Operation, Tag};

fn control<T: JsonSchema>(id: &'static str, summary: &'static str, about: &'static str) -> Operation {
    Operation::new(id, Tag::Sandbox, summary, about)
        .takes::<T>()
        .refuses(403, &["cross_origin", "unknown_host"])
        .refuses(503, &["store_unavailable", "chain_unavailable"])
}

pub(in crate::http) fn transfers() -> Operation {
    let about = "An unconfirmed transfer appears on its chain.";
    control::<SendTransfer>("sandboxSendTransfer", "Send a transfer", about)
        .answers::<SentTransfer>(200, "The transfer was seen.")
}

pub(in crate::http) fn blocks() -> Operation {
    let about = "Mines blocks; the first confirms what is pending.";
    control::<MineBlocks>("sandboxMineBlocks", "Mine blocks", about)
        .answers::<ChainHeight>(200, "The new height.")
}

pub(in crate::http) fn reorgs() -> Operation {
    let about = "Drops the last blocks; their transfers are pending again.";
    control::<DropBlocks>("sandboxReorganise", "Reorganise a chain", about)
        .answers::<ChainHeight>(200, "The new height.")
}

pub(in crate::http) fn drops() -> Operation {
    let about =
        "The transfer vanishes (double spend). One that the gateway sent is sent again until it is final.";
    control::<DropTransfer>("sandboxDropTransfer", "Drop a transfer", about)
        .answers::<SentTransfer>(200, "The transfer is gone.")
        .refuses(404, &["not_found"])
}

pub(in crate::http) fn flags() -> Operation {
    let about = "From now on deposits from this address are held: their callback is not sent and they do not count, until \
        `checkout flagged release`. Withdrawals to it are `BLOCKED`.";
    control::<FlagSender>("sandboxFlagSender", "Flag a sender", about)
        .answers::<FlaggedSender>(200, "What holds from now on.")
}

pub(in crate::http) fn clock() -> Operation {
    let about = "Moves the gateway's clock forward, for good; windows that are over then end.";
    control::<AdvanceClock>("sandboxAdvanceClock", "Advance the clock", about)
        .answers::<GatewayTime>(200, "The gateway's time.")
}

pub(in crate::http) fn rates() -> Operation {
    let about = "Sets the rate of a cryptocurrency in a fiat currency, for good.";
    control::<SetRate>("sandboxSetRate", "Set a rate", about).answers::<ExchangeRate>(200, "The rate.")
}
