import { BUILT_IN } from "../../plugins/session/client/client-version.ts";
import { CARDS } from "../../plugins/waba/rates/cards.ts";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { NEWEST_GRAPH } from "../../src/kernel/settings/graph-version.ts";

/**
 * What a network was seen to have. `value`: as the source shows it. `seenOn`: the day of the source, in UTC. `lookedOn`:
 * the day of the last look for a newer source. `inCode`: the value that the code speaks, if the code names one.
 */
export type NetworkObservation = {
  name: string;
  what: string;
  value: string;
  seenOn: string;
  lookedOn: string;
  source: string;
  inCode?: string;
};

const newestCard = CARDS.map(({ effectiveFrom }) => effectiveFrom)
  .toSorted()
  .at(-1);

/**
 * TABLE: the facts of networks that change without notice. `npm run networks` says which are old, `npm run docs` writes
 * docs/networks.md, and a release refuses old ones. A value that changed gets the day and the source of its observation.
 */
export const OBSERVATIONS: readonly NetworkObservation[] = [
  {
    name: "whatsapp-web-client",
    what: "client version of WhatsApp Web that sessions speak",
    value: "2.3000.1049833609",
    seenOn: "2026-10-09",
    lookedOn: "2026-11-28",
    source: "a public project that checked itself against this build on 9 and 10 October",
    inCode: `2.3000.${BUILT_IN}`,
  },
  {
    name: "graph-version",
    what: "newest version of the Graph API",
    value: "v27.0",
    seenOn: "2026-11-04",
    lookedOn: "2026-11-28",
    source: "https://developers.facebook.com/documentation/development/graph-api/changelog",
    inCode: NEWEST_GRAPH,
  },
  {
    name: "whatsapp-prices",
    what: "day from which Meta's newest price cards hold",
    value: "2026-10-01",
    seenOn: "2026-10-01",
    lookedOn: "2026-11-28",
    source: "copies of Meta's cards that others publish",
    ...(newestCard === undefined ? {} : { inCode: newestCard }),
  },
  {
    name: "messenger-changelog",
    what: "newest entry of the changelog of the Messenger Platform",
    value: "2026-06-30: a grid of images",
    seenOn: "2026-06-30",
    lookedOn: "2026-11-28",
    source: "https://developers.facebook.com/documentation/business-messaging/messenger-platform/changelog/rss/",
  },
  {
    name: "instagram-changelog",
    what: "newest entry of the changelog of the Instagram Platform",
    value: "2026-10-05: quick replies for numbers and mail addresses end",
    seenOn: "2026-10-05",
    lookedOn: "2026-11-28",
    source: "https://developers.facebook.com/documentation/instagram-platform/changelog/rss/",
  },
  {
    name: "telegram-bot-api",
    what: "newest version of the Telegram Bot API",
    value: "10.3",
    seenOn: "2026-10-19",
    lookedOn: "2026-11-28",
    source: "https://core.telegram.org/bots/api-changelog, as a public guide reports it",
  },
];

/** A fact whose last look is older is looked for again before a release. */
export const OLD_AFTER_DAYS = 30;

/** The whole days since the last look for a fact. */
export const ageInDays = ({ lookedOn }: Pick<NetworkObservation, "lookedOn">, now: number): number =>
  Math.floor((now - Date.parse(`${lookedOn}T00:00:00Z`)) / DAY_MS);

export const oldObservations = (now: number, observations = OBSERVATIONS): NetworkObservation[] =>
  observations.filter((fact) => ageInDays(fact, now) > OLD_AFTER_DAYS);

/**
 * Why a release is refused; undefined for a release that may go on. `accepted`: the names of old facts that the releaser
 * has looked for again, without a newer source.
 */
export const refusalOfOld = (
  now: number,
  accepted: readonly string[],
  observations = OBSERVATIONS,
): string | undefined => {
  const unknown = accepted.filter((name) => !observations.some((fact) => fact.name === name));
  if (unknown.length > 0) return `docs/networks.md has no fact ${unknown.join(", ")}`;
  const old = oldObservations(now, observations).filter(({ name }) => !accepted.includes(name));
  if (old.length === 0) return undefined;
  return [
    `these facts of networks are older than ${OLD_AFTER_DAYS} days; renew them, or name each with --old-network:`,
    ...old.map((fact) => `  ${fact.name}: ${fact.value}, ${ageInDays(fact, now)} days old`),
  ].join("\n");
};

/** The facts as a Markdown table, for docs/networks.md. */
export const networksTable = (): string =>
  [
    "| Name | What | Value | Seen on | Looked on | Source |",
    "|---|---|---|---|---|---|",
    ...OBSERVATIONS.map(
      ({ name, what, value, seenOn, lookedOn, source }) =>
        `| \`${name}\` | ${what} | ${value} | ${seenOn} | ${lookedOn} | ${source} |`,
    ),
  ].join("\n");
