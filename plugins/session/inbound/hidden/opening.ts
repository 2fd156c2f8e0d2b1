import { proto } from "@whiskeysockets/baileys";
import type { Identity } from "../../../../src/contract/events.ts";
import type { KeyChanges, KeyStore } from "../../../../src/contract/ports/key-store.ts";
import { type CachedMessage, cachedMessage, providerMessageIdOf } from "../../message-cache.ts";
import { type Act, editedText, permitted, reactionTo } from "../acts.ts";
import { merged, NOTHING, type Reading, seeing } from "../changes.ts";
import { RESPONSES } from "../content/calendar.ts";
import { countedVote, pollIn } from "../content/polls.ts";
import { unwrapped } from "../content/wrappers.ts";
import type { Origin } from "../origin.ts";
import { completedMessagePlace } from "../people.ts";
import { type Held, holdRows, releasedFor } from "./held.ts";
import { type Hidden, hiddenIn, opened, secretOf } from "./hidden.ts";

/**
 * The changes by a message with hidden content: a vote, an answer to an event, an edit or a reaction. If its target or the target's secret is
 * missing, the message is kept as it came until the target arrives.
 */
export const changesByHidden = async (reading: Reading, hidden: Hidden, held: Held): Promise<KeyChanges> => {
  const { keyStore, host } = reading;
  const copy = await cachedMessage(keyStore, hidden.target);
  if (copy && secretOf(copy.message)) return changesByOpened(reading, copy, hidden, held.origin);
  host.log.debug({ use: hidden.use }, "something is hidden under a secret that has not come yet: it is kept for a day");
  return { rows: await holdRows(keyStore, hidden.target, held, host.clock.now()) };
};

/** The changes by messages that waited for a message which has arrived. */
export const changesByReleased = async (reading: Reading, copy: CachedMessage): Promise<KeyChanges> => {
  const key = providerMessageIdOf(copy.key.id);
  if (key === undefined || !secretOf(copy.message)) return NOTHING;
  const { held, rows } = await releasedFor(reading.keyStore, key, reading.host.clock.now());
  let changes: KeyChanges = { rows };
  for (const { origin, message } of held) {
    const hidden = hiddenIn(message);
    const unwritten = {
      ...reading,
      keyStore: { ...reading.keyStore, ...seeing(reading.keyStore, changes.rows ?? []) },
    };
    if (hidden) changes = merged([changes, await changesByOpened(unwritten, copy, hidden, origin)]);
  }
  return changes;
};

const changesByOpened = async (
  { host, keyStore, own }: Reading,
  copy: CachedMessage,
  hidden: Hidden,
  origin: Origin,
): Promise<KeyChanges> => {
  const secret = secretOf(copy.message);
  const [author, doer] = [await personBy(keyStore, copy, own), await personBy(keyStore, origin, own)];
  const plain = secret && opened(hidden, { secret, author, doer });
  if (!plain) {
    host.log.info({ use: hidden.use }, "the hidden content of a message could not be opened");
    return NOTHING;
  }
  const vote =
    hidden.use === "Poll Vote"
      ? await voteIn(keyStore, { plain, hidden, copy, doer, origin, now: host.clock.now() })
      : undefined;
  const act = vote?.act ?? actIn(plain, hidden);
  const event = act && (await permitted(keyStore, copy, act, { origin, own }));
  return event ? { events: [event], rows: vote?.rows ?? [] } : NOTHING;
};

/** The writer of a message: the owner, or a person with all known names. */
const personBy = async (
  keyStore: Pick<KeyStore, "read">,
  { key }: Pick<Origin, "key">,
  own: Identity,
): Promise<Identity> => (key.fromMe ? own : (await completedMessagePlace(keyStore, key)).from);

type OpenedVote = {
  plain: Uint8Array;
  hidden: Hidden;
  copy: CachedMessage;
  doer: Identity;
  origin: Origin;
  now: number;
};

const voteIn = async (keyStore: Pick<KeyStore, "read">, { plain, hidden, copy, doer, origin, now }: OpenedVote) => {
  const poll = pollIn(copy.message);
  const hashes = decoded(() => proto.Message.PollVoteMessage.decode(plain))?.selectedOptions;
  const at = Number.isSafeInteger(hidden.at) && hidden.at > 0 ? hidden.at : origin.at;
  const vote =
    poll && hashes && (await countedVote(keyStore, poll, { poll: hidden.target, voter: doer, hashes, at }, now));
  return vote && { rows: vote.rows, act: { kind: "voted", target: hidden.target, ...vote.counted } satisfies Act };
};

const MOST_GUESTS = 1000;

/** The answer to an event; undefined for a kind of answer that has no name here. */
const responseIn = (
  response: proto.Message.IEventResponseMessage | undefined,
  target: Act["target"],
): Act | undefined => {
  const named = RESPONSES.get(response?.response ?? 0);
  const extraGuests = Math.min(Math.max(response?.extraGuestCount ?? 0, 0), MOST_GUESTS);
  return named && { target, kind: "responded", response: named, extraGuests };
};

const actIn = (plain: Uint8Array, { use, target }: Hidden): Act | undefined => {
  const message = decoded(() => proto.Message.decode(plain));
  switch (use) {
    case "Poll Vote":
      return undefined;
    case "Enc Reaction": {
      // apps hide the reaction alone, or as a whole message
      const whole = message && unwrapped(message).reactionMessage;
      const reaction = whole ?? decoded(() => proto.Message.ReactionMessage.decode(plain));
      return reaction && reactionTo(target, reaction.text ?? "");
    }
    case "Event Response":
      return responseIn(
        decoded(() => proto.Message.EventResponseMessage.decode(plain)),
        target,
      );
    case "Message Edit": {
      const text = editedText(message);
      return text === undefined ? undefined : { target, kind: "edited", text };
    }
  }
};

const decoded = <Message>(decode: () => Message): Message | undefined => {
  try {
    return decode();
  } catch {
    return undefined; // its writer hid other content
  }
};
