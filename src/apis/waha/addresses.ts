import { type Contact, contactOfKey } from "../../core/domain-event.ts";
import { isUuid } from "../../kernel/ids.ts";
import { jidOf } from "../shared/compatible/addresses.ts";

/** The address of a person, group, newsletter or broadcast as WAHA writes it. */
export const chatIdOf = (contact: Contact): string => jidOf(contact).replace("@s.whatsapp.net", "@c.us");

export const chatIdOfKey = (canonicalKey: string): string => chatIdOf(contactOfKey(canonicalKey));

/** The chat address of a number. */
export const chatIdOfNumber = (digits: string): string => `${digits}@c.us`;

/** The parts of WAHA's id of a message. `id`: Recado's own. `participant`: the author of a message in a group. */
export type MessageRef = { fromMe: boolean; chatId: string; id: string; participant?: string | undefined };

export const wahaMessageId = ({ fromMe, chatId, id, participant }: MessageRef): string =>
  [fromMe, chatId, id, ...(participant === undefined ? [] : [participant])].join("_");

/** Recado's id in WAHA's id of a message. A text that holds none is returned whole. */
export const messageIdIn = (text: string): string => text.split("_").find(isUuid) ?? text;
