import { CalendarClock, Plus } from "lucide-preact";
import { useMemo, useState } from "preact/hooks";
import type {
  ListScheduledQuery,
  ScheduledMessage,
  ScheduledStatus,
} from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useListState } from "../../frame/address.ts";
import { given } from "../../frame/filters.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { dateTime } from "../../frame/texts/format.ts";
import { Button } from "../../parts/button.tsx";
import { zoneName } from "../../parts/forms/local-time.ts";
import { FilterSelect } from "../../parts/lists/filters.tsx";
import { ListPage } from "../../parts/lists/list.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { noPhones } from "../../parts/phones/no-phones.tsx";
import { PhoneFilter } from "../../parts/phones/phone-choice.tsx";
import { PhoneName, useHowMany } from "../../parts/phones/phones.tsx";
import { When } from "../../parts/when.tsx";
import { MakeScheduled } from "./make.tsx";
import { ScheduledBadge } from "./state.tsx";
import { scheduledTexts } from "./texts.ts";

const STATUSES = ["PENDING", "PROCESSING", "SENT", "FAILED", "CANCELED"] as const satisfies readonly ScheduledStatus[];
const ON_A_PAGE = 50;
const DAY_MS = 86_400_000;

/**
 * Waiting messages are in the order of their time, the next first. Others are in the order of their making, newest
 * first.
 */
const queryOf = ({ status, phone, cursor }: { status: string; phone: string; cursor: string }, yesterday: string) =>
  given<ListScheduledQuery>({
    limit: ON_A_PAGE,
    status: status === "ALL" ? "" : status,
    ...(status === "PENDING" ? { sort: "scheduledAt", from: yesterday } : {}),
    phoneId: phone,
    cursor,
  });

export const ScheduledList = () => {
  const t = scheduledTexts();
  const list = useListState({ status: "PENDING", phone: "" });
  const { status, phone, cursor } = list.filters;
  const yesterday = useMemo(() => new Date(Date.now() - DAY_MS).toISOString(), []);
  const phones = useHowMany();
  const [isMaking, setMaking] = useState(false);
  const page = useQuery(
    `scheduled/${status}/${phone}/${cursor}`,
    (signal) => gateway.messages.listScheduled(queryOf(list.filters, yesterday), { signal }).page(),
    { on: ["message:"], waitMs: 1000, everyMs: 15_000 },
  );
  const nothing =
    phones === "none" ? noPhones(t.noPhones, t.noPhonesHint) : { icon: CalendarClock, title: t.noneFound };
  return (
    <ListPage
      name="scheduled"
      lead={t.lead}
      actions={
        may("messages.write") &&
        (phones === "one" || phones === "several") && (
          <Button tone="primary" icon={Plus} onClick={() => setMaking(true)}>
            {t.make}
          </Button>
        )
      }
      state={list}
      filters={
        <>
          <FilterSelect
            label={t.state}
            {...list.field("status")}
            options={[...STATUSES, "ALL" as const].map((one) => [one, t.states[one]] as const)}
          />
          <PhoneFilter {...list.field("phone")} />
        </>
      }
      query={page}
      columns={columns()}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/scheduled/${id}`}
      empty={phones === "none" ? nothing : { icon: CalendarClock, title: t.empty, hint: t.emptyHint }}
      notFound={nothing}
    >
      <p class="small soft scheduled-zone">{t.zone(zoneName())}</p>
      {isMaking && <MakeScheduled onClose={() => setMaking(false)} />}
    </ListPage>
  );
};

const columns = (): Column<ScheduledMessage>[] => {
  const t = scheduledTexts();
  return [
    {
      title: t.when,
      isMain: true,
      cell: ({ scheduledAt }) => (
        <span class="scheduled-moment">
          <span>{dateTime(scheduledAt)}</span>{" "}
          <span class="small soft">
            <When at={scheduledAt} />
          </span>
        </span>
      ),
    },
    { title: t.to, cell: ({ to }) => <span class="mono">{to}</span> },
    { title: t.message, cell: ({ preview, type }) => <span class="cut">{preview ?? t.of(type)}</span> },
    { title: t.phone, isMinor: true, cell: ({ phoneId }) => <PhoneName id={phoneId} /> },
    { title: t.state, cell: ({ status }) => <ScheduledBadge status={status} /> },
  ];
};
