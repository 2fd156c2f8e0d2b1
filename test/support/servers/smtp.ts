import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

const USER = "recado";
const PASSWORD = "the-password-of-the-mail-server";

type Received = { from: string; to: string[]; id: string; subject: string; text: string };
/** The server's refusal of a mail, and the sender's command that gets it. */
type Refusal = { at: "RCPT" | "DATA"; code: number };

/** A mail server that keeps its mails. */
export type MailSink = {
  url: string;
  received: Received[];
  /** Every mail is refused with this, until it is undefined again. */
  refusal: Refusal | undefined;
  /** The number of offered mails, accepted or not. */
  offered: number;
  stop(): Promise<void>;
};

export const startMailSink = async (): Promise<MailSink> => {
  const refused = (at: Refusal["at"]) =>
    sink.refusal?.at === at
      ? Object.assign(new Error("this mail server says no"), { responseCode: sink.refusal.code })
      : undefined;
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    authOptional: false,
    onAuth: ({ username, password }, _session, done) =>
      username === USER && password === PASSWORD
        ? done(null, { user: USER })
        : done(new Error("wrong user or password")),
    onMailFrom(_address, _session, done) {
      sink.offered++;
      done();
    },
    onRcptTo: (_address, _session, done) => done(refused("RCPT")),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => void chunks.push(chunk));
      stream.on("end", () => {
        const refusal = refused("DATA");
        if (!refusal) sink.received.push(readMail(Buffer.concat(chunks).toString(), envelope));
        done(refusal);
      });
    },
  });
  server.on("error", () => {}); // a sender that hangs up is no fault of the tests
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  const sink: MailSink = {
    url: `smtp://${USER}:${PASSWORD}@127.0.0.1:${port}`,
    received: [],
    refusal: undefined,
    offered: 0,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return sink;
};

type Envelope = { mailFrom: false | { address: string }; rcptTo: { address: string }[] };

const readMail = (raw: string, { mailFrom, rcptTo }: Envelope): Received => {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const headers = new Map(
    head
      .replaceAll(/\r\n[ \t]+/g, " ")
      .split("\r\n")
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)] as const),
  );
  const isBase64 = headers.get("content-transfer-encoding") === "base64";
  const body = rest.join("\r\n\r\n");
  return {
    from: mailFrom === false ? "" : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    id: headers.get("message-id") ?? "",
    subject: wordsOf(headers.get("subject") ?? ""),
    text: isBase64 ? Buffer.from(body, "base64").toString() : quotedPrintable(body.replaceAll(/=\r\n/g, "")),
  };
};

const quotedPrintable = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString();

/** The encoded words of a header. */
const wordsOf = (header: string): string =>
  header
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, how: string, word: string) =>
      how.toUpperCase() === "B" ? Buffer.from(word, "base64").toString() : quotedPrintable(word.replaceAll("_", " ")),
    );
