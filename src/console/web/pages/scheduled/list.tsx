import { CalendarClock, Plus, Smartphone } from "lucide-preact";
import { useMemo, useState } from "preact/hooks";
import type { ScheduledMessage, ScheduledStatus } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useFilters } from "../../frame/address.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { dateTime } from "../../frame/texts/format.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { zoneName } from "../../parts/forms/local-time.ts";
import { FilterSelect, Filters, Pager } from "../../parts/lists/filters.tsx";
import { Table } from "../../parts/lists/table.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { PhoneFilter } from "../../parts/phones/phone-choice.tsx";
import { PhoneName, useHowMany } from "../../parts/phones/phones.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { MakeScheduled } from "./make.tsx";
import { ScheduledBadge } from "./state.tsx";
import { scheduledTexts } from "./texts.ts";

const STATUSES = ["PENDING", "PROCESSING", "SENT", "FAILED", "CANCELED"] as const satisfies readonly ScheduledStatus[];
const ON_A_PAGE = 50;
const DAY_MS = 86_400_000;

type Asked = { status: string; phone: string; cursor: string };

/** What waits is shown by its time, the next first; the rest by when it was made, the newest first. */
const queryOf = ({ status, phone, cursor }: Asked, yesterday: string) => ({
  limit: ON_A_PAGE,
  ...(status === "ALL" ? {} : { status: status as ScheduledStatus }),
  ...(status === "PENDING" ? { sort: "scheduledAt" as const, from: yesterday } : {}),
  ...(phone === "" ? {} : { phoneId: phone }),
  ...(cursor === "" ? {} : { cursor }),
});

export const ScheduledList = () => {
  const t = scheduledTexts();
  const [filters, setFilters] = useFilters({ status: "PENDING", phone: "", cursor: "" });
  const { status, phone, cursor } = filters;
  const yesterday = useMemo(() => new Date(Date.now() - DAY_MS).toISOString(), []);
  const phones = useHowMany();
  const [isMaking, setMaking] = useState(false);
  const page = useQuery(
    `scheduled/${status}/${phone}/${cursor}`,
    (signal) => gateway.messages.listScheduled(queryOf(filters, yesterday), { signal }).page(),
    { on: ["message:"], waitMs: 1000, everyMs: 15_000 },
  );
  const make = may("messages.write") && (phones === "one" || phones === "several") && (
    <Button tone="primary" icon={Plus} onClick={() => setMaking(true)}>
      {t.make}
    </Button>
  );
  return (
    <>
      <PageHeader title={pageNames().scheduled} lead={t.lead}>
        {make}
      </PageHeader>
      <Filters>
        <FilterSelect
          label={t.state}
          value={status}
          options={[...STATUSES.map((one) => [one, t.states[one]] as const), ["ALL", t.states.ALL] as const]}
          onChange={(next) => setFilters({ status: next })}
        />
        <PhoneFilter value={phone} onChange={(next) => setFilters({ phone: next })} />
      </Filters>
      <Loaded query={page}>
        {({ items, nextCursor }) =>
          items.length === 0 && !nextCursor ? (
            <Nothing isFiltered={phone !== "" || status !== "PENDING" || cursor !== ""} hasPhones={phones !== "none"} />
          ) : (
            <>
              <ScheduledTable items={items} />
              <Pager cursor={cursor} nextCursor={nextCursor} onCursor={(next) => setFilters({ cursor: next })} />
            </>
          )
        }
      </Loaded>
      <p class="small soft scheduled-zone">{t.zone(zoneName())}</p>
      {isMaking && <MakeScheduled onClose={() => setMaking(false)} />}
    </>
  );
};

const Nothing = ({ isFiltered, hasPhones }: { isFiltered: boolean; hasPhones: boolean }) => {
  const t = scheduledTexts();
  if (!hasPhones)
    return (
      <Empty icon={Smartphone} title={t.noPhones} hint={t.noPhonesHint}>
        <ButtonLink tone="primary" path="/phones">
          {t.toPhones}
        </ButtonLink>
      </Empty>
    );
  return isFiltered ? (
    <Empty icon={CalendarClock} title={t.noneFound} />
  ) : (
    <Empty icon={CalendarClock} title={t.empty} hint={t.emptyHint} />
  );
};

const ScheduledTable = ({ items }: { items: readonly ScheduledMessage[] }) => {
  const t = scheduledTexts();
  return (
    <Table
      label={pageNames().scheduled}
      rows={items}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/scheduled/${id}`}
      columns={[
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
      ]}
    />
  );
};
