import { openLibc } from "./libc.ts";

/**
 * Tells a service manager what holds of this process (`READY=1`, `STATUS=…`); false when it did not take it now. Never
 * waits.
 */
export type Notify = (...assignments: string[]) => boolean;

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2_000_000;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;
/** What a socket's address may be long, with the byte that ends a path. */
const PATH_BYTES = 108;

/** struct sockaddr_un: a path with its end, or a name in the abstract namespace (`@…`), which has none. */
const addressOf = (name: string): Uint8Array => {
  const path = name.startsWith("@") ? `\0${name.slice(1)}` : `${name}\0`;
  if (!/^[/@]/.test(name) || Buffer.byteLength(path) > PATH_BYTES)
    throw new Error(`NOTIFY_SOCKET: ${name} is no address of a Unix socket`);
  return Buffer.concat([new Uint8Array(Uint16Array.of(AF_UNIX).buffer), Buffer.from(path)]);
};

/** For the socket that systemd names in NOTIFY_SOCKET. Throws where it cannot be spoken to. */
export const notifierTo = async (name: string): Promise<Notify> => {
  const address = addressOf(name);
  const { socket, sendto, ptr } = await openLibc();
  const fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) throw new Error("NOTIFY_SOCKET: no Unix socket could be made");
  return (...assignments) => {
    const message = Buffer.from(assignments.join("\n"));
    return (
      sendto(fd, ptr(message), message.length, MSG_DONTWAIT | MSG_NOSIGNAL, ptr(address), address.length) ===
      BigInt(message.length)
    );
  };
};
