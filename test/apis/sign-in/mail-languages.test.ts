import { describe, expect, test } from "bun:test";
import { LANGUAGES, type Language } from "../../../src/kernel/texts/languages.ts";
import { putConsolePerson } from "../../../src/store/tables/tenancy/console-people.ts";
import { type DunningWorld, daysAgo, dun, newDebtor, startDunningWorld } from "../../support/billing/dunning.ts";
import { change } from "../../support/billing/invoicing.ts";
import { made, tokenIn } from "../../support/tenants/platform.ts";

const LINK = /https?:\S+token=[\w-]+/;
const INVITED_AS = '"A Company"';

/** The mails with a link: the subject, and the body where LINK stands for the link. */
const LINKS: Record<Language, { verify: string[]; reset: string[]; invitation: string[] }> = {
  pt: {
    verify: [
      "Recado: Confirme seu e-mail",
      "Confirme em até 3 dias que este endereço de e-mail é seu:\nLINK\n\nSe você não pediu isto, ignore este e-mail.",
    ],
    reset: [
      "Recado: Escolha uma senha nova",
      "Escolha uma senha nova em até uma hora:\nLINK\n\nSe você não pediu isto, ignore este e-mail.",
    ],
    invitation: [
      `Você recebeu um convite para ${INVITED_AS}`,
      `Você recebeu um convite para participar de ${INVITED_AS} no Recado.\n\nAceite aqui em até 7 dias: LINK\n\nSe você não esperava um convite, ignore este e-mail.`,
    ],
  },
  en: {
    verify: [
      "Recado: Verify your e-mail address",
      "Verify within 3 days that this e-mail address is yours:\nLINK\n\nIf you did not ask for this, ignore this mail.",
    ],
    reset: [
      "Recado: Choose a new password",
      "Choose a new password within an hour:\nLINK\n\nIf you did not ask for this, ignore this mail.",
    ],
    invitation: [
      `You are invited to ${INVITED_AS}`,
      `You are invited to join ${INVITED_AS} on Recado.\n\nAccept here within 7 days: LINK\n\nIf you expected no invitation, ignore this mail.`,
    ],
  },
  es: {
    verify: [
      "Recado: Verifica tu correo",
      "Verifica antes de 3 días que esta dirección de correo es tuya:\nLINK\n\nSi no lo pediste, ignora este correo.",
    ],
    reset: [
      "Recado: Elige una contraseña nueva",
      "Elige una contraseña nueva antes de una hora:\nLINK\n\nSi no lo pediste, ignora este correo.",
    ],
    invitation: [
      `Te invitan a ${INVITED_AS}`,
      `Te invitan a unirte a ${INVITED_AS} en Recado.\n\nAcepta aquí antes de 7 días: LINK\n\nSi no esperabas una invitación, ignora este correo.`,
    ],
  },
};

type Reminders = { stages: [days: number, subject: string, end: string][]; says: string[]; payments: string[] };

/**
 * The reminders: the subject of each stage, its last sentence, what is said of an invoice of R$ 1.299,90, and of its
 * payment once it is charged.
 */
const REMINDERS: Record<Language, Reminders> = {
  pt: {
    stages: [
      [2, "Lembrete: fatura em atraso", "Se o pagamento já foi feito, desconsidere este aviso."],
      [8, "Fatura em atraso: evite a suspensão da conta", "recusadas e nenhuma mensagem será enviada."],
      [20, "Conta suspensa por falta de pagamento", "assim que não houver mais nenhuma fatura em atraso."],
    ],
    says: ["Olá, Padaria,", ": R$ 1.299,90, vencida em DAY/MONTH/YEAR", "Fatura ", "E mais 1."],
    payments: ["Pagar: http", "Pix copia e cola: "],
  },
  en: {
    stages: [
      [2, "Reminder: invoice overdue", "If you have already paid, please disregard this notice."],
      [8, "Invoice overdue: avoid the suspension of your account", "and no message is sent any more."],
      [20, "Account suspended for lack of payment", "as soon as no invoice is overdue any more."],
    ],
    says: ["Hello Padaria,", ": R$1,299.90, due on NAME D, YEAR", "Invoice ", "And 1 more."],
    payments: ["Pay: http", "Pix code to copy: "],
  },
  es: {
    stages: [
      [2, "Recordatorio: factura vencida", "Si ya pagaste, ignora este aviso."],
      [8, "Factura vencida: evita la suspensión de la cuenta", "a la API y no se envía ningún mensaje."],
      [20, "Cuenta suspendida por falta de pago", "en cuanto no quede ninguna factura vencida."],
    ],
    says: ["Hola, Padaria:", ": 1299,90 R$, vencida el DAY/MONTH/YEAR", "Factura ", "Y 1 más."],
    payments: ["Pagar: http", "Código Pix para copiar: "],
  },
};

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const withDay = (text: string, day: string): string => {
  const [year = "", month = "", date = ""] = day.split("-");
  return text
    .replace("DAY", date)
    .replace("MONTH", month)
    .replace("YEAR", year)
    .replace("NAME", MONTHS[Number(month) - 1] ?? "")
    .replace("D,", `${Number(date)},`);
};

const lastTo = (w: DunningWorld, email: string): string[] => {
  const mail = w.sink.received.filter(({ to }) => to.includes(email)).at(-1);
  return [mail?.subject ?? "", (mail?.text ?? "").replaceAll("\r\n", "\n").replace(LINK, "LINK").trim()];
};

const expectLinks = async (w: DunningWorld, language: Language): Promise<void> => {
  const { id, token, email } = await w.institution();
  await w.settle();
  expect(lastTo(w, email)).toEqual(LINKS[language].verify);
  const { text } = w.sink.received.findLast(({ to }) => to.includes(email)) ?? { text: "" };
  made(await w.platform("/v1/auth/verify-email", { body: { token: tokenIn(text) } }), 204);
  made(await w.platform("/v1/auth/forgot-password", { body: { email } }), 202);
  await w.settle();
  expect(lastTo(w, email)).toEqual(LINKS[language].reset);
  made(await w.platform(`/v1/institutions/${id}/members`, { token, body: { email: "new@example.com" } }), 201);
  await w.settle();
  expect(lastTo(w, "new@example.com")).toEqual(LINKS[language].invitation);
};

const expectReminders = async (w: DunningWorld, language: Language): Promise<void> => {
  const { stages, says, payments } = REMINDERS[language];
  for (const [days, subject, end] of stages) {
    const debtor = await newDebtor(w);
    await change(w, debtor.accountId, { name: "Padaria" });
    const day = daysAgo(w, days);
    for (let count = 0; count < 11; count++) await debtor.owes(129_990, day);
    await dun(w);
    const [sent, text] = lastTo(w, debtor.email);
    expect(sent).toBe(subject);
    for (const part of [...says, ...(days < 8 ? [] : payments), end]) expect(text).toContain(withDay(part, day));
  }
};

const inWorld = async (env: Record<string, string>, body: (w: DunningWorld) => Promise<void>): Promise<void> => {
  const w = await startDunningWorld({ RECADO_REGISTRATION: "open", ...env });
  try {
    await body(w);
  } finally {
    await w.stop();
  }
};

describe.each([...LANGUAGES])("in %s", (language) => {
  test("every mail with a link", () => inWorld({ RECADO_LANGUAGE: language }, (w) => expectLinks(w, language)));

  test("every reminder, with its amounts and days", () =>
    inWorld({ RECADO_LANGUAGE: language }, (w) => expectReminders(w, language)));
});

test("the language that a user chose in the console wins", () =>
  inWorld({ RECADO_LANGUAGE: "pt" }, async (w) => {
    const { email, userId } = await w.institution();
    await w.app.env.db.write((tx) => putConsolePerson(tx, `user:${userId}`, { language: "es" }));
    made(await w.platform("/v1/auth/forgot-password", { body: { email } }), 202);
    await w.settle();
    expect(lastTo(w, email)).toEqual(LINKS.es.reset);
  }));

test("without a language, links are in English and reminders in Portuguese", () =>
  inWorld({}, async (w) => {
    await expectLinks(w, "en");
    await expectReminders(w, "pt");
  }));
