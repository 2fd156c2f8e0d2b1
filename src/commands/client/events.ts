import type { Gateway, StreamGap } from "../../../clients/typescript/src/index.ts";
import { DAY_MS, HOUR_MS, iso, MINUTE_MS, SECOND_MS, systemClock } from "../../kernel/clock.ts";
import { type CommandContext, EXIT } from "../command.ts";
import { InputFault, type Session, withClient } from "./connected.ts";
import { plain, shortened } from "./text.ts";

export type EventsOptions = {
  url: string | undefined;
  json: boolean;
  isFollowing: boolean;
  phone: string | undefined;
  types: readonly string[];
  since: string | undefined;
  limit: number;
};

/** The number of characters of its data that an event's line shows. */
const SHOWN_CHARACTERS = 160;
const PAGE = 200;

/** `recado events`. */
export const showEvents = (context: CommandContext, options: EventsOptions): Promise<number> =>
  withClient(context, { name: "events", url: options.url }, async (session) => {
    const since = options.since === undefined ? undefined : timeOf(options.since);
    const print = (event: Shown) => context.out(options.json ? JSON.stringify(event) : lineOf(event));
    if (!options.isFollowing) {
      for (const event of await earlier(session, options, since)) print(event);
      return EXIT.ok;
    }
    await follow(context, session, { options, since, print });
    return EXIT.ok;
  });

const UNITS: Readonly<Record<string, number>> = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** A given time, or the time before now by a given span. @throws InputFault */
const timeOf = (text: string): string => {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const at = count === undefined ? Date.parse(text) : systemClock().now() - Number(count) * (UNITS[unit] ?? 0);
  if (Number.isNaN(at)) throw new InputFault("--since must be a time such as 2026-11-22T09:00Z, or 15m, 2h, 3d");
  return iso(at);
};

/** An event of the stream, or of a list with fewer fields. */
type Shown = { id: string; type: string; phoneId: string | null; timestamp: string; data: object };

/** The last events, oldest first. */
const earlier = async (
  { recado, ended }: Session,
  { phone, types, limit }: EventsOptions,
  since: string | undefined,
): Promise<Shown[]> => {
  const query = {
    phoneId: phone,
    since,
    include: "data" as const,
    limit: Math.min(limit, PAGE),
    ...(types.length > 0 ? { types: types.join(",") } : {}),
  };
  const events = await recado.events.list(query, { signal: ended }).toArray({ limit });
  return events
    .map(({ id, type, phoneId, createdAt, data = {} }) => ({ id, type, phoneId, timestamp: createdAt, data }))
    .toReversed();
};

type Follow = { options: EventsOptions; since: string | undefined; print(event: Shown): void };

/** Earlier events first if a time was given; the stream then continues after the last of them. */
const follow = async ({ err }: CommandContext, session: Session, { options, since, print }: Follow): Promise<void> => {
  const { recado, ended } = session;
  let lastEventId: string | undefined;
  if (since !== undefined) {
    const [newest] = (await recado.events.list({ limit: 1 }, { signal: ended }).page()).items;
    const listed = await earlier(session, options, since);
    listed.forEach(print);
    lastEventId = listed.at(-1)?.id ?? newest?.id;
  }
  const events = recado.events.stream({
    phoneId: options.phone,
    // the server refuses unknown types
    ...(options.types.length > 0 ? { types: options.types as Gateway.GatewayEvent["type"][] } : {}),
    lastEventId,
    signal: ended,
    onReconnect: (cause) => err(plain(`recado events: the stream is opened again: ${String(cause)}`)),
  });
  for await (const event of events) {
    if (event.type === "gap") err(gapLine(event));
    else print(event);
  }
};

const gapLine = ({ from, to }: StreamGap): string =>
  `recado events: the events from ${from ?? "the beginning"} to ${to} are missing; list them with --since`;

/** `2026-11-22T09:00:00.000Z  message:received  <phone>  {…}`. */
const lineOf = ({ timestamp, type, phoneId, data }: Shown): string => {
  const fields = [timestamp, type.padEnd(18), phoneId ?? "-", shortened(JSON.stringify(data), SHOWN_CHARACTERS)];
  return plain(fields.join("  "));
};
