import type { ActiveSocket } from "../active-socket.ts";
import { childOf, childrenOf } from "../active-socket.ts";
import { jidOf } from "../address.ts";
import { ask, iq, node } from "../ask.ts";
import { completed, isSameIdentity, personOf } from "../inbound/people.ts";
import type { Addressing } from "../outbound/addressing.ts";
import type { Numbers } from "../outbound/numbers.ts";

type Person = ReturnType<typeof personOf>;
type Ports = { numbers: Pick<Numbers, "lookup">; addressing: Addressing };

/** Whom a status is for: `isEverybody` if the caller named nobody, so that the owner's own choice in the app counts. */
export type Wanted = { keys: readonly string[]; isEverybody: boolean };

/**
 * The chat addresses of these people, each once. Left out are people whom the network does not have, those who could not
 * be looked up now, and for a status to everybody those whom the owner's privacy setting excludes.
 */
export const audienceOf = async (
  { numbers, addressing }: Ports,
  active: ActiveSocket,
  { keys, isEverybody }: Wanted,
): Promise<string[]> => {
  const { keyStore } = active;
  const people = await Promise.all(keys.map(async (key) => completed(keyStore, personOf(jidOf(key)))));
  const unpaired = people.flatMap(({ pn, lid }) => (pn !== undefined && lid === undefined ? [pn] : []));
  if (unpaired.length > 0) await numbers.lookup.find(unpaired); // what it cannot find out now is left out below
  const known = await numbers.lookup.known(unpaired);
  const reachable = await Promise.all(
    people.map(async (person) => {
      const found = person.pn === undefined ? undefined : known.get(person.pn);
      if (person.lid !== undefined) return person;
      return found?.exists && found.jid !== null ? completed(keyStore, personOf(found.jid)) : {};
    }),
  );
  const excluded = isEverybody ? await exclusion(active) : () => false;
  const jids = reachable
    .filter((person) => !excluded(person))
    .flatMap((person) => jidOfPerson(person, addressing) ?? []);
  return [...new Set(jids)];
};

const jidOfPerson = ({ pn, lid }: Person, addressing: Addressing): string | undefined => {
  const byNumber = pn === undefined ? undefined : `${pn}@s.whatsapp.net`;
  const byLid = lid === undefined ? undefined : `${lid}@lid`;
  return addressing === "number" ? (byNumber ?? byLid) : (byLid ?? byNumber);
};

/** Whom the owner's setting in the app excludes from statuses. @throws Ended, and errors of the library */
const exclusion = async ({ sock, keyStore }: ActiveSocket): Promise<(person: Person) => boolean> => {
  const answer = await ask(sock, iq("get", { xmlns: "status", to: "s.whatsapp.net" }, [node("privacy")]));
  const lists = childrenOf(childOf(answer, "privacy")).filter(({ tag }) => tag === "list");
  const list = lists.find(({ attrs }) => attrs["default"] === "true") ?? lists[0];
  const named = await Promise.all(
    childrenOf(list).map(({ attrs }) => completed(keyStore, personOf(attrs["jid"], attrs["pn_jid"]))),
  );
  const isNamed = (person: Person) => named.some((one) => isSameIdentity(one, person));
  switch (list?.attrs["type"]) {
    case "blacklist":
      return isNamed;
    case "whitelist":
      return (person) => !isNamed(person);
    default:
      return () => false;
  }
};
