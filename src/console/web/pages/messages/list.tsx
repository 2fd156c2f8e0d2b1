import { MessagesSquare, Plus, SearchX } from "lucide-preact";
import type { LoggedMessage } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useFilters } from "../../frame/address.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { FilterSearch, FilterSelect, Filters, Pager } from "../../parts/lists/filters.tsx";
import { FilterPeriod } from "../../parts/lists/period.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { personName } from "../../parts/people/people.ts";
import { PhoneFilter } from "../../parts/phones/phone-choice.tsx";
import { PhoneName } from "../../parts/phones/phones.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { isFiltered, type MessageFilters, messageQuery, NO_FILTERS } from "./filters.ts";
import { lineOf, STATUS_TONES } from "./said.ts";
import { messagesTexts } from "./texts.ts";

type Change = (change: Partial<MessageFilters>) => void;

const FilterRow = ({ filters, change }: { filters: MessageFilters; change: Change }) => {
  const t = messagesTexts();
  const statuses = Object.entries<string>(t.statuses);
  return (
    <Filters>
      <FilterSearch
        label={t.search}
        value={filters.q || filters.contact}
        onChange={(q) => change({ q, contact: "" })}
      />
      <PhoneFilter value={filters.phone} onChange={(phone) => change({ phone })} />
      <FilterSelect
        label={t.direction}
        value={filters.direction}
        options={[
          ["", t.both],
          ["inbound", t.inbound],
          ["outbound", t.outbound],
        ]}
        onChange={(direction) => change({ direction })}
      />
      <FilterSelect
        label={t.status}
        value={filters.status}
        options={[["", t.anyStatus], ...statuses]}
        onChange={(status) => change({ status })}
      />
      <FilterPeriod value={filters.period} onChange={(period) => change({ period })} />
    </Filters>
  );
};

/** Nothing to show: no message at all, none that matches, or none among those that one answer looks at. */
const Nothing = ({
  filters,
  change,
  nextCursor,
}: {
  filters: MessageFilters;
  change: Change;
  nextCursor: string | null;
}) => {
  const t = messagesTexts();
  if (nextCursor !== null)
    return (
      <Empty icon={SearchX} title={t.searched} hint={t.searchedHint}>
        <Button tone="primary" onClick={() => change({ cursor: nextCursor })}>
          {t.searchOn}
        </Button>
      </Empty>
    );
  if (isFiltered(filters))
    return (
      <Empty icon={SearchX} title={t.nothing} hint={t.nothingHint}>
        <Button onClick={() => change(NO_FILTERS)}>{t.clear}</Button>
      </Empty>
    );
  return (
    <Empty icon={MessagesSquare} title={t.empty} hint={t.emptyHint}>
      <ButtonLink path="/phones" tone="primary">
        {t.toPhones}
      </ButtonLink>
    </Empty>
  );
};

const columnsOf = (): Column<LoggedMessage>[] => {
  const { columns, statuses } = messagesTexts();
  return [
    {
      title: columns.who,
      isMain: true,
      cell: ({ direction, from, to }) => (
        <span class="with">
          <span class={`way ${direction}`} aria-hidden="true">
            {direction === "inbound" ? "↓" : "↑"}
          </span>
          <bdi>{personName(direction === "inbound" ? from : to)}</bdi>
        </span>
      ),
    },
    {
      title: columns.text,
      cell: (message) => (
        <bdi class="one-line" dir="auto">
          {lineOf(message)}
        </bdi>
      ),
    },
    {
      title: columns.status,
      cell: ({ status }) => <Badge tone={STATUS_TONES[status]}>{statuses[status]}</Badge>,
    },
    { title: columns.phone, isMinor: true, cell: ({ phoneId }) => <PhoneName id={phoneId} /> },
    { title: columns.at, isNumber: true, cell: ({ createdAt }) => <When at={createdAt} /> },
  ];
};

export const MessageList = () => {
  const [filters, change] = useFilters(NO_FILTERS);
  const query = useQuery(
    `messages/list/${JSON.stringify(filters)}`,
    (signal) => gateway.messages.list(messageQuery(filters), { signal }).page(),
    { on: ["message:", "media:"] },
  );
  const t = messagesTexts();
  return (
    <>
      <PageHeader title={pageNames().messages} lead={t.lead}>
        {may("messages.write") && (
          <ButtonLink path="/batches/new" icon={Plus}>
            {t.newBatch}
          </ButtonLink>
        )}
      </PageHeader>
      <FilterRow filters={filters} change={change} />
      <Loaded query={query} lines={10}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <Nothing filters={filters} change={change} nextCursor={nextCursor} />
          ) : (
            <>
              <Table
                label={pageNames().messages}
                rows={items}
                columns={columnsOf()}
                keyOf={({ id }) => id}
                linkOf={({ id }) => `/messages/${id}`}
              />
              <Pager cursor={filters.cursor} nextCursor={nextCursor} onCursor={(cursor) => change({ cursor })} />
            </>
          )
        }
      </Loaded>
    </>
  );
};
