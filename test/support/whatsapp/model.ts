import { jidDecode, jidEncode } from "@whiskeysockets/baileys";
import type { FaultRules } from "./faults.ts";
import type { MediaHost } from "./messages/media.ts";
import type { PasskeyCredential } from "./pairing/passkey-browser.ts";
import type { Stat } from "./stat.ts";
import type { Waiters } from "./waiters.ts";
import type { Stanza } from "./wire/stanza.ts";

/** How somebody is named to others: by number or by LID. */
export type Addressing = "lid" | "pn";

/**
 * Something with keys of its own: a phone or its companion that the network plays, or a linked device that speaks to
 * it.
 */
export type Device = {
  readonly account: Account;
  readonly id: number;
  /**
   * Its public keys as children of `<user>`, with a one-time key that is given out only once; nothing before it has
   * published any.
   */
  bundle(): Stanza[] | undefined;
  deliver(stanza: Stanza): void;
  /** The code by which the network refuses this message, for those whose apps would not show it. */
  judge?(stanza: Stanza): Promise<number | undefined>;
};

export type Account = {
  /** Bare digits; one without a number is known by its LID only. */
  pn: string | undefined;
  /** By which people without a number are found. */
  readonly username: string | undefined;
  readonly lid: string;
  /** Other spellings of the number under which usync finds it. */
  readonly aliases: readonly string[];
  name: string;
  addressing: Addressing;
  /** Whether it sends read receipts. */
  sendsReadReceipts: boolean;
  /** May not be taken into groups, and has to be invited. */
  isInvitedOnly?: boolean;
  /** Has blocked everybody who wants to take it into a group. */
  blocksGroups?: boolean;
  /** Its profile picture, and whom it is hidden from. */
  picture?: { id: string; bytes: Uint8Array };
  hidesPicture?: boolean;
  about?: string;
  /** Whom it has blocked. */
  blocked?: Set<Account>;
  /** The last presence that it sent, and what it showed in chats: `composing` to a jid. */
  presence?: string;
  chatStates?: { to: string; state: string; media: string | undefined }[];
  readonly devices: Map<number, Device>;
  /** The id of the next device that is linked; ids are never used again. */
  nextDevice: number;
  /** The end of the restriction on new chats, in seconds, and its kind. */
  timelock: { until: number; type: string } | undefined;
  /**
   * What strangers want of this account's companions: with a salt, a privacy token or the HMAC by it. Undefined:
   * nothing. `tokens`: those that others gave, in hexadecimal, by LID.
   */
  privacy: { salt: Buffer; tokens: Map<string, string> } | undefined;
  /** What the network says of the quota of new chats; "error": an error in place of it. */
  capping: Record<string, unknown> | "error" | undefined;
  /** A device is linked only with it. */
  passkey?: PasskeyCredential;
  /** The network names the devices of its LID alone. */
  isListedByLid?: boolean;
};

export type Group = {
  readonly jid: string;
  readonly addressing: Addressing;
  readonly owner: Account;
  readonly createdAt: number;
  subject: string;
  readonly members: Set<Account>;
  /** Who may change the group; the owner is one of them. */
  readonly admins: Set<Account>;
  description: { id: string; text: string } | undefined;
  /** The code of the invite link. */
  invite: string;
  /** Who has left, and may not be taken in again at once. */
  readonly left: Set<Account>;
  /** Who asks to join, and since when (seconds). */
  readonly requests: Map<Account, number>;
  /** `announcement`, `locked`, `membership_approval_mode`, `all_member_add`: those that are on. */
  readonly settings: Set<string>;
  picture: { id: string; bytes: Uint8Array } | undefined;
  /** Seconds after which messages disappear; 0 where they stay. */
  disappearsAfter: number;
};

export type Network = Waiters & {
  /** Seconds. */
  now(): number;
  readonly accounts: Map<string, Account>;
  readonly groups: Map<string, Group>;
  readonly rules: FaultRules;
  readonly stat: Stat;
  readonly media: MediaHost;
  /** Versions below `minVersion` are refused; those below `linkMin` may not be linked. The n of 2.3000.n. */
  readonly versions: { minVersion: number; linkMin: number };
  /** Sees every stanza that a client sends. */
  look?: (sent: Stanza) => void;
  /** A stanza or message id that nobody else has. */
  newId(): string;
};

/** The account of a jid, by number or LID, whatever its device. */
export const accountOf = (network: Network, jid: string | undefined): Account | undefined => {
  const decoded = jidDecode(jid);
  if (decoded?.server !== "lid" && decoded?.server !== "s.whatsapp.net" && decoded?.server !== "c.us") return undefined;
  return network.accounts.get(`${decoded.server === "lid" ? "lid" : "pn"}:${decoded.user}`);
};

export const deviceOf = (network: Network, jid: string | undefined): Device | undefined =>
  accountOf(network, jid)?.devices.get(jidDecode(jid)?.device ?? 0);

/** The jid of an account or of one of its devices; by LID where it has no number. */
export const jidOf = ({ pn, lid }: Account, addressing: Addressing, device = 0): string =>
  addressing === "pn" && pn !== undefined ? jidEncode(pn, "s.whatsapp.net", device) : jidEncode(lid, "lid", device);

/** Under which jid the keys of a device are kept by those the network plays. */
export const signalJid = (device: Device): string => jidOf(device.account, "lid", device.id);
