import { MessagesSquare, Plus, SearchX } from "lucide-preact";
import type { LoggedMessage } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { type ListState, useListState } from "../../frame/address.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { FilterSearch, FilterSelect } from "../../parts/lists/filters.tsx";
import { ListPage } from "../../parts/lists/list.tsx";
import { FilterPeriod } from "../../parts/lists/period.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { personName } from "../../parts/people/people.ts";
import { ToPhones } from "../../parts/phones/no-phones.tsx";
import { PhoneFilter } from "../../parts/phones/phone-choice.tsx";
import { PhoneName } from "../../parts/phones/phones.tsx";
import { When } from "../../parts/when.tsx";
import { AuthorFilter } from "./author-filter.tsx";
import { type MessageFilters, messageQuery, NO_FILTERS } from "./filters.ts";
import { lineOf, STATUS_TONES } from "./said.ts";
import { messagesTexts } from "./texts.ts";

const FilterRow = ({ list: { filters, change, field } }: { list: ListState<MessageFilters> }) => {
  const t = messagesTexts();
  return (
    <>
      <FilterSearch
        label={t.search}
        value={filters.q || filters.contact}
        onChange={(q) => change({ q, contact: "" })}
      />
      <PhoneFilter {...field("phone")} />
      <FilterSelect
        label={t.direction}
        {...field("direction")}
        options={[
          ["", t.both],
          ["inbound", t.inbound],
          ["outbound", t.outbound],
        ]}
      />
      <FilterSelect
        label={t.status}
        {...field("status")}
        options={[["", t.anyStatus], ...Object.entries<string>(t.statuses)]}
      />
      <AuthorFilter {...field("sentBy")} />
      <FilterPeriod {...field("period")} />
    </>
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
  const t = messagesTexts();
  const list = useListState(NO_FILTERS);
  const query = useQuery(
    `messages/list/${JSON.stringify(list.filters)}`,
    (signal) => gateway.messages.list(messageQuery(list.filters), { signal }).page(),
    { on: ["message:", "media:"] },
  );
  return (
    <ListPage
      name="messages"
      lead={t.lead}
      actions={
        may("messages.write") && (
          <ButtonLink path="/batches/new" icon={Plus}>
            {t.newBatch}
          </ButtonLink>
        )
      }
      state={list}
      filters={<FilterRow list={list} />}
      query={query}
      lines={10}
      columns={columnsOf()}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/messages/${id}`}
      empty={{ icon: MessagesSquare, title: t.empty, hint: t.emptyHint, children: <ToPhones /> }}
      notFound={{
        icon: SearchX,
        title: t.nothing,
        hint: t.nothingHint,
        children: <Button onClick={list.clear}>{t.clear}</Button>,
      }}
      searched={{ title: t.searched, hint: t.searchedHint, goOn: t.searchOn }}
    />
  );
};
