import { openLibc } from "./libc.ts";

/**
 * Sends a service manager the state of this process (`READY=1`, `STATUS=…`). Never waits: false when the socket is
 * full. https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html
 */
export type Notify = (...assignments: string[]) => boolean;

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2_000_000;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;
/** The longest address of a Unix socket, with the byte that ends a path. */
const PATH_BYTES = 108;

/** struct sockaddr_un: a path with a final 0 byte, or a name in the abstract namespace (`@…`) without one. */
const addressOf = (name: string): Uint8Array => {
  const path = name.startsWith("@") ? `\0${name.slice(1)}` : `${name}\0`;
  if (!/^[/@]/.test(name) || Buffer.byteLength(path) > PATH_BYTES)
    throw new Error(`NOTIFY_SOCKET: ${name} is not the address of a Unix socket`);
  return Buffer.concat([new Uint8Array(Uint16Array.of(AF_UNIX).buffer), Buffer.from(path)]);
};

/** Opens the socket that NOTIFY_SOCKET names. Throws if that is not possible. */
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
