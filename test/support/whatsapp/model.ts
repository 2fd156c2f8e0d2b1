import { jidDecode, jidEncode } from "@whiskeysockets/baileys";
import type { Business } from "./answers/business-iqs.ts";
import type { FaultRules } from "./faults.ts";
import type { MediaHost } from "./messages/media.ts";
import type { Newsletter } from "./newsletters/model.ts";
import type { PasskeyCredential } from "./pairing/passkey-browser.ts";
import type { Call } from "./people/calls.ts";
import type { Stat } from "./stat.ts";
import type { Waiters } from "./waiters.ts";
import type { Stanza } from "./wire/stanza.ts";

/** The name of a person for others: the number or the LID. */
export type Addressing = "lid" | "pn";

/** A device with its own keys: a phone or companion that the network plays, or a linked device that speaks to it. */
export type Device = {
  readonly account: Account;
  readonly id: number;
  /**
   * Its public keys as children of `<user>`, with a one-time key that is given out only once; undefined before it has
   * published keys.
   */
  bundle(): Stanza[] | undefined;
  deliver(stanza: Stanza): void;
  /** The code by which the network refuses this message, for those whose apps would not show it. */
  judge?(stanza: Stanza): Promise<number | undefined>;
};

export type Account = {
  /** Bare digits; empty for a person who is known only by the LID. */
  pn: string | undefined;
  /** The user name, which finds people without a number. */
  readonly username: string | undefined;
  readonly lid: string;
  /** Other spellings of the number under which usync finds it. */
  readonly aliases: readonly string[];
  name: string;
  addressing: Addressing;
  /** Its business profile and catalogue; undefined for a person who is no business. */
  business?: Business;
  /** Its privacy settings, by the network's names; and the timer of its new chats, in seconds. */
  privacySettings: Record<string, string>;
  disappearing?: string;
  /** Whether it sends read receipts. */
  sendsReadReceipts: boolean;
  /** Nobody may add it to groups; it has to be invited. */
  isInvitedOnly?: boolean;
  /** It has blocked everybody who wants to add it to a group. */
  blocksGroups?: boolean;
  /** Its profile picture, and the people who may not see it. */
  picture?: { id: string; bytes: Uint8Array };
  hidesPicture?: boolean;
  about?: string;
  /** Whom it shows statuses to: its contacts, all but some of them, or some alone. */
  statusPrivacy?: { type: "contacts" | "blacklist" | "whitelist"; people: Account[] };
  /** The people whom it has blocked. */
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
   * The proof that this account's companions need for strangers: with a salt, a privacy token or the HMAC by it.
   * Undefined: no proof. `tokens`: tokens from others, in hexadecimal, by LID.
   */
  privacy: { salt: Buffer; tokens: Map<string, string> } | undefined;
  /** The network's answer about the quota of new chats; "error": an error in its place. */
  capping: Record<string, unknown> | "error" | undefined;
  /** The passkey that linking a device requires. */
  passkey?: PasskeyCredential;
  /** The network names only the devices of its LID. */
  isListedByLid?: boolean;
};

export type Group = {
  readonly jid: string;
  readonly addressing: Addressing;
  readonly owner: Account;
  readonly createdAt: number;
  subject: string;
  readonly members: Set<Account>;
  /** The administrators of the group, with the owner. */
  readonly admins: Set<Account>;
  description: { id: string; text: string } | undefined;
  /** The code of the invite link, and those that were reset. */
  invite: string;
  readonly oldInvites: Set<string>;
  /** The invitations that were sent to one person each, by their code; `expiration` in seconds. */
  readonly invitations: Map<string, { to: Account; by: Account; expiration: number }>;
  /** The people whom an administrator removed: they cannot come back by the link. */
  readonly removed: Set<Account>;
  /** The most people that it takes. */
  capacity: number;
  /** The community that it is linked to. */
  parent: Group | undefined;
  /** Whether it is a community, or the group for the announcements of one. */
  role: "community" | "announcements" | undefined;
  /** The people who have left, and may not be added again at once. */
  readonly left: Set<Account>;
  /** The people who ask to join, and since when (seconds). */
  readonly requests: Map<Account, number>;
  /** `announcement`, `locked`, `membership_approval_mode`, `all_member_add`: the active ones. */
  readonly settings: Set<string>;
  picture: { id: string; bytes: Uint8Array } | undefined;
  /** Seconds after which messages disappear; 0 if they stay. */
  disappearsAfter: number;
};

export type Network = Waiters & {
  /** Seconds. */
  now(): number;
  readonly accounts: Map<string, Account>;
  readonly groups: Map<string, Group>;
  readonly calls: Map<string, Call>;
  /** The links of calls that were made. `startsAt`: in seconds. */
  readonly callLinks: { token: string; media: string; startsAt: string | undefined }[];
  /** By jid. */
  readonly newsletters: Map<string, Newsletter>;
  readonly rules: FaultRules;
  readonly stat: Stat;
  readonly media: MediaHost;
  /** Versions below `minVersion` are refused; those below `linkMin` may not be linked. The n of 2.3000.n. */
  readonly versions: { minVersion: number; linkMin: number };
  /** Sees every stanza that a client sends. */
  look?: (sent: Stanza) => void;
  /** A unique stanza or message id. */
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

/** The jid of an account or of one of its devices; by LID if it has no number. */
export const jidOf = ({ pn, lid }: Account, addressing: Addressing, device = 0): string =>
  addressing === "pn" && pn !== undefined ? jidEncode(pn, "s.whatsapp.net", device) : jidEncode(lid, "lid", device);

/** The jid under which simulated devices keep the keys of a device. */
export const signalJid = (device: Device): string => jidOf(device.account, "lid", device.id);
