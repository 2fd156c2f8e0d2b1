import { type BinaryNode, DEF_MEDIA_HOST, getBinaryNodeChild, getBinaryNodeChildren } from "@whiskeysockets/baileys";
import type { ChannelHost } from "../../../../src/contract/plugin.ts";
import type { HttpOpen } from "../../../../src/contract/ports/http.ts";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";
import { reasonOf } from "../../../../src/kernel/errors.ts";
import { isLoopbackUrl } from "../../../../src/kernel/settings/setting-kinds.ts";
import type { ActiveSocket, Attach } from "../../active-socket.ts";

/** The hosts for uploads, for a while; `auth` is a secret. */
export type Permit = { hosts: string[]; auth: string; until: number };

export type MediaHosts = {
  readonly attach: Attach;
  /**
   * The permit of a connection; a fresh one when the old one has expired, or was refused. Throws if the network gives
   * none.
   */
  permitOf(activeSocket: ActiveSocket, options: { isFresh: boolean }): Promise<Permit>;
  /** A request to one of the hosts. */
  readonly stream: HttpOpen;
  /** The host of downloads: the network's only address, or the address that a server on this machine names. */
  fetchFrom(): Promise<string>;
};

const QUESTION: BinaryNode = {
  tag: "iq",
  attrs: { type: "set", xmlns: "w:m", to: "s.whatsapp.net" },
  content: [{ tag: "media_conn", attrs: {} }],
};

/**
 * The hosts that the network names for files. They are requested here because the library keeps a failed request as its
 * answer: no file could be uploaded until the next connection. Only hosts of the network are accepted; a server on this
 * machine, as in tests and the demo, names its own.
 */
export const createMediaHosts = (
  { clock, log }: Pick<ChannelHost, "clock" | "log">,
  serverUrl: string | undefined,
  stream: HttpOpen,
): MediaHosts => {
  const permits = new WeakMap<ActiveSocket, Permit>();
  const isLocal = serverUrl !== undefined && isLoopbackUrl(serverUrl);
  let named: string | undefined;
  let asked: Promise<unknown> | undefined;

  const permitOf: MediaHosts["permitOf"] = async (activeSocket, { isFresh }) => {
    const kept = permits.get(activeSocket);
    if (kept && !isFresh && clock.now() < kept.until) return kept;
    const said = (await activeSocket.sock.query({ ...QUESTION, attrs: { ...QUESTION.attrs } })) as
      | BinaryNode
      | undefined; // none when the question timed out
    const answer = getBinaryNodeChild(said, "media_conn");
    const { auth, ttl } = answer?.attrs ?? {};
    if (!answer || auth === undefined) throw new Error("the network named no media hosts");
    const hosts = getBinaryNodeChildren(answer, "host").flatMap(({ attrs }) => attrs["hostname"] ?? []);
    const permit = {
      hosts: hosts.filter((host) => isMediaHost(host, isLocal)),
      auth,
      until: clock.now() + (Number(ttl) || 0) * SECOND_MS,
    };
    permits.set(activeSocket, permit);
    named = permit.hosts[0];
    return permit;
  };

  return {
    attach(activeSocket) {
      if (!isLocal) return;
      activeSocket.sock.ev.on("connection.update", ({ connection }) => {
        if (connection === "open")
          asked = permitOf(activeSocket, { isFresh: false }).catch((thrown: unknown) =>
            log.warn({ error: reasonOf(thrown) }, "the server named no media hosts"),
          );
      });
    },
    permitOf,
    stream,
    async fetchFrom() {
      await asked;
      return (isLocal && named) || DEF_MEDIA_HOST;
    },
  };
};

const isMediaHost = (host: string, isLocal: boolean): boolean =>
  /^(?:[a-z0-9-]+\.)+whatsapp\.net$/i.test(host) || (isLocal && /^[\w.-]+(?::\d{1,5})?$/.test(host));
