import { Balances } from "./balances";
import { FlaggedSenders } from "./flagged_senders";
import { HeldDeposits, waitingDeposits } from "./held";
import { Whitelist } from "./whitelist";
import { Withdrawals } from "./withdrawals";

/** Held deposits come first while one waits for a decision. */
export function Money() {
  const isWaiting = waitingDeposits() > 0;
  return (
    <div class="wide halves">
      <div class="column">
        <Balances />
        <Withdrawals />
      </div>
      <div class="column">
        {isWaiting && <HeldDeposits key="held" />}
        <Whitelist key="whitelist" />
        {!isWaiting && <HeldDeposits key="held" />}
        <FlaggedSenders key="flagged" />
      </div>
    </div>
  );
}
