// Draws the simulator into the desk's drawer. The desk imports this module in a sandbox.
import { render } from "preact";
import { tellBy } from "../../www/desk/announce";
import type { Page } from "../../www/desk/drawer";
import { type Desk, DeskContext } from "../../www/desk/use";
import { Drawer } from "./drawer";
import { afterEach } from "./acts";

export function draw(host: Element, desk: Desk, { tell, tellFailure, changed, close }: Page): void {
  tellBy((text, { failed }) => (failed ? tellFailure(text) : tell(text)));
  afterEach(changed);
  render(
    <DeskContext.Provider value={desk}>
      <Drawer close={close} />
    </DeskContext.Provider>,
    host,
  );
}

export const remove = (host: Element): void => render(null, host);
