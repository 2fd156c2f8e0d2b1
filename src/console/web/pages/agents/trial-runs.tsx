import { Play, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import type { TrialResult, TrialRun } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { number } from "../../frame/texts/format.ts";
import { Badge, type BadgeTone } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/layout.tsx";
import { Failure, Loaded, Notice } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { trialsTexts } from "./trials-texts.ts";

const TONES: Record<TrialResult["outcome"], BadgeTone> = {
  PENDING: "neutral",
  PASSED: "good",
  FAILED: "bad",
  ERROR: "warning",
};
/** No event says that a question has its answer, so the page asks until the end of the run. */
const RUNNING_MS = 2000;

/** The runs of an agent's questions: the newest with its answers, the earlier ones on demand. */
export const TrialRuns = ({ phoneId }: { phoneId: string }) => {
  const t = trialsTexts();
  const [isRunning, setRunning] = useState(false);
  const [chosen, setChosen] = useState<string | undefined>();
  const runs = useQuery(
    `trials/${phoneId}/runs`,
    (signal) => gateway.ai.listTrialRuns(phoneId, {}, { signal }).page(),
    { on: ["agent:worsened"], ...(isRunning ? { everyMs: RUNNING_MS } : {}) },
  );
  const isOpen = runs.data?.[0]?.status === "RUNNING";
  if (isOpen !== isRunning) setRunning(isOpen);
  const begin = useAct(async () => {
    await gateway.ai.beginTrialRun(phoneId);
    setChosen(undefined);
    refresh(`trials/${phoneId}`);
  });
  return (
    <Card
      title={t.runs}
      hint={t.runsHint}
      actions={
        may("ai.write") && (
          <Button tone="primary" icon={Play} isBusy={begin.isRunning || isOpen} onClick={() => void begin.run()}>
            {t.begin}
          </Button>
        )
      }
    >
      {begin.error !== undefined && <Failure error={begin.error} />}
      <Loaded query={runs} lines={3}>
        {(found) => {
          const run = found.find(({ id }) => id === chosen) ?? found[0];
          return run === undefined ? (
            <p class="soft">{t.noRuns}</p>
          ) : (
            <>
              <ul class="documents" aria-label={t.runs}>
                {found.map((one) => (
                  <RunItem key={one.id} run={one} isShown={one === run} onShow={() => setChosen(one.id)} />
                ))}
              </ul>
              <Results key={run.id} phoneId={phoneId} run={run} />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
};

const RunItem = ({ run, isShown, onShow }: { run: TrialRun; isShown: boolean; onShow: () => void }) => {
  const t = trialsTexts();
  const { status, cause, callTools, createdAt, totals } = run;
  return (
    <li>
      <div class="document">
        <p class="document-name">{t.passed(number(totals.passed), number(totals.questions))}</p>
        <p class="small soft">
          <When at={createdAt} /> · {t.causes[cause]}
          {callTools && ` · ${t.withTools}`} · {t.statuses[status]} ·{" "}
          {t.counts(number(totals.unknown), number(totals.invented))}
        </p>
      </div>
      {!isShown && (
        <Button tone="quiet" onClick={onShow}>
          {t.show}
        </Button>
      )}
    </li>
  );
};

const Results = ({ phoneId, run: { id, status, totals } }: { phoneId: string; run: TrialRun }) => {
  const t = trialsTexts();
  // each answer changes the key, so the results follow the run
  const run = useQuery(`trials/${phoneId}/runs/${id}/${status}/${totals.pending}`, (signal) =>
    gateway.ai.getTrialRun(phoneId, id, { signal }),
  );
  const remove = useAct(async () => {
    await gateway.ai.deleteTrialRun(phoneId, id);
    refresh(`trials/${phoneId}`);
  });
  return (
    <Loaded query={run}>
      {({ results, errorReason }) => (
        <>
          {errorReason !== null && <Notice tone="bad">{errorReason}</Notice>}
          <Broken results={results} />
          <div class="trials">
            {results.map((result) => (
              <Result key={result.question} result={result} />
            ))}
          </div>
          {remove.error !== undefined && <Failure error={remove.error} />}
          {may("ai.write") && (
            <p>
              <Button icon={Trash2} isBusy={remove.isRunning} onClick={() => void remove.run()}>
                {status === "RUNNING" ? t.stop : t.remove}
              </Button>
            </p>
          )}
        </>
      )}
    </Loaded>
  );
};

/** The questions whose answers were right in the run before, and are not in this one. */
const Broken = ({ results }: { results: readonly TrialResult[] }) => {
  const t = trialsTexts();
  const broken = results.filter(({ change }) => change === "BROKEN");
  if (broken.length === 0) return null;
  return (
    <Notice tone="bad">
      <p>{t.worse(number(broken.length))}</p>
      <ul>
        {broken.map(({ question }) => (
          <li key={question}>{question}</li>
        ))}
      </ul>
    </Notice>
  );
};

const Result = ({ result }: { result: TrialResult }) => {
  const t = trialsTexts();
  const { question, outcome, change, answer, missing, expectUnknown, passages, errorReason } = result;
  return (
    <article class="trial">
      <p class="agent-turn user">{question}</p>
      {answer !== null && <p class="agent-turn assistant">{answer}</p>}
      <p class="small soft">
        <Badge tone={TONES[outcome]}>{t.outcomes[outcome]}</Badge> {change !== null && t.changes[change]}
      </p>
      {missing.length > 0 && <p class="small">{t.missing(missing.join(" · "))}</p>}
      {expectUnknown && outcome === "FAILED" && <p class="small">{t.invented}</p>}
      {errorReason !== null && <p class="small document-fault">{errorReason}</p>}
      {passages.length > 0 && (
        <p class="small soft">{t.from([...new Set(passages.map(({ title }) => title ?? t.untitled))].join(" · "))}</p>
      )}
    </article>
  );
};
