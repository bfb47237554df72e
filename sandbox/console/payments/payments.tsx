import { state } from "../store";
import { Detail } from "./detail";
import { List } from "./list";

export const Payments = () => (
  <>
    <List />
    <section class="stage" key={state.route.id} aria-label="Payment">
      <Detail />
    </section>
  </>
);
