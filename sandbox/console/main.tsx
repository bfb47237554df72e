// Starts the console: renders the page, follows the URL, and polls the gateway.
import { render } from "preact";
import { tellBy } from "../../www/desk/announce";
import { App } from "./components/app";
import { say } from "./message";
import { poll, refresh } from "./poll";
import { VIEWS, routeOf } from "./route";
import { onUpdate, state, update } from "./store";

/** Clocks and ages on the page update once a second. */
const TICK_MILLIS = 1_000;

/** Below this width a chosen row replaces the list. */
const NARROW = matchMedia("(max-width: 899px)");

const root = document.getElementById("console")!;

function draw(): void {
  render(<App />, root);
  const { view } = state.route;
  const order = view === "payments" && state.detail ? `${state.detail.payment.clientPaymentId} · ` : "";
  document.title = `${order}${VIEWS[view].label} · Sandbox console`;
}

/** Shows the view in the URL. */
function navigate(): void {
  const before = state.route;
  const route = routeOf(location.hash);
  const isOtherView = route.view !== before.view;
  const isOtherId = route.id !== before.id;
  if (isOtherView || isOtherId) {
    const message = state.message?.failed ? null : state.message;
    update({ route, detail: null, detailMissing: false, showRawBody: false, dialog: null, message });
  }
  if (isOtherView) scrollTo(0, 0);
  void refresh().then(() => {
    if (route.id && isOtherId && NARROW.matches) startAtTop();
  });
}

function startAtTop(): void {
  scrollTo(0, 0);
  root.querySelector<HTMLElement>(".stage h2")?.focus();
}

tellBy(say);
onUpdate(draw);
draw();
addEventListener("hashchange", navigate);
for (const event of ["online", "pageshow", "focus"]) addEventListener(event, () => void poll());
document.addEventListener("visibilitychange", () => void poll());
setInterval(draw, TICK_MILLIS);
navigate();
