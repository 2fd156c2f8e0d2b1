import { createCipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { proto } from "@whiskeysockets/baileys";

/**
 * What apps hide under the secret of a message: its id, who wrote it and who hides something, each by the address that
 * the app takes.
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

/** An edit; `edited` is what the app hides: the act as a whole, or the new message alone. */
export const editUnder = (under: Under, edited: proto.IMessage): proto.IMessage => ({
  secretEncryptedMessage: {
    targetMessageKey: { id: under.id },
    secretEncType: proto.Message.SecretEncryptedMessage.SecretEncType.MESSAGE_EDIT,
    ...seal(under, "Message Edit", proto.Message.encode(edited).finish()),
  },
});

/** A reaction; `isWhole`: hidden as any message has it, and not alone. */
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
