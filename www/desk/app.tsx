// The frame of the desk: who is signed in, which business, which view.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Session, loadSession, signOut } from "./api";
import { tellBy, tellFailure } from "./announce";
import { Icon } from "./components/icon";
import { Failure } from "./components/list";
import { Drawer } from "./drawer";
import { Audit } from "./screens/audit";
import { Balances } from "./screens/balances";
import { Business } from "./screens/business";
import { Businesses } from "./screens/businesses";
import { Callbacks } from "./screens/callbacks";
import { Deposits } from "./screens/deposits";
import { Ledger } from "./screens/ledger";
import { Payment } from "./screens/payment";
import { Payments } from "./screens/payments";
import { Refunds } from "./screens/refunds";
import { Sales } from "./screens/sales";
import { SignIn } from "./screens/sign_in";
import { System } from "./screens/system";
import { Withdrawal } from "./screens/withdrawal";
import { Withdrawals } from "./screens/withdrawals";
import { type Desk, DeskContext, useRoute, words } from "./use";

const SHOWN_MILLIS = 4_000;

/** From this width the drawer leaves room for the desk. */
const WIDE = matchMedia("(min-width: 1200px)");

interface View {
  label: string;
  icon: string;
  screen: () => preact.JSX.Element;
  /** One of the list. */
  one?: (props: { id: string }) => preact.JSX.Element;
  managers?: boolean;
  /** Shown without any business, too. */
  always?: boolean;
}

const VIEWS: Record<string, View> = {
  payments: { label: "Payments", icon: "list", screen: Payments, one: Payment },
  deposits: { label: "Deposits", icon: "flag", screen: Deposits },
  refunds: { label: "Refunds", icon: "resend", screen: Refunds },
  withdrawals: { label: "Withdrawals", icon: "send", screen: Withdrawals, one: Withdrawal },
  sales: { label: "Sales", icon: "link", screen: Sales },
  callbacks: { label: "Callbacks", icon: "inbox", screen: Callbacks },
  balances: { label: "Balances", icon: "wallet", screen: Balances },
  ledger: { label: "Ledger", icon: "gauge", screen: Ledger },
  businesses: { label: "Businesses", icon: "key", screen: Businesses, one: Business, always: true },
  system: { label: "Networks", icon: "world", screen: System, always: true },
  audit: { label: "Audit log", icon: "lock", screen: Audit, managers: true, always: true },
};

export function App() {
  const [session, setSession] = useState<Session | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const [business, setBusiness] = useState("");
  const load = useCallback(async () => {
    try {
      setSession(await loadSession());
      setFailure(null);
    } catch (error) {
      setFailure(error as Error);
      setTimeout(load, 2_000);
    }
  }, []);
  useEffect(() => void load(), []);
  const operator = session?.operator;
  const businesses = operator?.businesses ?? [];
  const chosen = businesses.find(({ id }) => id === business) ?? businesses[0];
  return (
    <div class="desk">
      {failure && <Failure error={failure} />}
      {session && !operator && <SignIn session={session} done={setSession} />}
      {session && operator && (
        <Signed
          desk={{ operator, business: chosen?.id ?? "", refresh: load, signedOut: () => setSession({ ...session, operator: null }) }}
          sandbox={session.sandbox}
          choose={setBusiness}
          reload={load}
        />
      )}
      <Messages />
    </div>
  );
}

interface SignedProps {
  desk: Desk;
  /** Nobody signs in or out there. */
  sandbox: boolean;
  choose: (id: string) => void;
  reload: () => Promise<void>;
}

function Signed({ desk, sandbox, choose, reload }: SignedProps) {
  const { view, id } = useRoute();
  const { operator, business } = desk;
  const views = Object.entries(VIEWS).filter(
    ([, { managers, always }]) => (!managers || operator.role === "manager") && (always || business !== ""),
  );
  const shown = views.some(([name]) => name === view) ? view : views[0]![0];
  const { label, screen: Screen, one: One } = VIEWS[shown]!;
  const [hasDrawer, setDrawer] = useState(sandbox && WIDE.matches);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // On a phone the row of views is longer than the screen.
    const reveal = () => {
      const views = document.querySelector<HTMLElement>(".nav");
      const link = views?.querySelector<HTMLElement>("[aria-current]");
      if (views && link) views.scrollLeft = link.offsetLeft - views.offsetLeft - (views.clientWidth - link.clientWidth) / 2;
    };
    reveal();
    addEventListener("resize", reveal);
    return () => removeEventListener("resize", reveal);
  }, [shown]);
  useEffect(() => {
    document.title = `${label} · Desk`;
    scrollTo(0, 0);
    // The link that was followed may be gone: what is read next begins here.
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [shown, id]);
  const leave = async () => {
    try {
      await signOut();
    } catch (error) {
      tellFailure(words(error as Error));
    }
    await reload();
  };
  return (
    <DeskContext.Provider value={desk}>
      <header class="top">
        <a
          class="skip"
          href="#main"
          onClick={(event) => {
            event.preventDefault();
            main.current?.focus();
          }}
        >
          Skip to the content
        </a>
        <div class="brand">
          <Icon name="wallet" />
          <strong>Desk</strong>
        </div>
        <nav class="nav" aria-label="Views">
          {views.map(([name, { label, icon }]) => (
            <a key={name} href={`#/${name}`} aria-current={name === shown ? "page" : undefined} data-part="view" data-value={name}>
              <Icon name={icon} />
              <span>{label}</span>
            </a>
          ))}
        </nav>
        <div class="who">
          {operator.businesses.length > 1 && (
            <span class="pick">
              <select
                aria-label="Business"
                value={business}
                data-part="business"
                onChange={(event) => choose(event.currentTarget.value)}
              >
                {operator.businesses.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
              <Icon name="chevron-down" />
            </span>
          )}
          {sandbox && (
            <button
              type="button"
              class="act plain"
              aria-expanded={hasDrawer}
              aria-controls="drawer"
              onClick={() => setDrawer(!hasDrawer)}
              data-part="simulator"
            >
              <Icon name="sandbox" />
              <span>Simulator</span>
            </button>
          )}
          <span class="who-name" data-part="operator" data-value={operator.role}>
            {operator.name}, {operator.role}
          </span>
          {!sandbox && (
            <button type="button" class="act plain" onClick={() => void leave()} data-part="sign-out">
              <Icon name="lock" />
              <span>Sign out</span>
            </button>
          )}
        </div>
      </header>
      <main class={hasDrawer ? "with-drawer" : undefined} key={`${shown} ${business}`} ref={main} tabIndex={-1}>
        {One && id ? (
          <One id={id} key={id} />
        ) : (
          <>
            <h1 class="offscreen">{label}</h1>
            <Screen />
          </>
        )}
      </main>
      {hasDrawer && <Drawer close={() => setDrawer(false)} />}
    </DeskContext.Provider>
  );
}

/** The last message. Failures stay until they are dismissed. */
function Messages() {
  const [message, setMessage] = useState<{ text: string; failed: boolean } | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    tellBy((text, { failed }) => {
      clearTimeout(timer);
      setMessage({ text, failed });
      // This element is in the page from the start: screen readers ignore live regions that are added with their text.
      document.getElementById("announcement")!.textContent = text;
      if (!failed) timer = setTimeout(() => setMessage(null), SHOWN_MILLIS);
    });
  }, []);
  return (
    <section class="messages" aria-label="Messages">
      {message && (
        <div class={message.failed ? "message bad" : "message"} data-part="message" data-value={message.failed ? "bad" : "good"}>
          <Icon name={message.failed ? "warning" : "check"} />
          <span>{message.text}</span>
          <button type="button" aria-label="Dismiss" onClick={() => setMessage(null)}>
            <Icon name="cross" />
          </button>
        </div>
      )}
    </section>
  );
}
