import type { PersonOutcome } from "../../../src/contract/abilities/groups.ts";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import { unavailable } from "../../../src/contract/upstream.ts";
import { type ActiveSocket, childrenOf, type Stanza } from "../active-socket.ts";
import { isLid, userOf } from "../address.ts";
import { Ended, node, refusal } from "../ask.ts";
import { completed, personOf } from "../inbound/people.ts";
import { personAt } from "../outbound/addressing.ts";
import type { Numbers } from "../outbound/numbers.ts";

/** A person as clients name them (digits, or `lid:<digits>`), and their addresses on the network. */
export type Member = { waId: string; pnJid: string | undefined; lidJid: string | undefined };

/**
 * The addresses of people whom a client names; people whom the network does not have are apart.
 * @throws Ended
 */
export const membersOf = async (
  numbers: Numbers,
  activeSocket: ActiveSocket,
  waIds: readonly string[],
): Promise<{ members: Member[]; missing: PersonOutcome[] }> => {
  const members: Member[] = [];
  const missing: PersonOutcome[] = [];
  for (const waId of waIds) {
    const found = await memberOf(numbers, activeSocket, waId);
    if (found) members.push(found);
    else missing.push({ waId, outcome: "not-on-network" });
  }
  return { members, missing };
};

const memberOf = async (numbers: Numbers, activeSocket: ActiveSocket, waId: string): Promise<Member | undefined> => {
  const key = /^\d+$/.test(waId) ? `pn:${waId}` : waId;
  const resolved = await numbers.resolve(activeSocket, key);
  if (!resolved.ok) {
    if (resolved.code === "RECIPIENT_NOT_ON_NETWORK") return undefined;
    throw new Ended(resolved.kind === "refused" ? refusal(resolved.reason) : unavailable(resolved.reason));
  }
  const { pn, lid } = await personAt(activeSocket.keyStore, resolved);
  return {
    waId,
    pnJid: pn === undefined ? undefined : `${pn}@s.whatsapp.net`,
    lidJid: lid === undefined ? undefined : `${lid}@lid`,
  };
};

/**
 * A participant of a stanza. A LID comes with the number, if it is known: the network refuses to add people by a bare
 * LID.
 */
export const participantNode = ({ pnJid, lidJid }: Member): Stanza =>
  node("participant", {
    jid: lidJid ?? pnJid ?? "",
    ...(lidJid !== undefined && pnJid !== undefined ? { phone_number: pnJid } : {}),
  });

/** TABLE: the meaning of the network's numbers for one person; the meanings are inferred from other clients. */
const OUTCOMES: Readonly<Record<number, PersonOutcome["outcome"]>> = {
  401: "blocked",
  403: "invitation-needed",
  404: "not-on-network",
  408: "left-recently",
  409: "already",
};

/** The outcome of each person, by the participants of an answer. A person who is missing there was not changed. */
export const outcomesOf = (members: readonly Member[], answered: readonly Stanza[]): PersonOutcome[] =>
  members.map((member) => {
    const found = answered.find(({ attrs }) => isOf(member, attrs["jid"]) || isOf(member, attrs["phone_number"]));
    const error = found?.attrs["error"];
    if (found && error === undefined) return { waId: member.waId, outcome: "done" };
    const code = Number(error);
    return {
      waId: member.waId,
      outcome: OUTCOMES[code] ?? "refused",
      ...(Number.isInteger(code) ? { code } : {}),
    };
  });

const isOf = ({ pnJid, lidJid }: Member, jid: string | undefined): boolean => {
  const own = jid !== undefined && isLid(jid) ? lidJid : pnJid;
  return jid !== undefined && own !== undefined && userOf(own) === userOf(jid);
};

/** The participants of a stanza. */
export const participantsIn = (stanza: Stanza | undefined): Stanza[] =>
  childrenOf(stanza).filter(({ tag }) => tag === "participant");

/** The name of a stanza's person for clients: the number if it is known, else `lid:<digits>`. */
export const waIdOf = async (keyStore: Pick<KeyStore, "read">, { attrs }: Stanza): Promise<string | undefined> => {
  const { pn, lid } = await completed(
    keyStore,
    personOf(attrs["jid"], attrs["phone_number"], attrs["participant_pn"], attrs["lid"]),
  );
  return pn ?? (lid === undefined ? undefined : `lid:${lid}`);
};

/** The names of these people for the groups API. People without a name are left out. */
export const waIdsOf = async (keyStore: Pick<KeyStore, "read">, people: readonly Stanza[]): Promise<string[]> =>
  (await Promise.all(people.map((one) => waIdOf(keyStore, one)))).flatMap((waId) => waId ?? []);
