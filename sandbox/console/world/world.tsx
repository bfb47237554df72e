import { Brand } from "./brand";
import { Chains } from "./chains";
import { Clock } from "./clock";
import { Credentials } from "./credentials";
import { Rates } from "./rates";
import { Requests } from "./requests";
import { Terms } from "./terms";

/** What surrounds the payments: chains, clock, rates, and the business itself. */
export const World = () => (
  <div class="wide halves">
    <div class="column">
      <Chains />
      <Terms />
      <Brand />
    </div>
    <div class="column">
      <Clock />
      <Rates />
      <Credentials />
      <Requests />
    </div>
  </div>
);
