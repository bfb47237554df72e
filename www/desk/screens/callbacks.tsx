import type { Callback } from "gateway-api";
import { useState } from "preact/hooks";
import { aboutOf } from "../about";
import { AboutLink } from "../components/about";
import { Attempts } from "../components/callback";
import { Filter } from "../components/fields";
import { List } from "../components/list";
import { Badge } from "../components/panel";
import { Resend } from "../components/resend";
import { dateTime } from "../format";
import { CALLBACK, labelOf } from "../labels";
import { useDesk } from "../use";

const OPTIONS: [string, string][] = [["", "All callbacks"], ...Object.entries(CALLBACK).map(([code, { word }]): [string, string] => [code, word])];

export function Callbacks() {
  const { business } = useDesk();
  const [status, setStatus] = useState("");
  return (
    <>
      <form class="finder" onSubmit={(event) => event.preventDefault()}>
        <Filter label="Status" value={status} options={OPTIONS} choose={setStatus} />
      </form>
      <List<Callback>
        title="Callbacks"
        path="/api/v1/callbacks"
        filter={{ businessId: business, status }}
        columns={["Event", "For", "Amount", "Status", "Created", "Attempts", "Action"]}
        id={({ id }) => id}
        row={(callback, reload) => {
          const about = aboutOf(callback.body);
          return [
            callback.event,
            <AboutLink about={about} />,
            about?.amount ?? "–",
            <Badge label={labelOf(CALLBACK, callback.status)} part="status" value={callback.status} />,
            dateTime(callback.createdAt),
            <Attempts callback={callback} />,
            <Resend id={callback.id} done={reload} />,
          ];
        }}
        part="callback"
        empty="No callback has this status."
        icon="inbox"
      />
    </>
  );
}
