//! The conversation with the page that embeds this one.

use crate::host::{HostEvent, HostMessage, PROTOCOL, Peer, VERSION};
use crate::opened::Opened;
use crate::page::{Page, Shared};
use crate::page_url::{Session, is_made_of};
use crate::screen::Screen;

/// Returns the sender of a greeting if that page may embed this payment and the greeting has a supported
/// form. After the first accepted loader, no other one is accepted.
pub(super) fn welcome(shared: &Shared, greeting: &HostMessage) -> Option<Peer> {
    let opened = shared.opened.as_ref()?;
    let understood = greeting.protocol == PROTOCOL && greeting.version == VERSION && greeting.kind == "hello";
    let named = is_made_of(&greeting.instance, 64, b"-_");
    let allowed = opened.allowed_origins.contains(&greeting.origin);
    let peer = Peer { origin: greeting.origin.clone(), instance: greeting.instance.clone() };
    let same = shared.host.peer.as_ref().is_none_or(|met| *met == peer);
    (shared.url.framed && understood && named && allowed && same).then_some(peer)
}

/// The changes since the last messages to the host.
pub(super) fn news(page: &mut Page) -> Vec<HostEvent> {
    let (screen, problem) = (page.screen(), page.state.problem());
    let has_claims = page.shared.opened.as_ref().is_some_and(Opened::has_claims);
    let way_back = page.shared.way_back().filter(|_| !has_claims).map(ToOwned::to_owned);
    let Shared { session, opened, host, .. } = &mut page.shared;
    let Some(Session { payment_id, .. }) = session else { return Vec::new() };
    let (mut news, told) = (Vec::new(), &mut host.told);
    if host.peer.is_none() {
        return news;
    }
    if host.height.is_some() && told.height != host.height {
        told.height = host.height;
        news.extend(host.height.map(|height| HostEvent::Resize { height }));
    }
    if told.problem != problem {
        told.problem = problem;
        news.extend(problem.map(|problem| HostEvent::Error { code: problem.code() }));
    }
    let Some(status) = opened.as_ref().filter(|_| problem.is_none()).map(|opened| &opened.status) else {
        return news;
    };
    if told.status.as_deref() != Some(status.as_str()) {
        told.status = Some(status.as_str().to_owned());
        news.push(HostEvent::Status { payment_id: payment_id.clone(), status: status.as_str().to_owned() });
    }
    if screen.is_complete() && !told.complete {
        let status = status.as_str().to_owned();
        // Paid twice, the payer reads what becomes of the second transfer.
        let redirect_url = way_back.filter(|_| screen != Screen::PaidTwice);
        news.push(HostEvent::Complete { payment_id: payment_id.clone(), status, redirect_url });
    }
    if screen == Screen::Expired && !told.expired {
        news.push(HostEvent::Expired { payment_id: payment_id.clone() });
    }
    told.complete |= screen.is_complete();
    told.expired = screen == Screen::Expired;
    news
}
