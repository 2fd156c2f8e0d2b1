import { linksKeptFiles } from "../../contract/capabilities.ts";
import { fileHandlesOf, withLinks } from "../../contract/content/content-files.ts";
import type { ChannelPlugin } from "../../contract/plugin.ts";
import type { KeptFile } from "../../contract/ports/kept-files.ts";
import { HOUR_MS, SECOND_MS } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { MessageId } from "../../kernel/ids.ts";
import { findChannel } from "../../store/tables/channels/channels.ts";
import { findJobState } from "../../store/tables/jobs.ts";
import { deletionTime } from "../../store/tables/messaging/message-acts.ts";
import { findMessage, type MessageRow } from "../../store/tables/messaging/messages.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import type { MediaEnv } from "./env.ts";
import { openKept, placesOf } from "./kept.ts";
import { isSigned, type LinkEnv, type Signed, signedUntil } from "./links.ts";
import { unknownMedia } from "./media.ts";

// The links by which a network fetches the files of a message, where it takes links alone.

/** How long a network may take to fetch a file. Networks with a queue of their own fetch it minutes later. */
const SENT_LINK_TTL_MS = HOUR_MS;

/** The signed name of a file of a message: a link gives this one file, for this one message. */
const signedName = (messageId: string, file: string): string => `sent-files/${messageId}/${file}`;

/** The message as the network gets it: with links in the place of kept files, if the network takes links alone. */
export const linkedMessage = async (
  env: Pick<MediaEnv, "db" | "clock" | "secrets" | "jobs" | "gatewayUrl">,
  { capabilities, standsIn }: Pick<ChannelPlugin, "capabilities" | "standsIn">,
  message: MessageRow,
): Promise<MessageRow> => {
  const handles = fileHandlesOf(message.content).map(({ handle }) => handle);
  if (handles.length === 0 || standsIn || !linksKeptFiles(capabilities)) return message;
  const untilMs = env.clock.now() + SENT_LINK_TTL_MS;
  await holdFiles(env, message, { handles, untilMs });
  const linkOf = (handle: string): string => {
    const file = String(handles.indexOf(handle));
    const query = signedUntil(env, signedName(message.id, file), untilMs);
    return `${env.gatewayUrl()}/sent-files/${message.id}?file=${file}&${query}`;
  };
  return { ...message, content: withLinks(message.content, linkOf) };
};

type Held = { handles: readonly string[]; untilMs: number };

/** A file whose end is near stays as long as its link: the network may fetch it when the message has ended. */
const holdFiles = (
  env: Pick<MediaEnv, "db" | "jobs">,
  { tenantId }: MessageRow,
  { handles, untilMs }: Held,
): Promise<void> =>
  env.db.write(async (tx) => {
    for (const handle of handles)
      for (const key of await placesOf(tx, tenantId, handle)) {
        const erasure = await findJobState(tx, `erase:${key}`);
        if (erasure && erasure.runAt < untilMs) env.jobs.replace(tx, "media.erase", { key }, { runAt: untilMs });
      }
  });

const ended = (): AppError => new AppError("MEDIA_EXPIRED", { message: "This address is no longer valid." });

/**
 * The file of a link, for whoever has it. The link ends with its time. It ends earlier with the message: when the
 * message fails, is withdrawn or is deleted for everyone, or when its channel is deleted.
 * @throws AppError MEDIA_NOT_FOUND for an address that we did not make, and MEDIA_EXPIRED
 */
export const openSentFile = async (
  env: LinkEnv,
  { messageId, file, ...signed }: Signed & { messageId: string; file: string },
): Promise<KeptFile> => {
  if (!isSigned(env, signedName(messageId, file), signed)) throw unknownMedia();
  if (env.clock.now() >= Number(signed.exp) * SECOND_MS) throw ended();
  const message = await env.db.read((reader) => livingMessage(reader, messageId as MessageId));
  const { handle } = (message && fileHandlesOf(message.content)[Number(file)]) ?? {};
  const kept = message && handle !== undefined ? await openKept(env, message.tenantId, handle) : undefined;
  if (!kept) throw ended();
  return kept;
};

const livingMessage = async (
  reader: Parameters<typeof findMessage>[0],
  messageId: MessageId,
): Promise<MessageRow | undefined> => {
  const message = await findMessage(reader, EVERY_TENANT, messageId);
  if (!message || message.failedAt !== null || !(await findChannel(reader, EVERY_TENANT, message.channelId)))
    return undefined;
  return (await deletionTime(reader, messageId)) === null ? message : undefined;
};
