//! The checkout as a pure machine: what it becomes, asks for, says and draws. No browser.

mod choosing;
mod embedding;
mod leaving;
mod never_deaf;
mod paying;
mod payments;
mod player;
mod starting;
mod watching;
mod words;
