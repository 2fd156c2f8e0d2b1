import { createCipheriv, createHash, createHmac, randomBytes } from "node:crypto";
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
