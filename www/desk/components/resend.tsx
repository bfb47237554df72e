import { useState } from "preact/hooks";
import { gateway, post } from "../api";
import { tell, tellFailure } from "../announce";
import { useDesk, words } from "../use";
import { Icon } from "./icon";

/** Sends a callback again; only for those who may. */
export function Resend({ id, done }: { id: string; done: () => Promise<void> }) {
  const { operator } = useDesk();
  const [isBusy, setBusy] = useState(false);
  if (operator.role === "viewer") return null;
  const resend = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await post(gateway(`/api/v1/callbacks/${id}/resend`));
      tell("The callback is sent again");
      await done();
    } catch (error) {
      tellFailure(words(error as Error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <button type="button" class="act plain" aria-disabled={isBusy ? "true" : undefined} data-part="resend" onClick={() => void resend()}>
      <Icon name="resend" />
      <span>Send again</span>
    </button>
  );
}
