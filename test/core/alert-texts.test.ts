import { describe, expect, test } from "bun:test";
import { ALERT_TEXTS, alertText, TROUBLE_KINDS, titleOf } from "../../src/core/alerts/texts.ts";
import { LANGUAGES, type Language } from "../../src/kernel/texts/languages.ts";

const AT = Date.UTC(2026, 10, 23, 7, 10);
const ROOM = { free: 1200, total: 40_000 };
const WEBHOOK = { host: "a.example", id: "W1", failures: 1200, isActive: true, last: "HTTP 500" };

/** Every text that is made of values. */
const madeIn = (language: Language): string[] => {
  const texts = ALERT_TEXTS[language];
  return [
    texts.more(1200),
    texts.phone({ label: "Reception", kind: "SESSION", id: "P1", tenantId: "A1", why: "DISCONNECTED, BANNED" }),
    texts.unreadableAddress,
    texts.webhook(WEBHOOK),
    texts.webhook({ ...WEBHOOK, isActive: false, last: null }),
    texts.deadLetters(1200),
    texts.backup({ madeAtMs: AT, error: undefined }),
    texts.backup({ madeAtMs: undefined, error: "ENOSPC" }),
    texts.disk(ROOM),
    texts.databaseAway("no answer"),
    texts.databaseNotDurable,
    texts.client({ kind: "SESSION", version: "2.3000.1", expiresAt: AT }),
    texts.test.title,
    texts.test.text,
  ];
};

const EXPECTED: Record<Language, string[]> = {
  pt: [
    "E mais 1.200.",
    "Reception (SESSION P1 da conta A1): DISCONNECTED, BANNED",
    "um endereço ilegível",
    "a.example (webhook W1): 1.200 falhas seguidas, a última: HTTP 500",
    "a.example (webhook W1): foi desativado depois das falhas",
    "Entregas desistidas: 1.200. Corrija os endpoints e depois reenvie os eventos.",
    "O último bom é de 23/11/2026, 07:10 UTC.",
    "Nenhum foi feito ainda. A última tentativa falhou: ENOSPC",
    "Restam 1.200 MB livres de 40.000 MB.",
    "Nada é aceito enquanto isso: no answer",
    "Uma queda de energia lá perde mensagens já aceitas. Defina durability_mode como strong em cada início dele.",
    "SESSION: a versão 2.3000.1 termina em 23/11/2026, 07:10 UTC. Atualize o Recado ou informe uma versão mais nova.",
    "Isto é um teste",
    "O Recado avisaria você aqui sobre o que der errado.",
  ],
  en: [
    "And 1200 more.",
    "Reception (SESSION P1 of account A1): DISCONNECTED, BANNED",
    "an address that cannot be read",
    "a.example (webhook W1): 1200 failures in a row, the last one: HTTP 500",
    "a.example (webhook W1): it was disabled after its failures",
    "1200 deliveries are dead letters. Repair their endpoints, then replay them.",
    "The last good one is of 2026-11-23T07:10:00.000Z.",
    "None was made yet. The last try failed: ENOSPC",
    "1200 MB are free of 40000 MB.",
    "Nothing is accepted meanwhile: no answer",
    "A loss of power there loses messages that were accepted. Set its durability_mode to strong, at each of its starts.",
    "SESSION: version 2.3000.1 ends at 2026-11-23T07:10:00.000Z. Update Recado, or give it a newer version.",
    "This is a test",
    "Recado would notify you here of what goes wrong.",
  ],
  es: [
    "Y 1200 más.",
    "Reception (SESSION P1 de la cuenta A1): DISCONNECTED, BANNED",
    "una dirección ilegible",
    "a.example (webhook W1): 1200 fallos seguidos, el último: HTTP 500",
    "a.example (webhook W1): se desactivó después de sus fallos",
    "Entregas abandonadas: 1200. Repara los endpoints y después reenvía los eventos.",
    "La última buena es del 23/11/2026, 07:10 UTC.",
    "Todavía no se hizo ninguna. El último intento falló: ENOSPC",
    "Quedan 1200 MB libres de 40.000 MB.",
    "Nada se acepta mientras tanto: no answer",
    "Un corte de energía allí pierde mensajes ya aceptados. Pon durability_mode en strong en cada inicio suyo.",
    "SESSION: la versión 2.3000.1 termina el 23/11/2026, 07:10 UTC. Actualiza Recado o indica una versión más nueva.",
    "Esto es una prueba",
    "Recado te avisaría aquí de lo que falle.",
  ],
};

test.each([...LANGUAGES])("every line of an alert in %s, with its numbers and times", (language) => {
  expect(madeIn(language)).toEqual(EXPECTED[language]);
});

const TITLES: Record<Language, string[]> = {
  pt: ["Um telefone não está conectado", "3 telefones não estão conectados", "Um telefone está conectado de novo (3)"],
  en: ["A phone is not connected", "3 phones are not connected", "A phone is connected again (3)"],
  es: ["Un teléfono no está conectado", "3 teléfonos no están conectados", "Un teléfono está conectado de nuevo (3)"],
};

test.each([...LANGUAGES])("the first line of an alert in %s counts", (language) => {
  const titled = (type: "trouble.opened" | "trouble.closed", count: number) =>
    titleOf(ALERT_TEXTS[language], { kind: "phone-lost", type, count });
  expect([titled("trouble.opened", 1), titled("trouble.opened", 3), titled("trouble.closed", 3)]).toEqual(
    TITLES[language],
  );
});

describe.each([...TROUBLE_KINDS])("%s", (kind) => {
  test.each(["title", "many", "over"] as const)("its %s differs in every language", (part) => {
    const texts = LANGUAGES.map((language) => ALERT_TEXTS[language].titles[kind][part]);
    expect(new Set(texts).size).toBe(LANGUAGES.length);
    for (const text of texts) expect(text.trim()).not.toBe("");
  });
});

test("without a language there is one text, in English", () => {
  const make = (texts: (typeof ALERT_TEXTS)["en"]) => texts.disk(ROOM);
  expect(alertText(undefined, make)).toEqual({ text: "1200 MB are free of 40000 MB.", localText: null });
  expect(alertText("pt", make)).toEqual({
    text: "1200 MB are free of 40000 MB.",
    localText: "Restam 1.200 MB livres de 40.000 MB.",
  });
});
