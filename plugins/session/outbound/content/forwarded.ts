import { DEFAULT_ORIGIN, type proto } from "@whiskeysockets/baileys";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import type { SendOrder } from "../../../../src/contract/plugin.ts";
import type { HttpOpen } from "../../../../src/contract/ports/http.ts";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";
import { leave } from "../../../../src/kernel/network/bodies.ts";
import type { ActiveSocket } from "../../active-socket.ts";
import { contextOf } from "../../inbound/content/circumstances.ts";
import { partOf } from "../../inbound/content/content.ts";
import { fileOf } from "../../inbound/content/files.ts";
import { openedIn } from "../../inbound/content/wrappers.ts";
import { GONE, urlAt } from "../../inbound/media.ts";
import { cachedMessage } from "../../message-cache.ts";
import { refused, Unsendable } from "../outcomes.ts";

/** The place of the network's files. */
export type ForwardPorts = { stream: HttpOpen; fetchFrom(): Promise<string> };

/** TABLE: the parts that go on as they are; a live location would stand still. */
const FORWARDED: ReadonlySet<string> = new Set([
  "conversation",
  "extendedTextMessage",
  "imageMessage",
  "videoMessage",
  "ptvMessage",
  "audioMessage",
  "documentMessage",
  "stickerMessage",
  "locationMessage",
  "contactMessage",
  "contactsArrayMessage",
]);

/**
 * A message that goes on with the mark of a forwarded one, its file under the key that it has. Of a message with
 * buttons, or of a business, its words go on, with the file above them. Throws `Unsendable` for a message that is too
 * old, of another kind, or to be opened once, and for a file that the network has deleted.
 */
export const forwardedMessage = async (
  ports: ForwardPorts,
  { keyStore }: Pick<ActiveSocket, "keyStore">,
  key: ProviderMessageId,
  { type, content: said }: SendOrder,
): Promise<proto.IMessage> => {
  const copy = await cachedMessage(keyStore, key);
  if (!copy) throw new Unsendable(refused("the message is too old to be forwarded"));
  const message = openedIn(copy.message);
  const part = partOf(message);
  if (part === undefined || !FORWARDED.has(part)) {
    const words = wordsOf(message, type, said);
    if (!words) throw new Unsendable(refused(`the network forwards no message of this kind: ${part ?? "none"}`));
    await requireFile(ports, message);
    return words;
  }
  const payload = message[part as keyof proto.IMessage];
  if (isForOneView(copy.message, payload))
    throw new Unsendable(refused("a message that can be opened once cannot be forwarded"));
  await requireFile(ports, message);
  const contextInfo = forwardedContext(contextOf(payload));
  if (part === "conversation")
    return { extendedTextMessage: { ...textOf(said, message.conversation ?? ""), contextInfo } };
  return { [part]: { ...(payload as object), ...editedIn(said, part), contextInfo } };
};

/** What people could read of a message whose form is not forwarded; undefined if that is not all of it. */
const wordsOf = (
  message: proto.IMessage,
  type: SendOrder["type"],
  said: SendOrder["content"],
): proto.IMessage | undefined => {
  const contextInfo = forwardedContext({});
  if (type === "text") return { extendedTextMessage: { ...textOf(said, ""), contextInfo } };
  const file = fileOf(message);
  if (file?.type !== type) return undefined;
  const { type: of, file: part } = file;
  return { [`${of}Message`]: { ...part, ...("caption" in said ? { caption: said.caption } : {}), contextInfo } };
};

const isForOneView = (whole: proto.IMessage, payload: unknown): boolean =>
  Object.keys(whole).some((name) => name.startsWith("viewOnceMessage")) ||
  (payload as { viewOnce?: boolean | null } | undefined)?.viewOnce === true;

/** What a message says is kept but for its quote, its timer and its advertisement. */
const forwardedContext = ({
  forwardingScore,
  mentionedJid,
  groupMentions,
}: proto.IContextInfo): proto.IContextInfo => ({
  isForwarded: true,
  forwardingScore: (forwardingScore ?? 0) + 1,
  ...(mentionedJid?.length ? { mentionedJid } : {}),
  ...(groupMentions?.length ? { groupMentions } : {}),
});

const textOf = (said: SendOrder["content"], text: string) => ({ text: "text" in said ? (said.text ?? text) : text });

/** The copy has the first words of a message, the order those after its edits. */
const editedIn = (said: SendOrder["content"], part: string): object => {
  if (part === "extendedTextMessage") return "text" in said ? { text: said.text } : {};
  return "caption" in said && said.caption !== undefined ? { caption: said.caption } : {};
};

const ASK_TIMEOUT_MS = 15 * SECOND_MS;

/** A message whose file is gone would arrive and never open. Where the network does not answer, it goes on. */
const requireFile = async ({ stream, fetchFrom }: ForwardPorts, message: proto.IMessage): Promise<void> => {
  const path = fileOf(message)?.file.directPath;
  const url = path === undefined ? undefined : urlAt(await fetchFrom(), path);
  if (url === undefined) return;
  const headers = { origin: DEFAULT_ORIGIN };
  const answer = await stream({ method: "GET", url, headers, timeoutMs: ASK_TIMEOUT_MS });
  if (!answer.ok) return;
  leave(answer.body);
  if (GONE.has(answer.status)) throw new Unsendable(refused("the file of the message is no longer at the network"));
};
