import { CircleCheckBig, ListChecks, SearchX } from "lucide-preact";
import type { WebhookDelivery } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useFilters } from "../../frame/address.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { number } from "../../frame/texts/format.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Tabs } from "../../parts/layout.tsx";
import { FilterSelect, Filters, Pager } from "../../parts/lists/filters.tsx";
import { FilterPeriod } from "../../parts/lists/period.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { DeliveryBadge } from "../../parts/messages/deliveries.tsx";
import { webhookName } from "../../parts/messages/webhook-names.ts";
import { PageHeader } from "../../parts/page-header.tsx";
import { PhoneFilter } from "../../parts/phones/phone-choice.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { type DeliveryFilters, deliveryQuery, NO_FILTERS, TABS, tabOf } from "./filters.ts";
import { RetryAll } from "./retry-all.tsx";
import { deliveriesTexts } from "./texts.ts";

type Change = (change: Partial<DeliveryFilters>) => void;

/** The types that webhooks most often get; the address may name any other. */
const COMMON_TYPES = [
  "message:received",
  "message:status",
  "message:reaction",
  "channel:connected",
  "channel:disconnected",
  "media:available",
  "webhook:failed",
];

/** A search within the same list: each tab is an address of its own. */
const tabPath = (filters: DeliveryFilters, state: string): string => {
  const kept = Object.entries({ ...filters, state, cursor: "" }).filter(
    ([name, value]) => value !== NO_FILTERS[name as keyof DeliveryFilters],
  );
  const query = new URLSearchParams(kept).toString();
  return query === "" ? "/deliveries" : `/deliveries?${query}`;
};

const FilterRow = ({ filters, change }: { filters: DeliveryFilters; change: Change }) => {
  const t = deliveriesTexts();
  const { data: webhooks = [] } = useQuery("webhooks/names", () => gateway.webhooks.listHealth().toArray());
  const types =
    COMMON_TYPES.includes(filters.type) || filters.type === "" ? COMMON_TYPES : [...COMMON_TYPES, filters.type];
  return (
    <Filters>
      {webhooks.length > 1 && (
        <FilterSelect
          label={t.webhook}
          value={filters.webhook}
          options={[["", t.anyWebhook], ...webhooks.map((one) => [one.webhookId, webhookName(one)] as const)]}
          onChange={(webhook) => change({ webhook })}
        />
      )}
      <PhoneFilter value={filters.phone} onChange={(phone) => change({ phone })} />
      <FilterSelect
        label={t.type}
        value={filters.type}
        options={[["", t.anyType], ...types.map((type) => [type, type] as const)]}
        onChange={(type) => change({ type })}
      />
      <FilterPeriod value={filters.period} onChange={(period) => change({ period })} />
    </Filters>
  );
};

const columnsOf = (): Column<WebhookDelivery>[] => {
  const t = deliveriesTexts();
  return [
    { title: t.columns.type, isMain: true, cell: ({ type }) => <code>{type}</code> },
    { title: t.columns.state, cell: ({ state }) => <DeliveryBadge state={state} /> },
    {
      title: t.columns.webhook,
      cell: ({ webhookName: name, url }) => <bdi class="one-line">{name || (URL.parse(url)?.host ?? t.removed)}</bdi>,
    },
    {
      title: t.columns.answer,
      cell: ({ lastStatusCode, lastError, attempts }) => (
        <span class="one-line">
          {lastStatusCode === null ? (lastError ?? (attempts === 0 ? "–" : t.noAnswer)) : `HTTP ${lastStatusCode}`}
        </span>
      ),
    },
    { title: t.columns.tries, isNumber: true, isMinor: true, cell: ({ attempts }) => number(attempts) },
    { title: t.columns.at, isNumber: true, cell: ({ createdAt }) => <When at={createdAt} /> },
  ];
};

const Nothing = ({
  filters,
  change,
  nextCursor,
}: {
  filters: DeliveryFilters;
  change: Change;
  nextCursor: string | null;
}) => {
  const t = deliveriesTexts();
  const tab = tabOf(filters);
  if (nextCursor !== null)
    return (
      <Empty icon={SearchX} title={t.searched}>
        <Button tone="primary" onClick={() => change({ cursor: nextCursor })}>
          {t.searchOn}
        </Button>
      </Empty>
    );
  const isAll = tab === "all" || tab === "DELIVERED";
  return (
    <Empty icon={isAll ? ListChecks : CircleCheckBig} title={t.empty[tab]} hint={isAll ? t.emptyAllHint : t.emptyHint}>
      <ButtonLink path="/webhooks">{t.toWebhooks}</ButtonLink>
    </Empty>
  );
};

export const DeliveryList = () => {
  const [filters, change] = useFilters(NO_FILTERS);
  const query = useQuery(
    `deliveries/list/${JSON.stringify(filters)}`,
    (signal) => gateway.events.listDeliveries(deliveryQuery(filters), { signal }).page(),
    { on: ["message:", "webhook:", "channel:"], everyMs: 10_000 },
  );
  const t = deliveriesTexts();
  return (
    <>
      <PageHeader title={pageNames().deliveries} lead={t.lead}>
        {(query.data?.items.length ?? 0) > 0 && <RetryAll filters={filters} />}
      </PageHeader>
      <Tabs
        label={t.kinds}
        current={tabPath(filters, tabOf(filters))}
        tabs={TABS.map((tab) => ({ name: tab === "all" ? t.all : t.tabs[tab], path: tabPath(filters, tab) }))}
      />
      <FilterRow filters={filters} change={change} />
      <Loaded query={query} lines={8}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <Nothing filters={filters} change={change} nextCursor={nextCursor} />
          ) : (
            <>
              <Table
                label={pageNames().deliveries}
                rows={items}
                columns={columnsOf()}
                keyOf={({ id }) => id}
                linkOf={({ id }) => `/deliveries/${id}`}
              />
              <Pager cursor={filters.cursor} nextCursor={nextCursor} onCursor={(cursor) => change({ cursor })} />
            </>
          )
        }
      </Loaded>
    </>
  );
};
