import { now } from "../api";
import { openDialog } from "../actions/dialog";
import { duration, time } from "../../../www/desk/format";
import { waitingDeposits } from "../money/held";
import { VIEWS } from "../route";
import { state } from "../store";
import { ActionButton } from "./button";
import { Icon } from "../../../www/desk/components/icon";

export const Header = () => (
  <header class="top">
    <div class="brand">
      <Icon name="sandbox" />
      <strong>Sandbox console</strong>
      <span class="brand-note">simulated chains, no real money</span>
    </div>
    <nav class="nav" aria-label="Views">
      {Object.entries(VIEWS).map(([view, { label, icon }]) => (
        <a
          key={view}
          href={`#/${view}`}
          aria-current={state.route.view === view ? "page" : undefined}
          data-part="view"
          data-value={view}
        >
          <Icon name={icon} />
          <span>{label}</span>
          {view === "money" && <HeldCount />}
        </a>
      ))}
      <a href="/desk" data-part="desk">
        <Icon name="gauge" />
        <span>Desk</span>
      </a>
    </nav>
    <Clock />
    <ActionButton name="open new" action={() => openDialog("new")} icon="plus" tone="primary" part="new">
      New<span class="from-tablet"> payment</span>
    </ActionButton>
  </header>
);

/** Deposits that wait for a decision. */
function HeldCount() {
  const count = waitingDeposits();
  if (count === 0) return null;
  return (
    <span class="pill warn" data-part="held-count" data-value={count}>
      {count}
      <span class="offscreen"> held</span>
    </span>
  );
}

function Clock() {
  const ahead = state.overview?.clockAheadSeconds ?? 0;
  return (
    <p class="gateway-clock" title="The gateway's clock">
      <Icon name="clock" />
      <span data-part="clock">{state.connected === null ? "–" : time(now())}</span>
      {ahead > 0 && (
        <span class="pill warn" data-part="ahead" data-value={ahead}>
          +{duration(ahead)}
        </span>
      )}
    </p>
  );
}

/** Shown when the gateway does not answer. */
export function Connection() {
  const offline = state.connected === false;
  return (
    <p class={offline ? "lost" : "lost fine"} role="status" data-part="connection" data-value={offline ? "offline" : "online"}>
      {offline && (
        <>
          <Icon name="offline" />
          <span>
            The gateway does not answer{state.answeredAt > 0 && ` since ${time(state.answeredAt)}`}. This page keeps trying.
          </span>
        </>
      )}
    </p>
  );
}
