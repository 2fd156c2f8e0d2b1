import { randomBytes } from "node:crypto";
import { type GroupChat, type GroupOptions, groupChat, makeGroup, statusOf } from "./answers/groups.ts";
import { type Faults, makeFaultRules, makeFaults } from "./faults.ts";
import { serveMedia } from "./messages/media.ts";
import { reuploadFor } from "./messages/reupload.ts";
import type { Network } from "./model.ts";
import {
  makeNewsletter,
  type NewsletterChat,
  type NewsletterOptions,
  newsletterChat,
} from "./newsletters/newsletters.ts";
import { makePairingDesk } from "./pairing/pairing.ts";
import { type Contact, makeContact } from "./people/contact.ts";
import type { PersonOptions } from "./people/person.ts";
import { makePhone, type Phone } from "./people/phone.ts";
import type { Chat } from "./people/sending.ts";
import { makeStat, type Stat } from "./stat.ts";
import { makeWaiters, type Waiters } from "./waiters.ts";
import { openLink } from "./wire/link.ts";
import { serveLink } from "./wire/login.ts";
import { certify } from "./wire/noise.ts";
import type { Stanza } from "./wire/stanza.ts";
import { listen } from "./wire/websocket.ts";

export type { GroupChat } from "./answers/groups.ts";
export { type PasskeyBrowser, passkeyBrowser } from "./pairing/passkey-browser.ts";
export { RefusedByPhone } from "./pairing/refused.ts";
export type { Contact } from "./people/contact.ts";
export type { Linked } from "./people/linked.ts";
export type { Received } from "./people/person.ts";
export type { Phone } from "./people/phone.ts";
export { type Stanza, stanza } from "./wire/stanza.ts";

/** The simulated network of WhatsApp Web: the gateway's view of the real one, and the controls for tests. */
export type WhatsApp = Pick<Waiters, "until"> & {
  /** `ws://127.0.0.1:<port>/ws/chat` */
  readonly url: string;
  /** Hex of the root key that its certificate chain begins with. */
  readonly root: string;
  readonly mediaHost: string;
  /** The PEM that vouches for the media host. */
  readonly mediaCa: string;
  readonly stat: Readonly<Stat>;
  readonly faults: Faults;
  readonly callLinks: Network["callLinks"];
  /** The phone with this number; the same one each time. */
  phone(pn: string, options?: Omit<PersonOptions, "pn">): Phone;
  /** Adds a person to the network. */
  contact(options: PersonOptions): Contact;
  group(options: GroupOptions): GroupChat;
  /** A newsletter, and the acts of its readers. */
  newsletter(options: NewsletterOptions): NewsletterChat;
  /** The newsletter with this jid. */
  newsletterOf(jid: string): NewsletterChat | undefined;
  /** The group with this jid. */
  groupOf(jid: string): GroupChat | undefined;
  /** The place of a person's statuses that these people see. */
  status(by: Contact, viewers: readonly Contact[]): Chat;
  /** Makes every QR shown so far useless. */
  expireRefs(): void;
  /** Shows every stanza of a client. */
  watch(look: (sent: Stanza) => void): void;
  pingVisitors(id: string): void;
  /** From now on versions 2.3000.n below these are refused: at the login, or at the linking. */
  require(versions: { minVersion?: number; linkMin?: number }): void;
  /** Cuts the connections without a linked device. */
  cutUnlinked(): void;
  /** Removes a file: 404 from now on. */
  forgetMedia(directPath: string): void;
  stop(): Promise<void>;
};

type Options = {
  /** Milliseconds; the machine's clock unless given, as Baileys reads no other. */
  now?: () => number;
};

export const startWhatsApp = async ({ now = Date.now }: Options = {}): Promise<WhatsApp> => {
  const [rules, stat, waiters] = [makeFaultRules(), makeStat(), makeWaiters()];
  const [certificate, forged] = [certify(), certify()];
  const people = new Map<string, Contact>();
  const phones = new Map<string, Phone>();
  const persons = function* () {
    for (const { person } of [...people.values(), ...phones.values()]) yield person;
  };
  const media = serveMedia({
    rules,
    stat,
    changed: waiters.changed,
    reupload: (device, receipt) => reuploadFor(network, persons())(device, receipt),
  });
  const network: Network = {
    ...waiters,
    now: () => Math.floor(now() / 1000),
    accounts: new Map(),
    groups: new Map(),
    calls: new Map(),
    callLinks: [],
    newsletters: new Map(),
    rules,
    stat,
    media,
    versions: { minVersion: 0, linkMin: 0 },
    newId: () => randomBytes(10).toString("hex").toUpperCase(),
  };
  const desk = makePairingDesk(network);
  const server = await listen({
    refuse: () => {
      stat.attempts++;
      waiters.changed();
      return rules.upgrades.take(undefined);
    },
    accept: (socket) =>
      openLink(
        socket,
        rules.forgeries.take(undefined) ? forged : certificate,
        rules.silences.take(undefined) === true,
        serveLink(network, desk),
      ),
  });

  return {
    url: `ws://127.0.0.1:${server.port}/ws/chat`,
    root: certificate.root,
    mediaHost: media.host,
    mediaCa: media.ca,
    stat,
    faults: makeFaults(rules),
    callLinks: network.callLinks,
    until: waiters.until,
    phone: (pn, options) => {
      const phone = phones.get(pn) ?? makePhone(network, desk, { ...options, pn });
      phones.set(pn, phone);
      return phone;
    },
    contact: (options) => {
      const contact = makeContact(network, options);
      people.set(contact.lid, contact);
      return contact;
    },
    group: (options) => makeGroup(network, options),
    newsletter: (options) => makeNewsletter(network, options),
    newsletterOf: (jid) => {
      const newsletter = network.newsletters.get(jid);
      return newsletter && newsletterChat(network, newsletter);
    },
    groupOf: (jid) => {
      const group = network.groups.get(jid);
      return group && groupChat(network, group);
    },
    status: (by, viewers) =>
      statusOf(
        network,
        by.account,
        viewers.map(({ account }) => account),
      ),
    expireRefs: desk.expireRefs,
    watch: (look) => {
      network.look = look;
    },
    pingVisitors: desk.ping,
    require: (versions) => void Object.assign(network.versions, versions),
    cutUnlinked: desk.cutUnlinked,
    forgetMedia: media.forget,
    stop: async () => {
      await server.stop();
      await media.stop();
    },
  };
};
