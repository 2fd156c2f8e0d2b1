import { describe, expect, test } from "bun:test";
import { secretTexts } from "../../../src/kernel/settings/described-config.ts";

describe("secretTexts", () => {
  test("has every secret, each of a list, and the password of a URL in both of its forms; nothing that is shown anyway, and no short word", () => {
    const texts = secretTexts({
      RECADO_META_APP_SECRET: "first-secret, second-secret",
      RECADO_SMTP_URL: "smtp://postmaster:a%20pass%20word@mail.example",
      RECADO_ADMIN_TOKEN: "recado",
      RECADO_PUBLIC_URL: "https://recado.example",
    });
    for (const secret of ["first-secret", "second-secret", "a%20pass%20word", "a pass word"])
      expect(texts).toContain(secret);
    for (const word of ["recado", "postmaster", "https://recado.example"]) expect(texts).not.toContain(word);
    expect(secretTexts({ RECADO_SMTP_URL: "smtp://u:half%of-it@mail.example" })).toContain("half%of-it");
  });
});
