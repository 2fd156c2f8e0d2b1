import type { RecentAttempt, WebhookHealth } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { dateTime, number, span } from "../../frame/texts/format.ts";
import { Badge, type BadgeTone } from "../../parts/badge.tsx";
import { usePhoneName } from "../../parts/phones/phones.tsx";
import { webhooksTexts } from "./texts.ts";

const TONES: Readonly<Record<WebhookHealth["state"], BadgeTone>> = {
  OK: "good",
  FAILING: "warning",
  WAITING: "bad",
  PAUSED: "neutral",
  DISABLED: "bad",
};

export const HealthBadge = ({ state }: Pick<WebhookHealth, "state">) => (
  <Badge tone={TONES[state]}>{webhooksTexts().states[state]}</Badge>
);

/** The owner of the webhook, in words. */
export const KindText = ({ health: { kind, phoneId } }: { health: WebhookHealth }) => {
  const { kinds } = webhooksTexts();
  const phone = usePhoneName(phoneId ?? "");
  return <>{kind === "phone" || kind === "app" ? kinds[kind](phone) : kinds[kind]}</>;
};

const HEIGHT = 32;
const WIDTH = 60;
/** The duration of the highest bar. Bars of slower attempts are as high. */
const SLOWEST_MS = 10_000;

const heightOf = ({ durationMs }: RecentAttempt): number =>
  8 + (HEIGHT - 8) * (Math.log10(1 + Math.min(durationMs, SLOWEST_MS)) / Math.log10(1 + SLOWEST_MS));

/**
 * The newest attempts as a row of bars, the newest at the right: the colour shows whether an attempt arrived, the
 * height shows its duration.
 */
export const Heartbeat = ({ recent }: Pick<WebhookHealth, "recent">) => {
  const t = webhooksTexts();
  if (recent.length === 0) return <p class="small soft">{t.noRecent}</p>;
  const shown = recent.slice(0, WIDTH).toReversed();
  const delivered = shown.filter((one) => one.delivered).length;
  return (
    <svg
      class="heartbeat"
      role="img"
      aria-label={t.recent(delivered, shown.length - delivered)}
      viewBox={`0 0 ${WIDTH * 6} ${HEIGHT}`}
      preserveAspectRatio="xMinYMid meet"
    >
      {Array.from({ length: WIDTH - shown.length }, (_, index) => (
        <rect key={index} x={index * 6 + 1} y={HEIGHT - 8} width={4} height={8} rx={1.5} />
      ))}
      {shown.map((one, index) => {
        const height = heightOf(one);
        return (
          <rect
            key={`${one.at} ${index}`}
            class={one.delivered ? "good" : "bad"}
            x={(WIDTH - shown.length + index) * 6 + 1}
            y={HEIGHT - height}
            width={4}
            height={height}
            rx={1.5}
          >
            <title>{`${dateTime(one.at)} · ${one.statusCode === null ? "–" : `HTTP ${one.statusCode}`} · ${span(one.durationMs)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
};

/** The figures of a webhook in one row. */
export const Figures = ({ health }: { health: WebhookHealth }) => {
  const t = webhooksTexts();
  const { delivered, failed, medianMs, slowestMs, waiting, paused, dead } = health;
  const figures: (readonly [string, string, string])[] = [
    [`${t.delivered} · ${t.last24}`, number(delivered), ""],
    [`${t.failed} · ${t.last24}`, number(failed), failed > 0 ? "warning" : ""],
    ...(medianMs === null ? [] : [[t.median, span(medianMs), ""] as const]),
    ...(slowestMs === null ? [] : [[t.slowest, span(slowestMs), ""] as const]),
    [t.waiting, number(waiting), ""],
    ...(paused === 0 ? [] : [[t.held, number(paused), "warning"] as const]),
    [t.dead, number(dead), dead > 0 ? "bad" : ""],
  ];
  return (
    <dl class="figures">
      {figures.map(([name, value, tone]) => (
        <div key={name} class={tone}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};
