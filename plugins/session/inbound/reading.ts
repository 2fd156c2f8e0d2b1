import { isJidNewsletter, isJidStatusBroadcast, type proto, type WAMessage } from "@whiskeysockets/baileys";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { type Cancel, SECOND_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import type { ActiveSocket, Attach } from "../active-socket.ts";
import { isGroup } from "../address.ts";
import type { PhoneSettings } from "../phone-settings.ts";

/** A person takes a moment to read. What comes meanwhile is marked with it, in one receipt for each chat. */
const READ_AFTER_MS = 2 * SECOND_MS;
const READ_WITHIN_MS = 4 * SECOND_MS;
/** The maximum number of messages that wait. The messages beyond it stay unread. */
const MOST_WAITING = 1000;

/** `close` ends the wait: what was not marked yet stays unread. */
export type Reading = { readonly attach: Attach; close(): void };

/** Marks received messages as read, some seconds after they came, while the setting `readAutomatically` is on. */
export const createReading = (
  { clock, random, log, channelId }: Pick<ChannelHost, "clock" | "random" | "log" | "channelId">,
  settings: Pick<PhoneSettings, "current">,
): Reading => {
  let waiting: proto.IMessageKey[] = [];
  let cancel: Cancel | undefined;

  const mark = async (active: ActiveSocket): Promise<void> => {
    const keys = waiting;
    waiting = [];
    const { readAutomatically } = await settings.current();
    if (readAutomatically && active.isCurrent()) await active.sock.readMessages(keys);
  };
  const add = async (active: ActiveSocket, messages: readonly WAMessage[]): Promise<void> => {
    const { readAutomatically, ignoreGroups } = await settings.current();
    if (!readAutomatically || !active.isCurrent()) return;
    const keys = messages.filter(isToBeRead).map(({ key }) => key);
    waiting.push(...keys.filter(({ remoteJid }) => !ignoreGroups || !isGroup(remoteJid ?? "")));
    waiting.length = Math.min(waiting.length, MOST_WAITING);
    if (waiting.length === 0 || cancel) return;
    cancel = clock.timer(READ_AFTER_MS + READ_WITHIN_MS * random.float(), () => {
      cancel = undefined;
      mark(active).catch(note);
    });
  };
  const note = (thrown: unknown) =>
    log.warn({ channelId, error: reasonOf(thrown) }, "messages could not be marked as read");
  const close = (): void => {
    cancel?.();
    cancel = undefined;
    waiting = [];
  };

  return {
    attach(active) {
      // what waits belongs to the socket before, whose end it does not outlive
      close();
      active.sock.ev.on("messages.upsert", ({ messages, type }) => {
        if (type === "notify" || type === "append") add(active, messages).catch(note);
      });
    },
    close,
  };
};

const isToBeRead = ({ key: { fromMe, remoteJid, id }, message, messageStubType }: WAMessage): boolean =>
  !fromMe &&
  Boolean(id) &&
  !messageStubType &&
  Boolean(message) &&
  !message?.protocolMessage &&
  !message?.reactionMessage &&
  !isJidStatusBroadcast(remoteJid ?? "") &&
  !isJidNewsletter(remoteJid ?? "");
