import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { newWamid } from "../ids.ts";
import type { Fields } from "../shape.ts";
import type { PhoneNumber, State } from "../state.ts";
import { secondsOf } from "../values.ts";
import { contentOf, digitsOf } from "./content.ts";
import type { HistoryMessage } from "./seeds.ts";

/** How long before onboarding a phase reaches back; nothing older is shared. */
const PHASE_DAYS = [1, 90, 180];
const MEDIA_DAYS = 14;

export type HistoryChunk = {
  metadata: { phase: number; chunk_order: number; progress: number };
  threads: { id: string; messages: Fields[] }[];
};

/** The chunks of a history, the media whose content follows later, and the id of every message in it. */
type History = { chunks: HistoryChunk[]; held: Fields[]; wamids: string[] };

/** A message of the history: the person of its chat, and its form there. */
type HistoryItem = { waId: string; item: Fields };

export const historyOf = (
  state: State,
  number: PhoneNumber,
  messages: readonly HistoryMessage[],
  chunkSize: number,
): History => {
  const known = messages.map((message) => ({
    ...message,
    wamid: message.wamid ?? newWamid(state.random, message.waId, message.isFromBusiness ? "outbound" : "inbound"),
  }));
  const phases = PHASE_DAYS.map((_, phase) => known.filter((message) => phaseOf(number, message) === phase));
  const shared = phases.flat();
  const held = shared.filter((message) => message.content.kind === "media" && ageDays(number, message) <= MEDIA_DAYS);
  let done = 0;
  const chunks = phases.flatMap((phase, index) =>
    chunksOf(phase, chunkSize).map((chunk, order) => {
      done += chunk.length;
      const metadata = { phase: index, chunk_order: order + 1, progress: Math.floor((100 * done) / shared.length) };
      return {
        metadata,
        threads: threadsOf(chunk.map((message) => ({ waId: message.waId, item: historyItem(state, number, message) }))),
      };
    }),
  );
  return {
    chunks,
    held: held.map((message) => ({ ...headOf(number, message), ...contentOf(state, number, message.content) })),
    wamids: shared.map(({ wamid }) => wamid),
  };
};

/** Slices of at most `size` items, in order. */
export const chunksOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

const ageDays = (number: PhoneNumber, { at }: HistoryMessage): number => (number.onboardedAt - at) / DAY_MS;

/** -1 for a message that is older than every phase. */
const phaseOf = (number: PhoneNumber, message: HistoryMessage): number =>
  PHASE_DAYS.findIndex((days) => ageDays(number, message) <= days);

const threadsOf = (items: readonly HistoryItem[]): HistoryChunk["threads"] => {
  const threads = new Map<string, Fields[]>();
  for (const { waId, item } of items) threads.set(waId, [...(threads.get(waId) ?? []), item]);
  return [...threads].map(([id, messages]) => ({ id, messages }));
};

const historyItem = (state: State, number: PhoneNumber, message: HistoryMessage & { wamid: string }): Fields => ({
  ...headOf(number, message),
  ...(message.content.kind === "media" ? { type: "media_placeholder" } : contentOf(state, number, message.content)),
  history_context: { status: message.status ?? "READ" },
});

const headOf = (
  number: PhoneNumber,
  { waId, isFromBusiness = false, wamid, at }: HistoryMessage & { wamid: string },
): Fields => ({
  from: isFromBusiness ? digitsOf(number) : waId,
  ...(isFromBusiness ? { to: waId } : {}),
  id: wamid,
  timestamp: secondsOf(at),
});
