import { Plus, Send } from "lucide-preact";
import type { Batch, BatchStatus } from "../../../../../clients/typescript/src/generated/platform.ts";
import { useFilters } from "../../frame/address.ts";
import { platform } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { dateTime } from "../../frame/texts/format.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { FilterSelect, Filters, Pager } from "../../parts/lists/filters.tsx";
import { Table } from "../../parts/lists/table.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { PhoneFilter } from "../../parts/phones/phone-choice.tsx";
import { PhoneName } from "../../parts/phones/phones.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { BatchBadge, ProgressBar } from "./state.tsx";
import { batchesTexts } from "./texts.ts";

const STATUSES = ["RUNNING", "QUEUED", "COMPLETED", "FAILED", "CANCELLED"] as const satisfies readonly BatchStatus[];
const ON_A_PAGE = 25;
/** A batch sends many messages: the list is not asked for after each. */
const PAUSE_MS = 3000;

export const BatchList = () => {
  const t = batchesTexts();
  const [{ status, phone, cursor }, setFilters] = useFilters({ status: "", phone: "", cursor: "" });
  const page = Math.max(1, Number(cursor) || 1);
  const batches = useQuery(
    `batches/${status}/${phone}/${page}`,
    (signal) =>
      platform.bulk
        .list(
          {
            page,
            limit: ON_A_PAGE,
            ...(status === "" ? {} : { status: status as BatchStatus }),
            ...(phone === "" ? {} : { channelId: phone }),
          },
          { signal },
        )
        .page(),
    { on: ["message:sent", "message:failed"], waitMs: PAUSE_MS, everyMs: 15_000 },
  );
  const isFiltered = status !== "" || phone !== "" || page > 1;
  const make = (
    <ButtonLink tone="primary" icon={Plus} path="/batches/new">
      {t.make}
    </ButtonLink>
  );
  return (
    <>
      <PageHeader title={pageNames().batches} lead={t.lead}>
        {make}
      </PageHeader>
      <Filters>
        <FilterSelect
          label={t.state}
          value={status}
          options={[["", t.states.all], ...STATUSES.map((one) => [one, t.states[one]] as const)]}
          onChange={(next) => setFilters({ status: next })}
        />
        <PhoneFilter value={phone} onChange={(next) => setFilters({ phone: next })} />
      </Filters>
      <Loaded query={batches}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <Empty
              icon={Send}
              title={isFiltered ? t.noneFound : t.empty}
              {...(isFiltered ? {} : { hint: t.emptyHint })}
            />
          ) : (
            <>
              <BatchTable batches={data} />
              <Pager
                cursor={page > 1 ? cursor : ""}
                nextCursor={meta.hasMore ? String(page + 1) : null}
                onCursor={(next) => setFilters({ cursor: next })}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
};

const BatchTable = ({ batches }: { batches: readonly Batch[] }) => {
  const t = batchesTexts();
  return (
    <Table
      label={pageNames().batches}
      rows={batches}
      keyOf={({ batchId }) => batchId}
      linkOf={({ batchId }) => `/batches/${batchId}`}
      columns={[
        { title: t.name, isMain: true, cell: ({ name, createdAt }) => name ?? t.unnamed(dateTime(createdAt)) },
        { title: t.state, cell: (batch) => <BatchBadge batch={batch} /> },
        { title: t.progress, cell: (batch) => <ProgressBar batch={batch} /> },
        { title: t.phone, isMinor: true, cell: ({ channelId }) => <PhoneName id={channelId} /> },
        { title: t.made, cell: ({ createdAt }) => <When at={createdAt} /> },
      ]}
    />
  );
};
