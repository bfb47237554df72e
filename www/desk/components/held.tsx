import type { ListedDeposit } from "gateway-api";
import { gateway, post } from "../api";
import { tell } from "../announce";
import { useIsHead } from "../use";
import { Ask } from "./ask";

/** Releases or refuses a held deposit; for those who may. */
export function HeldDecision({ deposit, done }: { deposit: ListedDeposit; done: () => Promise<void> }) {
  const isHead = useIsHead();
  const { id, heldFor, refused, decision, depositAmount, depositCurrency, clientPaymentId, senderOwner } = deposit;
  if (!isHead || !heldFor || decision) return null;
  const decide = (act: "release" | "refuse", said: string) => async () => {
    await post(gateway(`/api/v1/deposits/${id}/${act}`));
    tell(said);
    await done();
  };
  const what = `${depositAmount} ${depositCurrency}`;
  return (
    <div class="acts">
      {heldFor !== "AMOUNT" && (
        <Ask
          label="Release"
          title={`Release ${what}?`}
          button="Release it"
          part="release"
          act={decide("release", "The deposit is released")}
        >
          {() => (
            <>
              <p>
                It is credited to {clientPaymentId} at the rate of its receipt, and the shop is told that it was paid. This cannot be undone.
              </p>
              {senderOwner && <p class="caution">The screening takes the sender for: {senderOwner}. Are you allowed to take this money?</p>}
            </>
          )}
        </Ask>
      )}
      {!refused && (
        <Ask
          label="Refuse"
          title={`Refuse ${what}?`}
          button="Refuse it"
          part="refuse"
          isGrave
          act={decide("refuse", "The deposit is refused")}
        >
          {() => (
            <p>
              It is no part of {clientPaymentId} any more: the customer still owes the price. The money stays where it is and is not sent back. A refused
              deposit can be released later.
            </p>
          )}
        </Ask>
      )}
    </div>
  );
}
