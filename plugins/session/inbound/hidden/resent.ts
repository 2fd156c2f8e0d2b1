import { proto } from "@whiskeysockets/baileys";
import { fieldsIn } from "../../wire.ts";
import { openedIn } from "../content/wrappers.ts";
import { type Origin, originOfCopy } from "../origin.ts";
import { withSecretOf } from "./hidden.ts";

type Resent = { origin: Origin; content: proto.IMessage; bytes: Uint8Array };

/**
 * Messages that came without their content (as from advertisements) and that the owner's phone, asked by Baileys,
 * passes on. Only the phone's own word may be read this way.
 */
export const resentIn = ({ protocolMessage }: proto.IMessage): Resent[] => {
  const results = protocolMessage?.peerDataOperationRequestResponseMessage?.peerDataOperationResult ?? [];
  return results.flatMap(
    ({ placeholderMessageResendResponse }) => resentOf(placeholderMessageResendResponse?.webMessageInfoBytes) ?? [],
  );
};

const resentOf = (bytes: Uint8Array | null | undefined): Resent | undefined => {
  const info = bytes && decoded(bytes);
  const [origin, content] = [info && originOfCopy(info), openedIn(info?.message)];
  const message = info && bytes && messageBytesIn(bytes);
  return origin && content && message
    ? { origin, content: withSecretOf(content, [info?.message]), bytes: message }
    : undefined;
};

const MESSAGE_FIELD = 2;
const messageBytesIn = (info: Uint8Array): Uint8Array | undefined =>
  [...fieldsIn(info)].findLast(({ number }) => number === MESSAGE_FIELD)?.value;

const decoded = (bytes: Uint8Array): proto.IWebMessageInfo | undefined => {
  try {
    return proto.WebMessageInfo.decode(bytes);
  } catch {
    return undefined;
  }
};
