//! Helpers for the journeys.

pub(crate) mod asking;
pub(crate) mod axe;
pub(crate) mod browser;
pub(crate) mod browsers;
pub(crate) mod console;
pub(crate) mod developer;
pub(crate) mod driver;
pub(crate) mod engine;
pub(crate) mod faulty;
pub(crate) mod frame;
pub(crate) mod gateway;
pub(crate) mod keys;
pub(crate) mod languages;
pub(crate) mod logo;
pub(crate) mod merchant;
pub(crate) mod operator;
pub(crate) mod page;
pub(crate) mod places;
pub(crate) mod qr;
pub(crate) mod sandbox;
pub(crate) mod screenshot;
pub(crate) mod shop;
pub(crate) mod snapshot;
pub(crate) mod stage;
pub(crate) mod unguarded;
pub(crate) mod wait;
