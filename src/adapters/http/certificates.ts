import { isIP } from "node:net";
import { connect } from "node:tls";
import { hostnameOf, type Resolve, resolveName } from "./addresses.ts";
import { trustAnchors } from "./trust.ts";

const HTTPS_PORT = 443;
const TIMEOUT_MS = 4000;

/**
 * When the certificate of an https address expires, in ms since the epoch, by whichever authority it was issued.
 * Rejects when no TLS handshake succeeds within 4 s.
 */
export const certificateEnd = async (
  address: string,
  extraCa: string | undefined,
  resolve: Resolve = resolveName,
): Promise<number> => {
  const url = new URL(address);
  const name = hostnameOf(url);
  const isAddress = isIP(name) !== 0;
  const [host = name] = isAddress ? [name] : await resolve(name);
  const ca = trustAnchors(extraCa);
  return new Promise((done, reject) => {
    const socket = connect(
      {
        host,
        port: Number(url.port || HTTPS_PORT),
        ca,
        rejectUnauthorized: false,
        ...(isAddress ? {} : { servername: name }),
      },
      () => {
        done(Date.parse(socket.getPeerCertificate().valid_to));
        socket.destroy();
      },
    );
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`${url.host} did not show a certificate in time`)));
    socket.once("error", reject);
  });
};
