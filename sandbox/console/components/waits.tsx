import { mine } from "../actions/chain";
import { plural } from "../../../www/desk/format";
import type { Wait } from "../model";
import { ActionButton } from "./button";
import { Icon } from "../../../www/desk/components/icon";

const NEXT: Record<string, string> = { SENT: "then it is sent", FINAL: "then it is final" };

/** Missing blocks, each with a button that mines them. */
export const Waits = ({ waits }: { waits: Wait[] }) => (
  <>
    {waits.map(({ network, blocks, until }) => (
      <div class="wait" key={network} data-part="wait" data-value={blocks}>
        <p>
          <Icon name="clock" />
          <span>
            Waits for {plural(blocks, "more block", "more blocks")} on {network}, {NEXT[until] ?? "then it goes on"}.
          </span>
        </p>
        <ActionButton name="mine" action={() => mine(network, blocks)} icon="block" part="mine-wait">
          {blocks === 1 ? "Mine it" : `Mine ${blocks} blocks`}
        </ActionButton>
      </div>
    ))}
  </>
);
