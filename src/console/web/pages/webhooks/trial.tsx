import { FlaskConical } from "lucide-preact";
import { useEffect, useState } from "preact/hooks";
import type { WebhookHealth, WebhookTestResult } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useAct } from "../../frame/requests/query.ts";
import { span } from "../../frame/texts/format.ts";
import { Button } from "../../parts/button.tsx";
import { CodeBlock } from "../../parts/copy.tsx";
import { Card } from "../../parts/layout.tsx";
import { Failure, Notice, type NoticeTone } from "../../parts/states.tsx";
import { untested } from "./edit.tsx";
import { webhooksTexts } from "./texts.ts";
import { verdictOf } from "./verdict.ts";
import { VERIFY_NODE, VERIFY_PYTHON } from "./verify.ts";

type Trial = { right: WebhookTestResult; wrong: WebhookTestResult };

const TONES: Readonly<Record<ReturnType<typeof verdictOf>, NoticeTone>> = {
  good: "good",
  unsafe: "warning",
  failing: "bad",
  closed: "bad",
};

const Outcome = ({ title, result }: { title: string; result: WebhookTestResult }) => {
  const t = webhooksTexts();
  const { statusCode, durationMs, responseBody, error } = result;
  return (
    <div class="outcome">
      <h3>{title}</h3>
      <p>{statusCode === null ? t.noAnswer(span(durationMs)) : t.arrived(statusCode, span(durationMs))}</p>
      {error !== null && statusCode === null && <p class="small soft">{error}</p>}
      {responseBody !== null && responseBody !== "" && (
        <pre class="answer" tabIndex={0} aria-label={`${title}: ${t.answer}`}>
          {responseBody}
        </pre>
      )}
    </div>
  );
};

/** Sends a sample event with the right signature, then one with a wrong one, and shows both answers. */
export const TrialCard = ({ health: { webhookId, kind, phoneId } }: { health: WebhookHealth }) => {
  const [trial, setTrial] = useState<Trial | undefined>(undefined);
  const t = webhooksTexts();
  const send = (forged: boolean): Promise<WebhookTestResult> =>
    kind === "phone"
      ? gateway.phones.testWebhook(phoneId ?? "", { forged })
      : gateway.webhooks.test(webhookId, { forged });
  const act = useAct(async () => {
    setTrial(undefined);
    setTrial({ right: await send(false), wrong: await send(true) });
  });
  useEffect(() => {
    if (untested.delete(webhookId)) void act.run();
  }, [webhookId]);
  return (
    <Card
      title={t.test}
      hint={t.testHint}
      actions={
        <Button tone="primary" icon={FlaskConical} isBusy={act.isRunning} onClick={() => void act.run()}>
          {t.sendTest}
        </Button>
      }
    >
      {act.error !== undefined && <Failure error={act.error} />}
      {trial !== undefined && (
        <div role="status">
          <Notice tone={TONES[verdictOf(trial)]}>{t.verdicts[verdictOf(trial)]}</Notice>
          <div class="grid">
            <Outcome title={t.right} result={trial.right} />
            <Outcome title={t.wrong} result={trial.wrong} />
          </div>
        </div>
      )}
      <details open={trial !== undefined && verdictOf(trial) !== "good"}>
        <summary>{t.verify}</summary>
        <div class="stack">
          <p class="small soft">{t.verifyHint}</p>
          <CodeBlock label="Node.js" text={VERIFY_NODE} />
          <CodeBlock label="Python" text={VERIFY_PYTHON} />
        </div>
      </details>
    </Card>
  );
};
