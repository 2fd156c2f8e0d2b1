import { FlaskConical, Send } from "lucide-preact";
import { useMemo, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { href } from "../../frame/base.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { dateTime, number, span } from "../../frame/texts/format.ts";
import { Button } from "../../parts/button.tsx";
import { Check, Field, Select } from "../../parts/forms/form.tsx";
import { localTime, momentOf, zoneName } from "../../parts/forms/local-time.ts";
import { Card } from "../../parts/layout.tsx";
import { usePhone } from "../../parts/phones/phones.tsx";
import { AskToStart } from "./ask.tsx";
import { type Draft, missingIn, orderOf } from "./draft.ts";
import { ForecastText } from "./forecast.tsx";
import { handOver, type Tried, tryOut, Undone } from "./hand-over.ts";
import type { Checked } from "./mapping.ts";
import { RefusedText } from "./refused.tsx";
import { batchesTexts } from "./texts.ts";

/** Paces, as the time between two messages. */
const PACES_MS = [1000, 2000, 3000, 6000, 15_000, 60_000, 300_000];
const HOUR_MS = 3_600_000;
/** The first value of the field for the time of the start. */
const SOON_MS = HOUR_MS;

type Props = {
  draft: Draft;
  found: Checked;
  onChange: (change: Partial<Draft>) => void;
  onStarted: () => void;
};

/** The pace, the time of the start, a dry run and the start. */
export const SendingCard = ({ draft, found, onChange, onStarted }: Props) => {
  const t = batchesTexts();
  return (
    <Card title={t.send.title}>
      <div class="stack">
        <div class="grid">
          <Field
            label={t.name}
            hint={t.nameHint}
            maxLength={100}
            isOptional
            value={draft.name}
            onInput={({ currentTarget }) => onChange({ name: currentTarget.value })}
          />
          <Select
            label={t.send.pace}
            value={String(draft.delayMs)}
            options={PACES_MS.map((ms) => [String(ms), paceText(ms)])}
            onChange={({ currentTarget }) => onChange({ delayMs: Number(currentTarget.value) })}
          />
          <Select
            label={t.send.when}
            value={draft.isLater ? "later" : "now"}
            options={[
              ["now", t.send.now],
              ["later", t.send.later],
            ]}
            onChange={({ currentTarget }) =>
              onChange({
                isLater: currentTarget.value === "later",
                startsAt: draft.startsAt || localTime(Date.now() + SOON_MS),
              })
            }
          />
          {draft.isLater && (
            <Field
              label={t.send.at}
              hint={zoneName()}
              type="datetime-local"
              min={localTime(Date.now())}
              value={draft.startsAt}
              onInput={({ currentTarget }) => onChange({ startsAt: currentTarget.value })}
            />
          )}
        </div>
        <Check
          label={t.send.respectHours}
          checked={draft.respectHours}
          onChange={({ currentTarget }) => onChange({ respectHours: currentTarget.checked })}
        />
        <Start draft={draft} found={found} onStarted={onStarted} />
      </div>
    </Card>
  );
};

const paceText = (ms: number): string => {
  const t = batchesTexts().send;
  return ms > 60_000 ? t.perHour(number(HOUR_MS / ms)) : t.paces(number(60_000 / ms));
};

const Start = ({ draft, found, onStarted }: Omit<Props, "onChange">) => {
  const t = batchesTexts();
  const { route } = useLocation();
  const [progress, setProgress] = useState<{ done: number; all: number } | undefined>();
  const [tried, setTried] = useState<Tried | undefined>();
  const name = draft.file?.name.replace(/\.\w+$/, "").slice(0, 100) || t.unnamed(dateTime(Date.now()));
  const dry = useAct(async () => setTried(await tryOut(draft, found, name)));
  const [undone, setUndone] = useState(0);
  // the same order has the same key, so that a second press after a lost answer makes no second batch
  const order = JSON.stringify([orderOf(draft, name), found.good.length, undone]);
  const key = useMemo(() => crypto.randomUUID(), [order]);
  const start = useAct(async () => {
    const onProgress = (done: number, all: number): void => setProgress({ done, all });
    const id = await handOver(draft, found, { name, key, onProgress }).catch((error: unknown) => {
      if (error instanceof Undone) setUndone(undone + 1); // that batch was cancelled
      throw error;
    });
    onStarted();
    refresh("batches/");
    route(href(`/batches/${id}`));
  });
  const [isAsking, setAsking] = useState(false);
  const phone = usePhone(draft.phoneId);
  const missing = missingIn(draft, found);
  return (
    <>
      {missing === undefined && <Plan draft={draft} count={found.good.length} />}
      {tried !== undefined && !dry.isRunning && <ForecastText tried={tried} />}
      <RefusedText error={dry.error} />
      {missing !== undefined && (
        <p class="soft" id="start-missing">
          {t.send.missing[missing]}
        </p>
      )}
      <div class="form-actions">
        <Button
          icon={FlaskConical}
          isBusy={dry.isRunning}
          disabled={missing !== undefined}
          onClick={() => void dry.run()}
        >
          {t.send.tryIt}
        </Button>
        <Button
          tone="primary"
          icon={Send}
          disabled={missing !== undefined}
          {...(missing === undefined ? {} : { "aria-describedby": "start-missing" })}
          onClick={() => {
            start.clear();
            setAsking(true);
          }}
        >
          {draft.isLater ? t.send.planIt : t.send.start}
        </Button>
      </div>
      {isAsking && (
        <AskToStart
          draft={draft}
          found={found}
          phone={phone}
          start={start}
          progress={progress}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
};

const Plan = ({ draft, count }: { draft: Draft; count: number }) => {
  const t = batchesTexts().send;
  const lengthMs = count * draft.delayMs;
  const start = (draft.isLater ? momentOf(draft.startsAt)?.getTime() : undefined) ?? Date.now();
  return (
    <p>
      {t.plan(t.messages(count), span(lengthMs))} {t.ends(dateTime(start + lengthMs))}
    </p>
  );
};
