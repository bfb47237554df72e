import { Choice, Field } from "../../www/desk/components/fields";
import { Fold, Panel } from "../../www/desk/components/panel";
import { ActButton, ActForm } from "./acts";
import { post } from "./requests";
import { mine, reorganise, useChain, useNetworks, useWorld } from "./world";

/** Every chain with its height. */
export const Chains = () => (
  <Panel title="Chains" part="chains">
    <ul class="cells">
      {(useWorld()?.chains ?? []).map(({ network, height, pending }) => (
        <li class="cell chain" key={network} data-part="chain" data-value={network}>
          <span>
            <strong>{network}</strong>{" "}
            <small class="from">
              block {height}
              {pending > 0 && `, ${pending} pending`}
            </small>
          </span>
          <ActButton act={() => mine(network)} part="mine-on" value={network} label={`Mine a block on ${network}`}>
            Mine
          </ActButton>
        </li>
      ))}
    </ul>
    <Fold title="Fee of a network">
      <Fee />
    </Fold>
  </Panel>
);

/** Blocks of one chain: as many as make what is in them final, and back. */
export function ChainActs({ network }: { network: string }) {
  const finality = useChain(network)?.finality ?? 1;
  return (
    <div class="acts">
      <ActButton act={() => mine(network)} icon="block" part="mine">
        Mine a block
      </ActButton>
      {finality > 1 && (
        <ActButton act={() => mine(network, finality)} icon="block" part="mine-final">
          Mine {finality}
        </ActButton>
      )}
      <ActButton act={() => reorganise(network, 1)} icon="fork" part="reorganise" label={`Reorganise ${network} by one block`}>
        Reorganise
      </ActButton>
    </div>
  );
}

const Fee = () => {
  const networks = useNetworks();
  const set = async ({ network = "", fee = "" }: Record<string, string>) => {
    await post("/sandbox/fees", { network, fee });
    return `A transaction on ${network} costs ${fee}`;
  };
  return (
    <ActForm act={set} button="Set the fee" part="fee">
      {(errorOf) => (
        <div class="grid">
          <Choice label="Network" name="network" options={networks} error={errorOf("network")} />
          <Field label="Fee, in its coin" name="fee" inputmode="decimal" required error={errorOf("fee")} />
        </div>
      )}
    </ActForm>
  );
};
