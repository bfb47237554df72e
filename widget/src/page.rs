//! The page: its state, and the facts that all states share.

use checkout_wire::RateType;
use checkout_wire::rules::DEFAULT_EXPIRATION_MINUTES;

use crate::clock::{Clock, Millis};
use crate::connection::Connection;
use crate::host::Host;
use crate::opened::Opened;
use crate::page_url::{PageUrl, Session, safe_redirect, support_link};
use crate::screen::{Field, Screen};
use crate::state::{Copied, State};

#[derive(Clone, Debug)]
pub struct Page {
    pub state: State,
    pub shared: Shared,
}

/// The facts that are independent of the screen.
#[derive(Clone, Debug)]
pub struct Shared {
    /// The time of the last event.
    pub now: Millis,
    /// The device's clock at the last wake, only to detect that the device slept.
    pub wall: Option<Millis>,
    pub woke_at: Millis,
    pub url: PageUrl,
    /// `None` until the page has started, and for a URL without payment or token.
    pub session: Option<Session>,
    pub clock: Clock,
    pub connection: Connection,
    pub host: Host,
    pub opened: Option<Opened>,
    pub announcement: Option<Announcement>,
    /// The last copy from what is shown.
    pub copied: Option<Copied>,
    /// The seconds left at the last event, to detect marks that were passed.
    pub last_left: Option<u64>,
    /// Presses before then decide nothing: something else stood in their place a moment ago.
    pub settles_at: Millis,
    /// A stale amount is not renewed before.
    pub renews_at: Millis,
}

/// The current announcement to users of screen readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Announcement {
    pub what: Say,
    pub until: Millis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Say {
    Screen,
    Copied {
        field: Field,
        done: bool,
    },
    SecondsLeft(u64),
    Offline,
    Online,
    Notice,
    /// A transfer is no longer on the network.
    Vanished,
    /// The currency was changed on another page.
    Changed,
    /// No wallet has opened.
    NoWallet,
}

impl Page {
    /// The page before it has started.
    pub fn new(seed: u32) -> Self {
        let shared = Shared {
            now: 0,
            wall: None,
            woke_at: 0,
            url: PageUrl::default(),
            session: None,
            clock: Clock::default(),
            connection: Connection::new(0, seed),
            host: Host::default(),
            opened: None,
            announcement: None,
            copied: None,
            last_left: None,
            settles_at: 0,
            renews_at: 0,
        };
        Self { state: State::Opening, shared }
    }

    pub fn screen(&self) -> Screen {
        self.state.screen()
    }

    /// Whether the page shows the countdown. While the payer still chooses, only when the end is near.
    pub fn counts_down(&self) -> bool {
        match self.state {
            State::Paying(_) => {
                self.shared.opened.as_ref().is_some_and(|opened| opened.window_end().is_some())
            }
            State::Choosing(_) => self.shared.seconds_left().is_some_and(|left| left <= 300),
            _ => false,
        }
    }
}

impl Shared {
    /// Whether what the payer sees has changed so recently that a press may be meant for what was there before.
    pub fn is_settling(&self) -> bool {
        self.now < self.settles_at
    }

    /// Milliseconds to the end of the window; `None` if it has no end or the time is not known.
    pub fn millis_left(&self) -> Option<u64> {
        let end = self.opened.as_ref()?.window_end()?;
        let now = self.clock.server_time(self.now)?;
        Some((end * 1_000).saturating_sub(now))
    }

    /// Whether the amount no longer pays although the window lasts: at a floating rate it does for half an hour.
    pub fn is_stale(&self) -> bool {
        let floating =
            |opened: &&Opened| opened.payment.rate_type == RateType::Floating && !opened.is_reusable();
        let quoted =
            self.opened.as_ref().filter(floating).and_then(|opened| opened.payment.payment_requested_at);
        let age =
            quoted.zip(self.clock.server_time(self.now)).map(|(at, now)| now.saturating_sub(at.0 * 1_000));
        age >= Some(1_000 * 60 * u64::from(DEFAULT_EXPIRATION_MINUTES))
    }

    /// Whole seconds to the end of the window, rounded down.
    pub fn seconds_left(&self) -> Option<u64> {
        Some(self.millis_left()? / 1_000)
    }

    /// The redirect after completion, if it is allowed from this page.
    pub fn way_back(&self) -> Option<&str> {
        let url = self.opened.as_ref()?.payment.redirect_url.as_deref()?;
        safe_redirect(url, self.url.secure)
    }

    /// The merchant's help for this payment.
    pub fn support(&self) -> Option<String> {
        let opened = self.opened.as_ref()?;
        support_link(opened.support_url.as_deref()?, &opened.payment.client_payment_id, self.url.secure)
    }
}
