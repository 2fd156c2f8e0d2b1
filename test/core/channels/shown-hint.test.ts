import { expect, test } from "bun:test";
import { shownHint } from "../../../src/core/channels/pairing/shown-hint.ts";
import { useWorld } from "../../support/use-world.ts";

const w = useWorld();
const shown = (kind: "SESSION" | "WABA", code: string) => shownHint(w.app.env, { kind }, { code });

test("a hint is shown in the words that the channel's adapter declares for it, and one without words by its code", () => {
  expect(shown("SESSION", "CODE_REFUSED")).toEqual({
    code: "CODE_REFUSED",
    en: expect.stringContaining("WhatsApp"),
    pt: expect.stringContaining("WhatsApp"),
  });
  for (const code of ["NEW_HINT", "constructor", "__proto__"])
    expect(shown("SESSION", code)).toEqual({ code, en: code, pt: code });
  expect(shown("WABA", "CODE_REFUSED")).toEqual({ code: "CODE_REFUSED", en: "CODE_REFUSED", pt: "CODE_REFUSED" });
});

test("the texts of hints are those of the codes that sessions give", async () => {
  const declared = Object.keys(w.app.env.registry.declared("SESSION")?.pairingHints ?? {});
  const sources = new Bun.Glob("plugins/session/lifecycle/*.ts").scanSync();
  const texts = await Promise.all([...sources].map(async (path) => [path, await Bun.file(path).text()] as const));
  const code = texts.flatMap(([path, text]) => (path.endsWith("pairing-hints.ts") ? [] : [text])).join("\n");
  expect(declared.filter((one) => !code.includes(one))).toEqual([]);
});
