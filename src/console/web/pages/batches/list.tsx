import { Plus, Send } from "lucide-preact";
import type { Batch, BatchStatus, ListBatchesQuery } from "../../../../../clients/typescript/src/generated/platform.ts";
import { useListState } from "../../frame/address.ts";
import { given } from "../../frame/filters.ts";
import { platform } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { dateTime } from "../../frame/texts/format.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { FilterSelect } from "../../parts/lists/filters.tsx";
import { ListPage } from "../../parts/lists/list.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { PhoneFilter } from "../../parts/phones/phone-choice.tsx";
import { PhoneName } from "../../parts/phones/phones.tsx";
import { When } from "../../parts/when.tsx";
import { BatchBadge, ProgressBar } from "./state.tsx";
import { batchesTexts } from "./texts.ts";

const STATUSES = ["RUNNING", "QUEUED", "COMPLETED", "FAILED", "CANCELLED"] as const satisfies readonly BatchStatus[];
const ON_A_PAGE = 25;
/** A batch sends many messages, so the page does not ask for the list after each. */
const PAUSE_MS = 3000;

export const BatchList = () => {
  const t = batchesTexts();
  const list = useListState({ status: "", phone: "" });
  const { status, phone, cursor } = list.filters;
  const page = Math.max(1, Number(cursor) || 1);
  const batches = useQuery(
    `batches/${status}/${phone}/${page}`,
    async (signal) => {
      const asked = given<ListBatchesQuery>({ page, limit: ON_A_PAGE, status, channelId: phone });
      const { data, meta } = await platform.bulk.list(asked, { signal }).page();
      return { items: data, nextCursor: meta.hasMore ? String(page + 1) : null };
    },
    { on: ["message:sent", "message:failed"], waitMs: PAUSE_MS, everyMs: 15_000 },
  );
  return (
    <ListPage
      name="batches"
      lead={t.lead}
      actions={
        <ButtonLink tone="primary" icon={Plus} path="/batches/new">
          {t.make}
        </ButtonLink>
      }
      state={list}
      filters={
        <>
          <FilterSelect
            label={t.state}
            {...list.field("status")}
            options={[["", t.states.all], ...STATUSES.map((one) => [one, t.states[one]] as const)]}
          />
          <PhoneFilter {...list.field("phone")} />
        </>
      }
      query={batches}
      columns={columns()}
      keyOf={({ batchId }) => batchId}
      linkOf={({ batchId }) => `/batches/${batchId}`}
      empty={{ icon: Send, title: t.empty, hint: t.emptyHint }}
      notFound={{ icon: Send, title: t.noneFound }}
    />
  );
};

const columns = (): Column<Batch>[] => {
  const t = batchesTexts();
  return [
    { title: t.name, isMain: true, cell: ({ name, createdAt }) => name ?? t.unnamed(dateTime(createdAt)) },
    { title: t.state, cell: (batch) => <BatchBadge batch={batch} /> },
    { title: t.progress, cell: (batch) => <ProgressBar batch={batch} /> },
    { title: t.phone, isMinor: true, cell: ({ channelId }) => <PhoneName id={channelId} /> },
    { title: t.made, cell: ({ createdAt }) => <When at={createdAt} /> },
  ];
};
