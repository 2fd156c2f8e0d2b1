import type {
  DeliveryState,
  HeldBecause,
  WebhookAttempt,
} from "../../../../../clients/typescript/src/generated/gateway.ts";
import { span } from "../../frame/texts/format.ts";
import { catalogue } from "../../frame/texts/languages.ts";
import { Badge, type BadgeTone } from "../badge.tsx";
import { When } from "../when.tsx";

const deliveryTexts = catalogue({
  en: {
    states: { WAITING: "Waiting", HELD: "Held", DELIVERED: "Delivered", DEAD: "Failed" },
    held: {
      WEBHOOK_PAUSED: "The webhook is paused. It is sent when the webhook is active again.",
      EARLIER_DELIVERY: "An earlier delivery of the same chat goes first.",
    },
    attempt: (n: number) => `Attempt ${n}`,
    answered: (status: number, took: string) => `The endpoint answered ${status} after ${took}.`,
    noAnswer: (took: string) => `No answer within ${took}.`,
    answer: "Answer of the endpoint",
    emptyAnswer: "The answer had no text.",
    noAttempts: "It has not been tried yet.",
    next: "Next try",
  },
  pt: {
    states: { WAITING: "Aguardando", HELD: "Retida", DELIVERED: "Entregue", DEAD: "Falhou" },
    held: {
      WEBHOOK_PAUSED: "O webhook está pausado. Ela será enviada quando ele for reativado.",
      EARLIER_DELIVERY: "Uma entrega anterior da mesma conversa vai primeiro.",
    },
    attempt: (n) => `Tentativa ${n}`,
    answered: (status, took) => `O endpoint respondeu ${status} após ${took}.`,
    noAnswer: (took) => `Sem resposta em ${took}.`,
    answer: "Resposta do endpoint",
    emptyAnswer: "A resposta veio sem texto.",
    noAttempts: "Ainda não houve tentativa.",
    next: "Próxima tentativa",
  },
  es: {
    states: { WAITING: "En espera", HELD: "Retenida", DELIVERED: "Entregada", DEAD: "Fallida" },
    held: {
      WEBHOOK_PAUSED: "El webhook está en pausa. Se enviará cuando vuelva a estar activo.",
      EARLIER_DELIVERY: "Una entrega anterior del mismo chat va primero.",
    },
    attempt: (n) => `Intento ${n}`,
    answered: (status, took) => `El endpoint respondió ${status} después de ${took}.`,
    noAnswer: (took) => `Sin respuesta en ${took}.`,
    answer: "Respuesta del endpoint",
    emptyAnswer: "La respuesta llegó sin texto.",
    noAttempts: "Todavía no hubo intentos.",
    next: "Próximo intento",
  },
});

const TONES: Readonly<Record<DeliveryState, BadgeTone>> = {
  WAITING: "busy",
  HELD: "warning",
  DELIVERED: "good",
  DEAD: "bad",
};

export const DeliveryBadge = ({ state }: { state: DeliveryState }) => (
  <Badge tone={TONES[state]}>{deliveryTexts().states[state]}</Badge>
);

/** The details of a delivery's state: why it is held, when its next attempt is, or why the last attempt failed. */
export const DeliveryNote = ({
  heldBecause,
  nextRetryAt,
  lastError,
  state,
}: {
  heldBecause: HeldBecause | null;
  nextRetryAt: string | null;
  lastError: string | null;
  state: DeliveryState;
}) => {
  const t = deliveryTexts();
  if (state === "DELIVERED") return null;
  return (
    <div class="small soft">
      {lastError !== null && <p>{lastError}</p>}
      {heldBecause !== null && <p>{t.held[heldBecause]}</p>}
      {nextRetryAt !== null && (
        <p>
          {t.next}: <When at={nextRetryAt} />
        </p>
      )}
    </div>
  );
};

/** The attempts of a delivery, newest first, each with the endpoint's answer as text. */
export const Attempts = ({ tries }: { tries: readonly WebhookAttempt[] }) => {
  const t = deliveryTexts();
  if (tries.length === 0) return <p class="soft">{t.noAttempts}</p>;
  return (
    <ol class="timeline">
      {tries.map(({ id, attempt, status, statusCode, durationMs, responseBody, error, at }, index) => (
        <li key={id} class={status === "DELIVERED" ? "good" : "bad"}>
          <div class="step-head">
            <strong>{t.attempt(attempt)}</strong>
            <When at={at} isFull />
          </div>
          <p>{statusCode === null ? t.noAnswer(span(durationMs)) : t.answered(statusCode, span(durationMs))}</p>
          {error !== null && statusCode === null && <p class="small soft">{error}</p>}
          {responseBody !== null && (
            <details open={index === 0 && status !== "DELIVERED"}>
              <summary>{t.answer}</summary>
              {responseBody === "" ? (
                <p class="small soft">{t.emptyAnswer}</p>
              ) : (
                <pre class="answer" tabIndex={0} aria-label={t.answer}>
                  {responseBody}
                </pre>
              )}
            </details>
          )}
        </li>
      ))}
    </ol>
  );
};
