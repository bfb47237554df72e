import { mine, reorganise, transfer, unflag } from "../actions/chain";
import { ActionButton } from "../components/button";
import { Field, Form, Input } from "../components/form";
import { Icon } from "../../../www/desk/components/icon";
import { Panel } from "../../../www/desk/components/panel";
import { sampleAddress } from "../currencies";
import type { PaymentDetail, Quote } from "../model";
import { isFlagged } from "../money/flagged_senders";
import { ClockControls } from "../world/clock";
import { OtherTransfer } from "./other_transfer";

interface SimulateProps {
  detail: PaymentDetail;
  quote: Quote;
}

/** Actions of payer, chain and clock. */
export const Simulate = ({ detail, quote }: SimulateProps) => (
  <Panel title="Simulate" part="act">
    <Payer detail={detail} quote={quote} />
    <ChainControls network={quote.network} />
    <ClockControls heading="Clock of the gateway" windowEnd={detail.windowEnd} status={detail.payment.status} />
  </Panel>
);

function Payer({ detail, quote }: SimulateProps) {
  const isDue = quote.remaining !== "0";
  const pay = async (amount: string) => {
    const current = detail.addresses.find((address) => address.current);
    if (!current) return;
    const { network, address, destinationTag } = current;
    return transfer({ network, currency: quote.currency, address, tag: destinationTag, amount });
  };
  const amounts: [label: string, amount: string, part: string, tone: string][] = [
    [isDue ? "Pay the rest" : "Pay it again", quote.tryExact, "pay-exact", "primary"],
    ["Pay half", quote.tryHalf, "pay-half", "plain"],
    ["Pay too much", quote.tryMore, "pay-more", "plain"],
  ];
  return (
    <div class="hand">
      <h3>Payer</h3>
      <div class="thirds">
        {amounts.map(([label, amount, part, tone]) => (
          <ActionButton key={part} name="pay" action={() => pay(amount)} tone={`${tone} tall`} part={part}>
            <span class="two">
              <b>{label}</b>
              <small>
                {amount} {quote.currency}
              </small>
            </span>
          </ActionButton>
        ))}
      </div>
      <OtherTransfer addresses={detail.addresses} currency={quote.currency} />
      <SenderIsFlagged network={quote.network} />
    </div>
  );
}

/** The buttons pay from one sender. If it is flagged, explains the consequence. */
function SenderIsFlagged({ network }: { network: string }) {
  const sender = sampleAddress(network);
  if (!sender || !isFlagged(network, sender)) return null;
  return (
    <div class="held-note" data-part="usual-is-flagged">
      <p>
        <Icon name="flag" />
        <span>The default sender on {network} is flagged: what these buttons pay is held.</span>
      </p>
      <div class="acts">
        <ActionButton name="unflag" action={() => unflag(network, sender)}>
          Remove the flag
        </ActionButton>
      </div>
    </div>
  );
}

const ChainControls = ({ network }: { network: string }) => (
  <div class="hand">
    <h3>Chain {network}</h3>
    <div class="acts">
      <ActionButton name="mine" action={() => mine(network)} icon="block" part="mine">
        Mine a block
      </ActionButton>
      <Form class="inline tight" name="reorganise" submit={({ depth }) => reorganise(network, Number(depth))}>
        <Field label="Blocks">
          <Input name="depth" type="number" min="1" max="1000" defaultValue="1" required part="depth" />
        </Field>
        <button class="act plain" data-part="reorganise">
          Reorganise
        </button>
      </Form>
    </div>
  </div>
);
