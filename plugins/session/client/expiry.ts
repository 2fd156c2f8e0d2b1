import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import { type Attach, childOf, type Stanza } from "../active-socket.ts";
import type { ClientVersion } from "./client-version.ts";

const versionText = (number: number): string => `2.3000.${number}`;

/**
 * Reports when the network ends the client version of this channel's socket, and when a newer one is in use. The same
 * link does not report a date twice.
 */
export const watchExpiry = (host: ChannelHost, client: ClientVersion): Attach => {
  let reported: string | undefined;

  const report = async (number: number, expiresAt?: number | null) => {
    const text = `${number} ${expiresAt}`;
    if (text === reported) return;
    const version = versionText(number);
    const at = host.clock.now();
    await host.emit({ kind: "client", at, version, ...(expiresAt === undefined ? {} : { expiresAt }) });
    reported = text;
  };
  const attempt = (work: Promise<void>) =>
    // the network repeats it on the next connection
    work.catch((thrown: unknown) =>
      host.log.warn({ error: reasonOf(thrown) }, "the end of the client version could not be written"),
    );

  return (activeSocket) => {
    const used = client.current();
    activeSocket.sock.ws.on("CB:ib,,client_expiration", (stanza: Stanza) => {
      if (!activeSocket.isCurrent()) return;
      const saidAt = expiryIn(stanza);
      if (saidAt !== "unreadable") void attempt(client.expires(host, used, saidAt).then(({ at }) => report(used, at)));
    });
    activeSocket.sock.ev.on("connection.update", ({ connection }) => {
      const isNewer = client.expiry !== undefined && client.expiry.number !== used;
      if (connection === "open" && isNewer && activeSocket.isCurrent()) void attempt(report(used));
    });
  };
};

/** The time in a stanza, in milliseconds; undefined if it withdraws an earlier one. */
const expiryIn = (stanza: Stanza): number | undefined | "unreadable" => {
  const said = childOf(stanza, "client_expiration")?.attrs["t"];
  if (said === undefined) return undefined;
  return /^\d{9,11}$/.test(said) ? Number(said) * SECOND_MS : "unreadable";
};
