import { CircleCheckBig, ListChecks } from "lucide-preact";
import type { WebhookDelivery } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { type ListState, useListState } from "../../frame/address.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { number } from "../../frame/texts/format.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Tabs } from "../../parts/layout.tsx";
import { FilterSelect } from "../../parts/lists/filters.tsx";
import { ListPage } from "../../parts/lists/list.tsx";
import { FilterPeriod } from "../../parts/lists/period.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { DeliveryBadge } from "../../parts/messages/deliveries.tsx";
import { webhookName } from "../../parts/messages/webhook-names.ts";
import { PhoneFilter } from "../../parts/phones/phone-choice.tsx";
import { When } from "../../parts/when.tsx";
import { type DeliveryFilters, deliveryQuery, NO_FILTERS, TABS, tabOf } from "./filters.ts";
import { RetryAll } from "./retry-all.tsx";
import { deliveriesTexts } from "./texts.ts";

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

const FilterRow = ({ list: { filters, field } }: { list: ListState<DeliveryFilters> }) => {
  const t = deliveriesTexts();
  const { data: webhooks = [] } = useQuery("webhooks/names", () => gateway.webhooks.listHealth().toArray());
  const types =
    COMMON_TYPES.includes(filters.type) || filters.type === "" ? COMMON_TYPES : [...COMMON_TYPES, filters.type];
  return (
    <>
      {webhooks.length > 1 && (
        <FilterSelect
          label={t.webhook}
          {...field("webhook")}
          options={[["", t.anyWebhook], ...webhooks.map((one) => [one.webhookId, webhookName(one)] as const)]}
        />
      )}
      <PhoneFilter {...field("phone")} />
      <FilterSelect
        label={t.type}
        {...field("type")}
        options={[["", t.anyType], ...types.map((type) => [type, type] as const)]}
      />
      <FilterPeriod {...field("period")} />
    </>
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

export const DeliveryList = () => {
  const t = deliveriesTexts();
  const list = useListState(NO_FILTERS);
  const { filters } = list;
  const query = useQuery(
    `deliveries/list/${JSON.stringify(filters)}`,
    (signal) => gateway.events.listDeliveries(deliveryQuery(filters), { signal }).page(),
    { on: ["message:", "webhook:", "channel:"], everyMs: 10_000 },
  );
  const current = tabOf(filters);
  const isAll = current === "all" || current === "DELIVERED";
  return (
    <ListPage
      name="deliveries"
      lead={t.lead}
      actions={(query.data?.items.length ?? 0) > 0 && <RetryAll filters={filters} />}
      above={
        <Tabs
          label={t.kinds}
          current={tabPath(filters, current)}
          tabs={TABS.map((tab) => ({ name: tab === "all" ? t.all : t.tabs[tab], path: tabPath(filters, tab) }))}
        />
      }
      state={list}
      filters={<FilterRow list={list} />}
      query={query}
      lines={8}
      columns={columnsOf()}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/deliveries/${id}`}
      empty={{
        icon: isAll ? ListChecks : CircleCheckBig,
        title: t.empty[current],
        hint: isAll ? t.emptyAllHint : t.emptyHint,
        children: <ButtonLink path="/webhooks">{t.toWebhooks}</ButtonLink>,
      }}
      searched={{ title: t.searched, goOn: t.searchOn }}
    />
  );
};
