import type { MessageTimeline, TimelineStep } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { span } from "../../frame/texts/format.ts";
import { When } from "../../parts/when.tsx";
import { lifeTexts } from "./life-texts.ts";
import { adviceOf } from "./said.ts";

/** TABLE: the look of a step: success, trouble, or a mere event. */
const TONES: Readonly<Partial<Record<TimelineStep["kind"], "good" | "bad" | "warning">>> = {
  SENT: "good",
  DELIVERED: "good",
  READ: "good",
  ANSWERED: "good",
  FAILED: "bad",
  OPERATION_FAILED: "bad",
  TRY_REFUSED: "warning",
  TRY_UNCERTAIN: "warning",
  PHONE_DISCONNECTED: "warning",
  PHONE_RESTRICTED: "warning",
  FALLBACK_WITHHELD: "warning",
  FALLBACK_REFUSED: "bad",
};

const sentBy = ({ by }: TimelineStep): string | undefined => {
  if (by === null) return undefined;
  return lifeTexts().by[by.kind](by.name ?? (by.id.slice(0, 8) || by.kind));
};

/** The time since the step before; undefined unless positive, because the network's clock may run behind. */
const delayAfter = ({ at }: TimelineStep, before: TimelineStep | undefined): string | undefined => {
  const ms = before === undefined ? 0 : Date.parse(at) - Date.parse(before.at);
  return ms > 0 ? `+ ${span(ms)}` : undefined;
};

const Step = ({ step, before }: { step: TimelineStep; before: TimelineStep | undefined }) => {
  const t = lifeTexts();
  const { at, kind, code, reason, networkCode, messageId } = step;
  const who = sentBy(step);
  const advice = adviceOf(code);
  const delay = delayAfter(step, before);
  return (
    <li class={TONES[kind] ?? ""}>
      <div class="step-head">
        <strong>
          {t.steps[kind]}
          {who !== undefined && <span class="soft"> {who}</span>}
        </strong>
        <span>
          <When at={at} isFull />
          {delay !== undefined && <span class="delta">{delay}</span>}
        </span>
      </div>
      {reason !== null && (
        <p>
          <bdi dir="auto">{reason}</bdi>
        </p>
      )}
      {(code !== null || networkCode !== null) && (
        <p class="small soft">
          {code !== null && <code>{code}</code>} {networkCode !== null && t.networkCode(networkCode)}
        </p>
      )}
      {advice !== undefined && <p class="advice">{advice}</p>}
      {messageId !== null && (
        <a href={href(`/messages/${messageId}`)}>{kind === "ANSWERED" ? t.openAnswer : t.openOther}</a>
      )}
    </li>
  );
};

/** Every step in the life of a message, oldest first, and its present wait. */
export const Timeline = ({ timeline: { steps, waiting, message } }: { timeline: MessageTimeline }) => {
  const t = lifeTexts();
  return (
    <ol class="timeline">
      {steps.map((step, index) => (
        <Step key={`${step.kind} ${step.at} ${index}`} step={step} before={steps[index - 1]} />
      ))}
      {waiting !== null && (
        <li class="now busy">
          <div class="step-head">
            <strong>{t.waiting.title}</strong>
            {waiting.since !== null && (
              <span>
                {t.waiting.since} <When at={waiting.since} />
              </span>
            )}
          </div>
          <p>{t.waiting[waiting.because]}</p>
          {waiting.reason !== null && !steps.some(({ reason }) => reason === waiting.reason) && (
            <p class="small soft">{waiting.reason}</p>
          )}
          {waiting.nextTryAt !== null && (
            <p>
              {t.waiting.next}: <When at={waiting.nextTryAt} />
            </p>
          )}
          {waiting.because === "PHONE_AWAY" && <a href={href(`/phones/${message.phoneId}`)}>{t.waiting.toPhone}</a>}
        </li>
      )}
    </ol>
  );
};
