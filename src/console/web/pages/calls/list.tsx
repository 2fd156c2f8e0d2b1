import { PhoneCall, PhoneIncoming, PhoneOutgoing } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Call } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useListState } from "../../frame/address.ts";
import { given } from "../../frame/filters.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/layout.tsx";
import { FilterSelect } from "../../parts/lists/filters.tsx";
import { ListPage } from "../../parts/lists/list.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { PhoneFilter } from "../../parts/phones/phone-choice.tsx";
import { PhoneName } from "../../parts/phones/phones.tsx";
import { When } from "../../parts/when.tsx";
import { CallActs } from "./acts.tsx";
import { peerName, STATE_TONES } from "./call-names.ts";
import { PermissionDialog } from "./permission.tsx";
import { callsTexts } from "./texts.ts";

type Shown = { status: string; phoneId: string; cursor: string };

const useCalls = (shown: Shown) =>
  useQuery(
    `calls/${shown.status}/${shown.phoneId}/${shown.cursor}`,
    (signal) => gateway.calls.list(given({ ...shown }), { signal }).page(),
    { on: ["call:"] },
  );

export const CallList = () => {
  const t = callsTexts();
  const list = useListState({ status: "", phoneId: "" });
  const [isAsking, setAsking] = useState(false);
  return (
    <ListPage
      name="calls"
      lead={t.lead}
      actions={
        <Button icon={PhoneCall} onClick={() => setAsking(true)}>
          {t.permission}
        </Button>
      }
      above={<Ringing />}
      state={list}
      filters={
        <>
          <FilterSelect
            label={t.state}
            {...list.field("status")}
            options={[["", t.allStates], ...Object.entries(t.states)]}
          />
          <PhoneFilter {...list.field("phoneId")} />
        </>
      }
      query={useCalls(list.filters)}
      columns={columns()}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/calls/${id}`}
      empty={{ icon: PhoneCall, title: t.empty, hint: t.emptyHint }}
      notFound={{ icon: PhoneCall, title: t.noneHere }}
    >
      {isAsking && <PermissionDialog onClose={() => setAsking(false)} />}
    </ListPage>
  );
};

/** The calls that wait for an answer, above all others. */
const Ringing = () => {
  const t = callsTexts();
  const { data } = useCalls({ status: "RINGING", phoneId: "", cursor: "" });
  if (!data || data.items.length === 0) return null;
  return (
    <Card title={t.ringing} hint={t.ringingHint}>
      <ul class="people" aria-label={t.ringing} aria-live="polite">
        {data.items.map((call) => (
          <li key={call.id}>
            <DirectionIcon call={call} />
            <span class="person-id">
              {peerName(call.peer)}{" "}
              <span class="soft">
                · <PhoneName id={call.phoneId} />
              </span>
            </span>
            <span class="small soft">
              <When at={call.createdAt} />
            </span>
            <CallActs call={call} />
          </li>
        ))}
      </ul>
    </Card>
  );
};

const DirectionIcon = ({ call: { direction } }: { call: Call }) => {
  const t = callsTexts();
  const Icon = direction === "INBOUND" ? PhoneIncoming : PhoneOutgoing;
  return <Icon size={18} role="img" aria-label={t.directions[direction]} />;
};

const columns = (): Column<Call>[] => {
  const t = callsTexts();
  return [
    { title: t.peer, isMain: true, cell: ({ peer }) => peerName(peer) },
    { title: t.direction, cell: ({ direction }) => t.directions[direction] },
    { title: t.state, cell: ({ status }) => <Badge tone={STATE_TONES[status]}>{t.states[status]}</Badge> },
    {
      title: t.duration,
      isNumber: true,
      cell: ({ durationSeconds }) => (durationSeconds === null ? "–" : t.seconds(durationSeconds)),
    },
    { title: t.recording, isMinor: true, cell: ({ recording }) => (recording ? t.recorded : "–") },
    { title: t.phone, isMinor: true, cell: ({ phoneId }) => <PhoneName id={phoneId} /> },
    { title: t.when, cell: ({ createdAt }) => <When at={createdAt} /> },
  ];
};
