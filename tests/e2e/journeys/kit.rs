//! The kit of static files, in front of servers that are not our gateway: see `support/kit.rs`.

mod embedded;
mod faults;
mod handled;
mod inline;
mod kept;
mod our_gateway;
mod paying;
mod shown;
mod window;
