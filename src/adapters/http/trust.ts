import type { SecureContext } from "node:tls";

const tls = () => process.getBuiltinModule("node:tls");

/** The public trust anchors, and those of the operator as PEM text. */
export const trustAnchors = (extraCa: string | undefined): string[] => [
  ...tls().rootCertificates,
  ...(extraCa === undefined ? [] : [extraCa]),
];

const contexts = new Map<string | undefined, SecureContext>();

/**
 * The trust of outgoing connections. It is made for the first connection with TLS, and shared by all: reading the
 * anchors takes milliseconds, and they need 6 MB.
 */
export const trustedContext = (extraCa: string | undefined): SecureContext => {
  const context = contexts.get(extraCa) ?? tls().createSecureContext({ ca: trustAnchors(extraCa) });
  contexts.set(extraCa, context);
  return context;
};
