import { basename } from "node:path";
import type { Gateway, Recado } from "../../../clients/typescript/src/index.ts";
import { type CommandContext, EXIT } from "../command.ts";
import { followUntil, InputFault, type Session, withClient } from "./connected.ts";
import { readable, readText } from "./input.ts";
import { plain } from "./text.ts";

export type SendOptions = {
  url: string | undefined;
  json: boolean;
  phone: string;
  to: string;
  type: string | undefined;
  content: string | undefined;
  file: string | undefined;
  text: string | undefined;
  key: string | undefined;
  isDry: boolean;
  isWaiting: boolean;
};

/** `recado send`. */
export const sendMessage = (context: CommandContext, options: SendOptions): Promise<number> =>
  withClient(context, { name: "send", url: options.url }, async (session) => {
    const { type, content } = await messageOf(session.recado, options);
    const { phone: phoneId, to, key } = options;
    const given = key === undefined ? {} : { idempotencyKey: key };
    // the server checks that the content fits the type, and names its faults
    const message = { phoneId, to, type, content, ...given } as Gateway.SendMessage;
    if (options.isDry) return rehearse(context, session, message, options);
    if (options.isWaiting) return sendAndWait(context, session, message, options);
    const accepted = await session.recado.messages.send(message);
    print(context, options, accepted, `${accepted.messageId}  ${accepted.status}`);
    return EXIT.ok;
  });

const print = ({ out }: CommandContext, { json }: { json: boolean }, fields: object, line: string): void =>
  out(json ? JSON.stringify(fields) : plain(line));

type Message = { type: string; content: object };

const messageOf = async (recado: Recado, { type, content, file, text, isDry }: SendOptions): Promise<Message> => {
  if (content !== undefined) return { type: type ?? "text", content: objectIn(content) };
  const written = text === "-" ? (await readText("-")).replace(/\r?\n$/, "") : text;
  if (file === undefined) return { type: type ?? "text", content: { text: written } };
  if (isDry) throw new InputFault("--file uploads: leave --dry-run out");
  return fileMessage(recado, { path: file, type, caption: written });
};

const objectIn = (json: string): object => {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new InputFault("--content is not JSON", { cause });
  }
  if (typeof value === "object" && value !== null) return value;
  throw new InputFault("--content is not an object");
};

type FileGiven = { path: string; type: string | undefined; caption: string | undefined };

/** Uploads the file; the message names it by its handle. */
const fileMessage = async (recado: Recado, { path, type, caption }: FileGiven): Promise<Message> => {
  const file = await readable(path);
  const kind = type ?? /^(image|video|audio)\//.exec(file.type)?.[1] ?? "document";
  const { mediaHandle } = await recado.media.keepFile(file);
  return {
    type: kind,
    content: {
      mediaHandle,
      ...(caption === undefined ? {} : { caption }),
      ...(kind === "document" ? { filename: basename(path) } : {}),
    },
  };
};

const rehearse = async (
  context: CommandContext,
  { recado }: Session,
  message: Gateway.SendMessage,
  options: SendOptions,
): Promise<number> => {
  const checked = await recado.messages.send(message, { query: { dryRun: true } });
  const { to, isRepeat } = checked;
  print(context, options, checked, isRepeat ? "a repeat: it would not be sent again" : `it would be sent to ${to}`);
  return EXIT.ok;
};

type Progress = Pick<Gateway.Message, "messageId" | "status" | "failedReason">;

const ENDS: readonly Gateway.MessageStatus[] = ["DELIVERED", "READ", "FAILED"];

/** Follows the phone's events from before the send, so that no progress is missed. */
const sendAndWait = async (
  context: CommandContext,
  { recado, ended }: Session,
  message: Gateway.SendMessage,
  options: SendOptions,
): Promise<number> => {
  let sending: Promise<string> | undefined;
  let last = "";
  const show = ({ messageId, status, failedReason }: Progress) => {
    if (status !== last)
      print(context, options, { messageId, status, failedReason }, [messageId, status, failedReason ?? ""].join("  "));
    last = status;
  };
  const send = async (): Promise<string> => {
    const { messageId, status } = await recado.messages.send(message);
    show({ messageId, status, failedReason: null });
    return messageId;
  };
  /** Asks for the state itself: a reopened stream, or a repeated send, may have missed the event. */
  const look = async (): Promise<Progress | undefined> => {
    const id = await (sending ??= send());
    const found = await recado.messages.get(id, { signal: ended });
    show(found);
    return ENDS.includes(found.status) ? found : undefined;
  };
  const end = await followUntil(recado, {
    phoneId: message.phoneId,
    types: ["message:status"],
    ended,
    look,
    async onEvent({ type, data }) {
      if (type !== "message:status" || !("messageId" in data)) return undefined;
      return data.messageId === (await sending) ? look() : undefined;
    },
  });
  return end === undefined || end.status === "FAILED" ? EXIT.fault : EXIT.ok;
};
