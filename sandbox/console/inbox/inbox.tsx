import { clearInbox } from "../actions/inbox";
import { ActionButton } from "../components/button";
import { Icon } from "../../../www/desk/components/icon";
import { BackLink, Empty, Loading } from "../../../www/desk/components/panel";
import { age } from "../../../www/desk/format";
import { SIGNATURE, labelOf } from "../../../www/desk/labels";
import type { Delivery } from "../model";
import { state } from "../store";
import { Answers } from "./answers";
import { DeliveryDetail } from "./delivery";

/** The built-in receiver of callbacks. */
export const Inbox = () => (
  <>
    <section class="side" aria-label="Deliveries">
      <Answers />
      <Deliveries />
    </section>
    <section class="stage" key={state.route.id} aria-label="Delivery">
      <Chosen />
    </section>
  </>
);

/** The delivery in the URL: by its own id, or the newest one of a callback. */
const chosenDelivery = (): Delivery | undefined =>
  state.inbox?.find(({ id }) => id === state.route.id) ?? state.inbox?.find(({ webhookId }) => webhookId === state.route.id);

function Deliveries() {
  if (state.inbox === null) return <Loading rows={3} />;
  if (state.inbox.length === 0) {
    return (
      <Empty
        icon="inbox"
        title="Nothing arrived yet"
        text="Callbacks of the sandbox's business arrive here, unless it was started with a callback URL of yours."
      />
    );
  }
  const chosen = chosenDelivery();
  return (
    <>
      <ul class="rows-list">
        {state.inbox.map((delivery) => (
          <Row key={delivery.id} delivery={delivery} isChosen={delivery.id === chosen?.id} />
        ))}
      </ul>
      <p class="more">
        <ActionButton name="clear" action={clearInbox} part="clear">
          Empty the inbox
        </ActionButton>
      </p>
    </>
  );
}

function Row({ delivery, isChosen }: { delivery: Delivery; isChosen: boolean }) {
  const { id, verdict, event, answered, receivedAt } = delivery;
  const label = labelOf(SIGNATURE, verdict);
  return (
    <li>
      <a class="row" href={`#/inbox/${id}`} aria-current={isChosen ? "true" : undefined} data-part="delivery" data-value={verdict}>
        <span class={`mark ${label.tone}`}>
          <Icon name={label.icon} />
        </span>
        <span class="row-name">{event ?? "Unknown event"}</span>
        <span class="row-amount">
          <span class={answered < 300 ? "pill good" : "pill bad"} data-part="answered" data-value={answered}>
            {answered}
          </span>
        </span>
        <span class={`row-state ${label.tone}`}>{label.word}</span>
        <span class="row-note" />
        <span class="row-age">{age(receivedAt)}</span>
      </a>
    </li>
  );
}

function Chosen() {
  const delivery = chosenDelivery();
  if (delivery) return <DeliveryDetail key={delivery.id} delivery={delivery} />;
  const isMissing = state.route.id !== null && state.inbox !== null;
  return (
    <div class="panel hollow">
      {isMissing ? (
        <>
          <BackLink href="#/inbox">All deliveries</BackLink>
          <Empty icon="inbox" title="Not in the inbox" text="It was not delivered here, or not yet." />
        </>
      ) : (
        <Empty icon="inbox" title="Choose a delivery" text="Its headers, exact body and signature are shown here." />
      )}
    </div>
  );
}
