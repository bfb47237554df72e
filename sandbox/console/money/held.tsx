import { refuse, release } from "../actions/money";
import { ActionButton } from "../components/button";
import { Icon, NetworkIcon } from "../../../www/desk/components/icon";
import { Badge, Empty, Note, Panel } from "../../../www/desk/components/panel";
import { dateTime, shorten } from "../../../www/desk/format";
import { DEPOSIT, SCREENING, labelOf } from "../../../www/desk/labels";
import type { FlaggedDeposit } from "../model";
import { state } from "../store";

/** The meaning of each decision. */
const MEANING: Record<string, string> = {
  FLAGGED: "Held: no callback is sent and the payment keeps waiting until you decide.",
  RELEASING: "The release is in progress.",
  RELEASED: "Released: it was credited and its callback was sent. This is final.",
  REFUSING: "The refusal is in progress.",
  REFUSED: "Refused: it is not part of the payment, and no callback is sent. It can still be released.",
};

/** Number of deposits that wait for a decision. */
export const waitingDeposits = (): number =>
  (state.overview?.flagged ?? []).filter(({ screening, vanished }) => screening === "FLAGGED" && !vanished).length;

interface HeldNoteProps {
  depositId: string;
  screening: string;
  owner?: [name: string, category: string];
  vanished: boolean;
}

/** The decision about a deposit from a flagged sender, with its buttons. */
export function HeldNote({ depositId, screening, owner, vanished }: HeldNoteProps) {
  const meaning = MEANING[screening];
  if (!meaning || vanished) return null;
  const isWaiting = screening === "FLAGGED";
  return (
    <div class={isWaiting ? "held-note" : "held-note calm-note"} data-part="held" data-value={screening}>
      <p>
        <Icon name={isWaiting ? "flag" : labelOf(SCREENING, screening).icon} />
        <span>
          {meaning}
          {owner && ` Sender: ${owner[0]}, ${owner[1].toLowerCase()}.`}
        </span>
      </p>
      {(isWaiting || screening === "REFUSED") && (
        <div class="acts">
          <ActionButton name="release" action={() => release(depositId)} icon="check" part="release">
            Release
          </ActionButton>
          {isWaiting && (
            <ActionButton name="refuse" action={() => refuse(depositId)} icon="cross" tone="plain danger" part="refuse">
              Refuse
            </ActionButton>
          )}
        </div>
      )}
    </div>
  );
}

/** All deposits that were ever flagged. */
export function HeldDeposits() {
  const flagged = state.overview?.flagged ?? [];
  return (
    <Panel title="Flagged deposits" part="flagged">
      <Note>
        A deposit from a flagged sender is held, and no callback is sent. In production an operator decides. Release credits it and
        sends the callback. Refuse keeps it out of the payment.
      </Note>
      {flagged.length === 0 ? (
        <Empty icon="flag" title="No held deposits" text="Flag a sender below, then pay from its address." />
      ) : (
        <ul class="cells">
          {flagged.map((deposit) => (
            <HeldCell key={deposit.depositId} deposit={deposit} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

const HeldCell = ({ deposit }: { deposit: FlaggedDeposit }) => (
  <li class="cell" data-part="held-deposit" data-value={deposit.vanished ? "VANISHED" : deposit.screening}>
    <div class="cell-line">
      <span class="with-coin">
        <NetworkIcon network={deposit.network} />
        <strong class="sum">
          {deposit.amount} {deposit.currency}
        </strong>
      </span>
      <Badge label={deposit.vanished ? labelOf(DEPOSIT, "VANISHED") : labelOf(SCREENING, deposit.screening)} />
    </div>
    <Note>
      for <a href={`#/payments/${deposit.paymentId}`}>{deposit.clientPaymentId}</a> · {dateTime(deposit.seenAt)} · from{" "}
      <span class="mono">{shorten(deposit.fromAddress, 8)}</span>
    </Note>
    <HeldNote {...deposit} />
  </li>
);
