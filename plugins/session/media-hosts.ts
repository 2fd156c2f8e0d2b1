import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from "@whiskeysockets/baileys";
import { type Clock, SECOND_MS } from "../../src/kernel/clock.ts";
import type { Wire } from "./wire.ts";

/** Where files may be brought and fetched for a while; `auth` is a secret. */
export type Permit = { hosts: string[]; auth: string; until: number };

/** Gives the permit of a connection; a fresh one when the old is over, or was not taken. Throws where the network gives none. */
export type PermitOf = (wire: Wire, options?: { isFresh: boolean }) => Promise<Permit>;

const QUESTION: BinaryNode = { tag: "iq", attrs: { type: "set", xmlns: "w:m", to: "s.whatsapp.net" }, content: [{ tag: "media_conn", attrs: {} }] };

/** Asks for permits ourselves: the library keeps a question that failed as its answer, and no file would go up again until the next connection. */
export const createPermits = (clock: Clock, serverUrl: string | undefined): PermitOf => {
  const permits = new WeakMap<Wire, Permit>();
  return async (wire, { isFresh } = { isFresh: false }) => {
    const kept = permits.get(wire);
    if (kept && !isFresh && clock.now() < kept.until) return kept;
    const said = (await wire.sock.query({ ...QUESTION, attrs: { ...QUESTION.attrs } })) as BinaryNode | undefined; // none when the question timed out
    const answer = getBinaryNodeChild(said, "media_conn");
    const { auth, ttl } = answer?.attrs ?? {};
    if (!answer || auth === undefined) throw new Error("the network named no media hosts");
    const hosts = getBinaryNodeChildren(answer, "host").flatMap(({ attrs }) => attrs["hostname"] ?? []);
    const permit = { hosts: hosts.filter((host) => isMediaHost(host, serverUrl)), auth, until: clock.now() + (Number(ttl) || 0) * SECOND_MS };
    permits.set(wire, permit);
    return permit;
  };
};

/** Whether files may go to, and come from, a host that the network's server named; one on this machine names hosts of its own. */
export const isMediaHost = (host: string, serverUrl: string | undefined): boolean =>
  /^(?:[a-z0-9-]+\.)+whatsapp\.net$/i.test(host) || (isLoopback(serverUrl) && /^[\w.-]+(?::\d{1,5})?$/.test(host));

const isLoopback = (serverUrl: string | undefined): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(URL.parse(serverUrl ?? "")?.hostname ?? "");
