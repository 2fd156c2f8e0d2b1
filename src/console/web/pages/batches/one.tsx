import { Ban, Pause, Play } from "lucide-preact";
import { useState } from "preact/hooks";
import type { BatchDetails } from "../../../../../clients/typescript/src/generated/platform.ts";
import { platform } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { dateTime, number } from "../../frame/texts/format.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { Card, Details, Stat } from "../../parts/layout.tsx";
import { Bubble } from "../../parts/messages/bubble.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { PhoneName } from "../../parts/phones/phones.tsx";
import { Failure, Loaded, Notice } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { Recipients } from "./recipients.tsx";
import { BatchBadge, isUnfinished, ProgressBar, stateOf } from "./state.tsx";
import { batchesTexts } from "./texts.ts";

/** The server answers for a batch once a second. */
const PAUSE_MS = 2500;
const EVERY_MS = 4000;

/** One batch: its progress, its message, and the outcome of each recipient. */
export const OneBatch = ({ id }: { id: string }) => {
  const [isMoving, setMoving] = useState(true);
  const batch = useQuery(`batches/one/${id}`, (signal) => platform.bulk.get(id, { signal }), {
    on: ["message:"],
    waitMs: PAUSE_MS,
    ...(isMoving ? { everyMs: EVERY_MS } : {}),
  });
  const isMovingNow = batch.data === undefined || isUnfinished(batch.data);
  if (isMovingNow !== isMoving) setMoving(isMovingNow);
  return <Loaded query={batch}>{(data) => <Shown batch={data} />}</Loaded>;
};

const Shown = ({ batch }: { batch: BatchDetails }) => {
  const t = batchesTexts();
  const state = stateOf(batch);
  return (
    <>
      <PageHeader
        title={batch.name ?? t.unnamed(dateTime(batch.createdAt))}
        back={{ path: "/batches", name: pageNames().batches }}
      >
        {isUnfinished(batch) && <Acts batch={batch} />}
      </PageHeader>
      {state === "away" && (
        <Notice tone="warning">
          <p>{t.one.awayHint(dateTime(batch.waitingSince ?? batch.createdAt))}</p>
          <ButtonLink path={`/phones/${batch.channelId}`}>{t.one.toPhone}</ButtonLink>
        </Notice>
      )}
      <div class="stack">
        <Card>
          <div class="stack" aria-live="polite">
            <div>
              <BatchBadge batch={batch} />
            </div>
            <ProgressBar batch={batch} isLarge />
          </div>
        </Card>
        <Numbers batch={batch} />
        <div class="grid">
          <Card title={t.one.message}>
            <Bubble label={t.one.message} body={batch.text ?? templateText(batch)} />
          </Card>
          <Card>
            <Details
              items={[
                [t.phone, <PhoneName key="phone" id={batch.channelId} />],
                [t.send.pace, t.send.paces(number(60_000 / batch.delay))],
                [t.made, <When key="made" at={batch.createdAt} isFull />],
                ...timesOf(batch),
              ]}
            />
          </Card>
        </div>
        <Recipients batch={batch} />
      </div>
    </>
  );
};

const timesOf = ({ startsAt, startedAt, finishedAt, opensAt }: BatchDetails) => {
  const t = batchesTexts().one;
  return [
    ...(startedAt === null && startsAt !== null
      ? [[t.planned, <When key="planned" at={startsAt} isFull />] as const]
      : []),
    ...(startedAt === null ? [] : [[t.started, <When key="started" at={startedAt} isFull />] as const]),
    ...(opensAt === null || finishedAt !== null ? [] : [[t.opens, <When key="opens" at={opensAt} isFull />] as const]),
    ...(finishedAt === null ? [] : [[t.ended, <When key="ended" at={finishedAt} isFull />] as const]),
  ];
};

/** A template by its name, with its values. */
const templateText = ({ template }: BatchDetails): string => {
  const {
    name,
    language,
    variables = [],
    namedVariables = {},
  } = (template ?? {}) as {
    name?: string;
    language?: string;
    variables?: string[];
    namedVariables?: Record<string, string>;
  };
  const values = [
    ...variables.map((value, index) => `{{${index + 1}}} = ${value}`),
    ...Object.entries(namedVariables).map(([variable, value]) => `{{${variable}}} = ${value}`),
  ];
  return [`*${name ?? ""}* ${language ?? ""}`, ...values].join("\n");
};

const MINUTE_MS = 60_000;
const Numbers = ({ batch }: { batch: BatchDetails }) => {
  const t = batchesTexts().one;
  const { sent, failed, pending, cancelled, startedAt, finishedAt, delay } = batch;
  const now = Date.now();
  const tookMs = startedAt === null ? 0 : (finishedAt === null ? now : Date.parse(finishedAt)) - Date.parse(startedAt);
  // before a minute has passed, and with a pause in it, the number would mislead
  const rate = tookMs >= MINUTE_MS && batch.pausedAt === null ? sent / (tookMs / MINUTE_MS) : undefined;
  const isRunning = stateOf(batch) === "RUNNING" || stateOf(batch) === "QUEUED";
  return (
    <div class="stats">
      <Stat name={t.sent} value={number(sent)} {...(sent > 0 ? { tone: "good" as const } : {})} />
      <Stat name={t.failed} value={number(failed)} {...(failed > 0 ? { tone: "bad" as const } : {})} />
      {cancelled > 0 && <Stat name={t.cancelledCount} value={number(cancelled)} />}
      <Stat name={t.pending} value={number(pending)} />
      {rate !== undefined && <Stat name={t.rate} value={number(Math.round(rate * 10) / 10)} />}
      {isRunning && pending > 0 && (
        <Stat name={t.end} value={<When at={now + pending * delay} />} note={dateTime(now + pending * delay)} />
      )}
    </div>
  );
};

const Acts = ({ batch: { batchId, pausedAt, pending } }: { batch: BatchDetails }) => {
  const t = batchesTexts();
  const [isAsking, setAsking] = useState(false);
  const hold = useAct(async () => {
    await (pausedAt === null ? platform.bulk.pause(batchId) : platform.bulk.resume(batchId));
    refresh("batches/");
  });
  const cancel = useAct(async () => {
    await platform.bulk.cancel(batchId);
    setAsking(false);
    notify(t.one.cancelled);
    refresh("batches/");
  });
  return (
    <>
      {hold.error !== undefined && <Failure error={hold.error} />}
      <Button icon={pausedAt === null ? Pause : Play} isBusy={hold.isRunning} onClick={() => void hold.run()}>
        {pausedAt === null ? t.one.pause : t.one.resume}
      </Button>
      <Button icon={Ban} onClick={() => setAsking(true)}>
        {t.one.cancel}
      </Button>
      {isAsking && (
        <Confirm title={t.one.cancelTitle} yes={t.one.cancel} act={cancel} onNo={() => setAsking(false)}>
          <p>{t.one.cancelText(t.send.messages(pending))}</p>
        </Confirm>
      )}
    </>
  );
};
