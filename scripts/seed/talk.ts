import type { Identity } from "../../src/contract/events.ts";
import { createContact } from "../../src/core/conversations/contacts.ts";
import {
  assignConversation,
  closeConversation,
  conversationsPage,
} from "../../src/core/conversations/conversations.ts";
import { acceptMessage } from "../../src/core/messaging/sending/accept.ts";
import { LOCAL } from "../../src/core/tenancy/audit/audit.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/kernel/clock.ts";
import type { ChannelId } from "../../src/kernel/ids.ts";
import type { Random } from "../../src/kernel/random.ts";
import type { TenantScope } from "../../src/store/tables/scope.ts";
import type { Account, Institution } from "./people.ts";
import { type Phones, providerMessageId } from "./phones.ts";
import type { Stage } from "./stage.ts";
import { EXCHANGES, type Exchange, PEOPLE, type Person } from "./texts.ts";

/** The parts of the company that exist so far. */
export type Company = { institution: Institution; account: Account; phones: Phones };

/** An act at a moment of the past. */
export type Moment = { at: number; play(): Promise<void> };

/** The same hour on each of so many days, from `firstMs` on. */
export type Mornings = { firstMs: number; days: number };

const pick = <One>(random: Random, from: readonly One[]): One => {
  const one = from[Math.floor(random.float() * from.length)];
  if (one === undefined) throw new Error("there is nothing to pick from");
  return one;
};

/** The contacts that the institution keeps by hand. The first message makes each other one. */
export const makeContacts = async ({ env }: Stage, { scope }: Institution): Promise<void> => {
  const viewer = { ...scope, ...LOCAL, environment: "live" } as const;
  for (const { name, number, email, tags } of PEOPLE.slice(0, 6)) {
    await createContact(env, viewer, {
      phoneNumber: number,
      name,
      email: email ?? null,
      tags,
      metadata: { source: "seed" },
    });
  }
};

type Talk = { scope: TenantScope; channelId: ChannelId; person: Person; from: Identity; to: string };
let keys = 0;

/** One message of the person. */
const writes = (stage: Stage, { channelId, person, from }: Talk, text: string): Promise<void> =>
  stage.receive(channelId, {
    kind: "received",
    key: providerMessageId(++keys),
    at: stage.env.clock.now(),
    from,
    chat: from,
    pushName: person.name,
    content: { type: "text", content: { text } },
  });

/** One answer of the company. */
const answers = async ({ env }: Stage, { scope, channelId, to }: Talk, text: string): Promise<void> => {
  const envelope = { channelId, to, type: "text", content: { text } } as const;
  await acceptMessage(env, scope, envelope, {
    environment: "live",
    mustBeConnected: true,
    acceptedBy: null,
    requestId: null,
  });
};

/** One exchange with a person, and the times of its three messages, which are minutes apart. */
type Planned = { person: Person; exchange: Exchange; times: readonly [number, number, number] };

const momentsOf = (stage: Stage, talk: Talk, { exchange: [asked, answered, closed], times }: Planned): Moment[] => [
  { at: times[0], play: () => writes(stage, talk, asked) },
  { at: times[1], play: () => answers(stage, talk, answered) },
  { at: times[2], play: () => writes(stage, talk, closed) },
];

const EXCHANGES_EACH = 3;

/** The talks of 30 days, with persons, words and times: everything that the seed determines. */
export const plannedTalks = (random: Random, startMs: number): Planned[] => {
  const pause = () => Math.ceil((1 + random.float() * 9) * MINUTE_MS);
  const planOf = (person: Person, count: number): Planned => {
    const day = Math.floor(((count + random.float()) * 28) / EXCHANGES_EACH);
    const at = startMs + day * DAY_MS + Math.floor((8 + random.float() * 10) * HOUR_MS);
    const answeredAt = at + pause();
    const times = [at, answeredAt, answeredAt + pause()] as const;
    return { person, exchange: pick(random, EXCHANGES[person.language]), times };
  };
  return PEOPLE.flatMap((person) => Array.from({ length: EXCHANGES_EACH }, (_, count) => planOf(person, count)));
};

/** The planned talks on the counter's phone, those of every fourth person on Instagram. */
export const talks = (stage: Stage, { institution, account, phones }: Company, startMs: number): Moment[] =>
  plannedTalks(stage.random, startMs).flatMap((planned) => {
    const { person } = planned;
    const index = PEOPLE.indexOf(person);
    const scoped = `178414000000000${index}`;
    const talk: Talk =
      index % 4 === 3
        ? { scope: account.scope, channelId: phones.instagram, person, from: { igsid: scoped }, to: scoped }
        : {
            scope: institution.scope,
            channelId: phones.counter,
            person,
            from: { pn: person.number },
            to: person.number,
          };
    return momentsOf(stage, talk, planned);
  });

const ALL = { status: undefined, channelId: undefined, contactId: undefined };

/** Every third open conversation is closed, and the others belong to the members in turn. */
export const tidy = async ({ env }: Stage, { scope, users }: Institution): Promise<void> => {
  const viewer = { ...scope, ...LOCAL, environment: "live" } as const;
  const members = users.filter(({ role }) => role !== "VIEWER");
  const { rows } = await conversationsPage(env, viewer, { ...ALL, limit: 100, offset: 0 });
  for (const [index, { id }] of rows.toReversed().entries()) {
    if (index % 3 === 0) await closeConversation(env, viewer, id);
    else await assignConversation(env, viewer, id, members[index % members.length]?.id ?? null);
  }
};
