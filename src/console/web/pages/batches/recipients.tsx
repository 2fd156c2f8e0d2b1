import { Download } from "lucide-preact";
import type {
  BatchDetails,
  BatchRecipientState,
  BatchRecipientStatus,
} from "../../../../../clients/typescript/src/generated/platform.ts";
import { useListState } from "../../frame/address.ts";
import { given } from "../../frame/filters.ts";
import { platform } from "../../frame/requests/client.ts";
import { inForm, refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { Badge, type BadgeTone } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { download } from "../../parts/download.ts";
import { Card } from "../../parts/layout.tsx";
import { FilterSelect } from "../../parts/lists/filters.tsx";
import { List } from "../../parts/lists/list.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { Failure } from "../../parts/states.tsx";
import { written } from "./csv.ts";
import { isUnfinished } from "./state.tsx";
import { batchesTexts } from "./texts.ts";

const STATUSES = [
  "PENDING",
  "QUEUED",
  "SENT",
  "FAILED",
  "CANCELLED",
] as const satisfies readonly BatchRecipientStatus[];
const ON_A_PAGE = 50;
const AT_ONCE = 1000;
const PAUSE_MS = 3000;

const TONES: Record<string, BadgeTone> = {
  SENT: "busy",
  DELIVERED: "good",
  READ: "good",
  FAILED: "bad",
  QUEUED: "info",
};

/** The progress of a recipient's message; before the message, the state of the recipient. */
const stateText = ({ status, messageStatus }: BatchRecipientState): string => {
  const { states, arrived } = batchesTexts().one;
  return status === "SENT" && messageStatus !== null ? arrived[messageStatus] : states[status];
};

/** The outcome of each recipient, by state, and as a file. */
export const Recipients = ({ batch }: { batch: BatchDetails }) => {
  const t = batchesTexts();
  const { batchId } = batch;
  const list = useListState({ status: "" });
  const { status, cursor } = list.filters;
  const page = useQuery(
    `batches/one/${batchId}/recipients/${status}/${cursor}`,
    (signal) => platform.bulk.listRecipients(batchId, given({ limit: ON_A_PAGE, status, cursor }), { signal }).page(),
    { on: ["message:"], waitMs: PAUSE_MS, ...(isUnfinished(batch) ? { everyMs: 5000 } : {}) },
  );
  const save = useAct(async () => {
    const all = await platform.bulk
      .listRecipients(batchId, given({ limit: AT_ONCE, status }))
      .toArray({ limit: 10_000 });
    download(`${batch.name ?? batchId}.csv`, fileOf(all));
    refresh("batches/one/");
  });
  return (
    <Card
      title={t.one.recipients}
      actions={
        <Button icon={Download} isBusy={save.isRunning} onClick={() => void save.run()}>
          {t.one.download}
        </Button>
      }
    >
      {save.error !== undefined && <Failure error={save.error} />}
      <List
        label={`${t.one.recipients}: ${batch.name ?? batchId}`}
        state={list}
        filters={
          <FilterSelect
            label={t.state}
            {...list.field("status")}
            options={[["", t.states.all], ...STATUSES.map((one) => [one, t.one.states[one]] as const)]}
          />
        }
        query={inForm(page, ({ data, nextCursor }) => ({ items: data, nextCursor }))}
        columns={columnsOf(page.data?.data ?? [])}
        keyOf={({ position }) => String(position)}
        linkOf={({ messageId }) => (messageId === null ? undefined : `/messages/${messageId}`)}
        empty={{ title: t.one.none }}
      />
    </Card>
  );
};

const columnsOf = (recipients: readonly BatchRecipientState[]): Column<BatchRecipientState>[] => {
  const t = batchesTexts().one;
  const hasValues = recipients.some(({ variables }) => Object.keys(variables ?? {}).length > 0);
  const hasReasons = recipients.some(({ error }) => error !== null);
  return [
    { title: t.recipient, isMain: true, cell: ({ to }) => <span class="mono">{to}</span> },
    {
      title: batchesTexts().state,
      cell: (one) => (
        <Badge tone={TONES[one.status === "SENT" ? (one.messageStatus ?? "SENT") : one.status] ?? "neutral"}>
          {stateText(one)}
        </Badge>
      ),
    },
    ...(hasReasons
      ? [
          {
            title: t.reason,
            cell: ({ error }: BatchRecipientState) => <span title={error?.code}>{error?.message}</span>,
          },
        ]
      : []),
    ...(hasValues
      ? [
          {
            title: t.values,
            isMinor: true,
            cell: ({ variables }: BatchRecipientState) => (
              <span class="cut small soft">{Object.values(variables ?? {}).join(" · ")}</span>
            ),
          },
        ]
      : []),
  ];
};

const fileOf = (recipients: readonly BatchRecipientState[]): string => {
  const t = batchesTexts();
  const names = [...new Set(recipients.flatMap(({ variables }) => Object.keys(variables ?? {})))];
  return written([
    [t.one.recipient, t.state, t.one.reason, ...names],
    ...recipients.map((one) => [
      one.to,
      stateText(one),
      one.error?.message ?? "",
      ...names.map((name) => one.variables?.[name] ?? ""),
    ]),
  ]);
};
