import type { ActiveSocket } from "../active-socket.ts";
import { userOf } from "../address.ts";

/** The account's own address, by its number. */
export const ownNumberJid = ({ sock }: ActiveSocket): string =>
  `${userOf(sock.authState.creds.me?.id ?? "")}@s.whatsapp.net`;
