import { PhoneCall, PhoneIncoming, PhoneOutgoing } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Call } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useFilters } from "../../frame/address.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/layout.tsx";
import { FilterSelect, Filters, Pager } from "../../parts/lists/filters.tsx";
import { Table } from "../../parts/lists/table.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { PhoneFilter } from "../../parts/phones/phone-choice.tsx";
import { PhoneName } from "../../parts/phones/phones.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { CallActs } from "./acts.tsx";
import { peerName, STATE_TONES } from "./call-names.ts";
import { PermissionDialog } from "./permission.tsx";
import { callsTexts } from "./texts.ts";

type Shown = { status: string; phoneId: string; cursor: string };

const useCalls = ({ status, phoneId, cursor }: Shown) =>
  useQuery(
    `calls/${status}/${phoneId}/${cursor}`,
    (signal) =>
      gateway.calls
        .list(
          {
            ...(status === "" ? {} : { status: status as Call["status"] }),
            ...(phoneId === "" ? {} : { phoneId }),
            ...(cursor === "" ? {} : { cursor }),
          },
          { signal },
        )
        .page(),
    { on: ["call:"] },
  );

export const CallList = () => {
  const t = callsTexts();
  const [filters, setFilters] = useFilters({ status: "", phoneId: "", cursor: "" });
  const { status, phoneId, cursor } = filters;
  const calls = useCalls(filters);
  const [isAsking, setAsking] = useState(false);
  const isFiltered = status !== "" || phoneId !== "";
  return (
    <>
      <PageHeader title={pageNames().calls} lead={t.lead}>
        <Button icon={PhoneCall} onClick={() => setAsking(true)}>
          {t.permission}
        </Button>
      </PageHeader>
      <Ringing />
      <Filters>
        <FilterSelect
          label={t.state}
          value={status}
          options={[["", t.allStates], ...Object.entries(t.states)]}
          onChange={(next) => setFilters({ status: next })}
        />
        <PhoneFilter value={phoneId} onChange={(next) => setFilters({ phoneId: next })} />
      </Filters>
      <Loaded query={calls}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <Empty
              icon={PhoneCall}
              title={isFiltered ? t.noneHere : t.empty}
              {...(isFiltered ? {} : { hint: t.emptyHint })}
            />
          ) : (
            <>
              <CallTable calls={items} />
              <Pager cursor={cursor} nextCursor={nextCursor} onCursor={(next) => setFilters({ cursor: next })} />
            </>
          )
        }
      </Loaded>
      {isAsking && <PermissionDialog onClose={() => setAsking(false)} />}
    </>
  );
};

/** What waits for an answer, above everything else. */
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

const CallTable = ({ calls }: { calls: readonly Call[] }) => {
  const t = callsTexts();
  return (
    <Table
      label={pageNames().calls}
      rows={calls}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/calls/${id}`}
      columns={[
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
      ]}
    />
  );
};
