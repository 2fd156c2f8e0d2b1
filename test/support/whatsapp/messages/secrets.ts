import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { proto } from "@whiskeysockets/baileys";

/**
 * The context of content that apps hide under the secret of a message: its id, its author, and the person who hides,
 * each by the app's address.
 */
export type Under = { id: string; secret: Uint8Array; author: string; doer: string };

const hmac = (key: Uint8Array, ...data: (string | Uint8Array)[]): Buffer =>
  data.reduce((sum, part) => sum.update(part), createHmac("sha256", key)).digest();

/** HKDF in the one block that is needed. */
const keyFor = ({ id, secret, author, doer }: Under, use: string): Buffer =>
  hmac(hmac(Buffer.alloc(32), secret), id, author, doer, use, Buffer.from([1]));

const seal = (under: Under, use: string, plain: Uint8Array, bound = "") => {
  const encIv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyFor(under, use), encIv).setAAD(Buffer.from(bound));
  return { encPayload: Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]), encIv };
};

/** A vote for these options of a poll; `atMs`: when it was made. */
export const voteUnder = (under: Under, options: readonly string[], atMs: number): proto.IMessage => {
  const selectedOptions = options.map((option) => createHash("sha256").update(option).digest());
  const plain = proto.Message.PollVoteMessage.encode({ selectedOptions }).finish();
  return {
    pollUpdateMessage: {
      pollCreationMessageKey: { id: under.id },
      vote: seal(under, "Poll Vote", plain, `${under.id}\0${under.doer}`),
      senderTimestampMs: atMs,
    },
  };
};

/** An edit; `edited`: the hidden part, which is the whole act, or only the new message. */
export const editUnder = (under: Under, edited: proto.IMessage): proto.IMessage => ({
  secretEncryptedMessage: {
    targetMessageKey: { id: under.id },
    secretEncType: proto.Message.SecretEncryptedMessage.SecretEncType.MESSAGE_EDIT,
    ...seal(under, "Message Edit", proto.Message.encode(edited).finish()),
  },
});

/** A reaction; `isWhole`: the whole message is hidden, and not only the reaction. */
export const reactionUnder = (under: Under, text: string, { isWhole = false } = {}): proto.IMessage => ({
  encReactionMessage: {
    targetMessageKey: { id: under.id },
    ...seal(
      under,
      "Enc Reaction",
      isWhole
        ? proto.Message.encode({ reactionMessage: { key: { id: under.id }, text } }).finish()
        : proto.Message.ReactionMessage.encode({ text }).finish(),
    ),
  },
});

type Response = { response: "GOING" | "NOT_GOING" | "MAYBE"; extraGuestCount?: number };
const { EventResponseType } = proto.Message.EventResponseMessage;

/** An answer to a calendar event. */
export const responseUnder = (under: Under, { response, extraGuestCount = 0 }: Response): proto.IMessage => {
  const answer = { response: EventResponseType[response], timestampMs: 1, extraGuestCount };
  const plain = proto.Message.EventResponseMessage.encode(answer).finish();
  return {
    encEventResponseMessage: {
      eventCreationMessageKey: { id: under.id },
      ...seal(under, "Event Response", plain, `${under.id}\0${under.doer}`),
    },
  };
};

type Sealed = { encPayload?: Uint8Array | null; encIv?: Uint8Array | null };

/** Opens what somebody hid; throws where it was hidden by other addresses than these. */
const open = (under: Under, use: string, { encPayload, encIv }: Sealed, bound: string): Buffer => {
  const payload = Buffer.from(encPayload ?? []);
  const decipher = createDecipheriv("aes-256-gcm", keyFor(under, use), Buffer.from(encIv ?? [])).setAAD(
    Buffer.from(bound),
  );
  decipher.setAuthTag(payload.subarray(-16));
  return Buffer.concat([decipher.update(payload.subarray(0, -16)), decipher.final()]);
};

/** The options of a vote, as the app of a person in the poll reads it. */
export const votedIn = (under: Under, { pollUpdateMessage }: proto.IMessage, options: readonly string[]): string[] => {
  const plain = open(under, "Poll Vote", pollUpdateMessage?.vote ?? {}, `${under.id}\0${under.doer}`);
  const hashes = proto.Message.PollVoteMessage.decode(plain).selectedOptions.map((hash) =>
    Buffer.from(hash).toString("hex"),
  );
  return options.filter((option) => hashes.includes(createHash("sha256").update(option).digest("hex")));
};

/** The answer to an event, as the app of a person who is invited reads it. */
export const answeredIn = (under: Under, { encEventResponseMessage }: proto.IMessage) => {
  const plain = open(under, "Event Response", encEventResponseMessage ?? {}, `${under.id}\0${under.doer}`);
  const { response, extraGuestCount } = proto.Message.EventResponseMessage.decode(plain);
  return { response: EventResponseType[response ?? 0], extraGuestCount };
};
