import { Dialog } from "../dialogs/dialog";
import { Inbox } from "../inbox/inbox";
import { Money } from "../money/money";
import { Payments } from "../payments/payments";
import { VIEWS } from "../route";
import { state } from "../store";
import { World } from "../world/world";
import { Connection, Header } from "./header";
import { Toast } from "./toast";

const PAGES = { payments: Payments, inbox: Inbox, money: Money, world: World };

export function App() {
  const { view, id } = state.route;
  const Page = PAGES[view];
  const hasList = view === "payments" || view === "inbox";
  return (
    <div class={`console ${view}${id ? " chosen" : ""}`}>
      <Header />
      <Connection />
      <main class={hasList ? "split" : "plain"} key={view}>
        <h1 class="offscreen">{VIEWS[view].label}</h1>
        <Page />
      </main>
      <Dialog />
      <Toast />
    </div>
  );
}
