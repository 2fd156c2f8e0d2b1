import type { Language } from "../../kernel/languages.ts";
import type { LinkPurpose } from "../../store/user-links.ts";

export type MailText = { subject: string; body: string };

/** The language of these mails where the operator chose none. */
const DEFAULT: Language = "en";

/** TABLE: the mails with a link, in every language. `says` comes before the link. */
const LINKS: Record<Language, Record<LinkPurpose, { subject: string; says: string }> & { ignore: string }> = {
  pt: {
    "verify-email": {
      subject: "Confirme seu e-mail",
      says: "Confirme em até 3 dias que este endereço de e-mail é seu:",
    },
    "reset-password": { subject: "Escolha uma senha nova", says: "Escolha uma senha nova em até uma hora:" },
    ignore: "Se você não pediu isto, ignore este e-mail.",
  },
  en: {
    "verify-email": {
      subject: "Verify your e-mail address",
      says: "Verify within 3 days that this e-mail address is yours:",
    },
    "reset-password": { subject: "Choose a new password", says: "Choose a new password within an hour:" },
    ignore: "If you did not ask for this, ignore this mail.",
  },
  es: {
    "verify-email": {
      subject: "Verifica tu correo",
      says: "Verifica antes de 3 días que esta dirección de correo es tuya:",
    },
    "reset-password": {
      subject: "Elige una contraseña nueva",
      says: "Elige una contraseña nueva antes de una hora:",
    },
    ignore: "Si no lo pediste, ignora este correo.",
  },
};

/** The mail of a link that verifies an address or sets a password. */
export const linkMail = (purpose: LinkPurpose, link: string, language: Language = DEFAULT): MailText => {
  const { [purpose]: text, ignore } = LINKS[language];
  return { subject: `Recado: ${text.subject}`, body: [`${text.says}\n${link}`, ignore].join("\n\n") };
};

type InvitationText = { subject(name: string): string; joins(name: string): string; accept: string; ignore: string };

/** TABLE: the mail of an invitation in every language. `accept` comes before the link. */
const INVITATION: Record<Language, InvitationText> = {
  pt: {
    subject: (name) => `Você recebeu um convite para ${name}`,
    joins: (name) => `Você recebeu um convite para participar de ${name} no Recado.`,
    accept: "Aceite aqui em até 7 dias:",
    ignore: "Se você não esperava um convite, ignore este e-mail.",
  },
  en: {
    subject: (name) => `You are invited to ${name}`,
    joins: (name) => `You are invited to join ${name} on Recado.`,
    accept: "Accept here within 7 days:",
    ignore: "If you expected no invitation, ignore this mail.",
  },
  es: {
    subject: (name) => `Te invitan a ${name}`,
    joins: (name) => `Te invitan a unirte a ${name} en Recado.`,
    accept: "Acepta aquí antes de 7 días:",
    ignore: "Si no esperabas una invitación, ignora este correo.",
  },
};

/** The mail of an invitation. `name`: the institution's, without anything that looks like a link. */
export const invitationMail = (name: string, link: string, language: Language = DEFAULT): MailText => {
  const { subject, joins, accept, ignore } = INVITATION[language];
  return { subject: subject(name), body: [joins(name), `${accept} ${link}`, ignore].join("\n\n") };
};
