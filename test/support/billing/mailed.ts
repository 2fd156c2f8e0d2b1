import { type MailSink, startMailSink } from "../servers/smtp.ts";
import { made, tokenIn } from "../tenants/platform.ts";
import { startWorld, type World } from "../world.ts";

/** A world whose operator has a mail server. */
export type MailedWorld = World & {
  sink: MailSink;
  /** The mails to a person, in order. */
  mailsTo(email: string): MailSink["received"];
  /** The token of the last link in a mail to a person. */
  linkTo(email: string): string;
  /** An institution whose user's e-mail is verified. */
  verified(): ReturnType<World["institution"]>;
};

export const startMailedWorld = async (env: Record<string, string> = {}): Promise<MailedWorld> => {
  const sink = await startMailSink();
  const world = await startWorld({
    env: { RECADO_SMTP_URL: sink.url, RECADO_MAIL_FROM: "Recado <recado@example.com>", ...env },
  });
  const stop = world.stop;
  const mailsTo = (email: string) => sink.received.filter(({ to }) => to.includes(email));
  const linkTo = (email: string) => tokenIn(mailsTo(email).at(-1)?.text ?? "");
  return Object.assign(world, {
    sink,
    mailsTo,
    linkTo,
    async verified() {
      const institution = await world.institution();
      await world.settle();
      made(await world.platform("/v1/auth/verify-email", { body: { token: linkTo(institution.email) } }), 204);
      return institution;
    },
    async stop() {
      await stop();
      await sink.stop();
    },
  });
};
