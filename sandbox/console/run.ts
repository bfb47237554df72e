// Runs the actions of buttons and forms in the order in which they were started, with a message about the result.
import { NoAnswer, Problem, recorded } from "./api";
import { curl } from "./curl";
import { say } from "./message";
import { refresh } from "./poll";
import { state, update, updateDialog } from "./store";

/** A message about the result, or nothing. */
export type Action = () => Promise<string | void>;

/** Ends with the action that was started last. */
let last: Promise<void> = Promise.resolve();

/** Runs an action after those that were started before it, unless one of the same name waits or runs. A block that is mined right after a
 * payment was pressed has that payment in it. */
export function run(name: string, action: Action): Promise<void> {
  if (state.busy.has(name)) return last;
  setBusy(name, true);
  last = last.then(() => perform(name, action));
  return last;
}

/** Performs an action, then reloads the changed data. */
async function perform(name: string, action: Action): Promise<void> {
  const before = recorded[0];
  try {
    const done = await action();
    if (done) say(done, { curl: recorded[0] && recorded[0] !== before ? curl(recorded[0], location.origin) : null });
  } catch (error) {
    fail(name, error as Error);
  } finally {
    setBusy(name, false);
  }
  await refresh();
}

function setBusy(name: string, isBusy: boolean): void {
  const busy = new Set(state.busy);
  if (isBusy) busy.add(name);
  else busy.delete(name);
  update({ busy });
}

function fail(name: string, error: Error): void {
  if (name === state.dialog?.name && error instanceof Problem) {
    const errors = error.errors.length > 0 ? error.errors : [{ pointer: "", code: "", detail: error.message }];
    updateDialog({ errors });
    document.querySelector<HTMLElement>("dialog [aria-invalid]")?.focus();
  } else {
    say(error instanceof NoAnswer ? "The gateway does not answer. Try again when it is back." : error.message, { failed: true });
  }
}
