import type { WASocket } from "@whiskeysockets/baileys";
import { childOf, type Stanza } from "../active-socket.ts";
import type { ChannelKeys } from "./keys.ts";

/** Whether this identity has never made one-time keys, so that it has not completed a login. */
export const hasNoKeys = ({ auth }: Pick<ChannelKeys, "auth">): boolean => auth.creds.nextPreKeyId <= 1;

/**
 * Watches from before a socket connects whether the network has one-time keys of this device. The answer to the count
 * and the digest of the keys decide; without either, the keys of earlier logins count. The library opens a connection
 * although its upload failed, and such a device can be written to by nobody.
 */
export const watchOneTimeKeys = (sock: WASocket, keys: Pick<ChannelKeys, "auth">): (() => boolean) => {
  let areUp = !hasNoKeys(keys);
  sock.ws.on("CB:iq,,count", (stanza: Stanza) => {
    areUp = Number(childOf(stanza, "count")?.attrs["value"]) > 0;
  });
  sock.ws.on("CB:iq,,digest", () => {
    areUp = true;
  });
  return () => areUp;
};
