import type { Mailer, MailOutcome } from "../contract/ports/mail.ts";
import { reasonOf } from "../kernel/errors.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 30_000;
/** Codes of a refused mail, as opposed to a failed login or connection. */
const OF_THE_MAIL = new Set(["EENVELOPE", "EMESSAGE"]);

/** Makes a transport, with TLS if the URL or the server requires it. Loads nodemailer at its first use. */
const connect = async (url: string) => {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
};

/**
 * Connects to the SMTP server and logs in; sends nothing. Rejects with the reason, which holds no password.
 */
export const checkMailServer = async (url: string): Promise<void> => {
  const transport = await connect(url);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
};

/**
 * Sends through the operator's SMTP server, over TLS if its URL or the server requires it. Undefined if no server is
 * set.
 */
export const createMailer = (settings: { smtpUrl: string; from: string } | undefined): Mailer | undefined => {
  if (!settings) return undefined;
  const { smtpUrl: url, from } = settings;
  return {
    async send({ id, to, ...mail }) {
      const transport = await connect(url);
      try {
        await transport.sendMail({
          ...mail,
          from,
          to: { name: "", address: to },
          messageId: `<${id}@${domainOf(from)}>`,
        });
        return { ok: true };
      } catch (error) {
        return failureOf(error);
      } finally {
        transport.close();
      }
    },
  };
};

const domainOf = (from: string): string => /@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? "localhost";

const failureOf = (error: unknown): MailOutcome => {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  const isFinal = OF_THE_MAIL.has(code ?? "") && (responseCode === undefined || responseCode >= 500);
  return { ok: false, reason: reasonOf(error), isFinal };
};
