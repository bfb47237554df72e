import { mine, reorganise } from "../actions/chain";
import { ActionButton } from "../components/button";
import { NetworkIcon } from "../../../www/desk/components/icon";
import { Panel } from "../../../www/desk/components/panel";
import { plural } from "../../../www/desk/format";
import type { Chain } from "../model";
import { state } from "../store";

export const Chains = () => (
  <Panel title="Chains">
    <ul class="cells">
      {(state.overview?.chains ?? []).map((chain) => (
        <ChainCell key={chain.network} chain={chain} />
      ))}
    </ul>
  </Panel>
);

const ChainCell = ({ chain: { network, name, height, pending, finality } }: { chain: Chain }) => (
  <li class="cell chain" data-part="chain" data-value={network}>
    <span class="with-coin">
      <NetworkIcon network={network} />
      <span>
        <strong>{name}</strong>
        <small>
          block {height} · {plural(pending, "pending transfer")}
          {finality > 1 && ` · final after ${finality}`}
        </small>
      </span>
    </span>
    <div class="acts">
      <ActionButton name="mine" action={() => mine(network)} icon="block" aria-label={`Mine a block on ${name}`}>
        Mine
      </ActionButton>
      <ActionButton
        name="reorganise"
        action={() => reorganise(network, 1)}
        icon="fork"
        inactive={height === 0}
        aria-label={`Reorganise ${name} by one block`}
      >
        Reorganise
      </ActionButton>
    </div>
  </li>
);
