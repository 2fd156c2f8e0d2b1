import { expect, test } from "bun:test";
import type { Template } from "../../clients/typescript/src/generated/gateway.ts";
import {
  type FallbackDraft,
  fallbackOf,
  fallbackValues,
  isFallbackRight,
  newFallback,
} from "../../src/console/web/pages/batches/fallback/draft.ts";

const template = {
  id: "t",
  name: "pedido_saiu",
  language: "pt_BR",
  components: [{ type: "BODY", text: "Olá {{1}}" }],
} as unknown as Template;
const whole: FallbackDraft = {
  ...newFallback(),
  isOn: true,
  phoneId: "official",
  template,
  values: { "variable.1": "{{nome}}" },
  afterMinutes: "15",
  reasons: ["silent", "lost"],
};

test("the fallback of a batch is sent with its phone, its template, its minutes and its cases", () => {
  expect(fallbackOf(whole)).toEqual({
    fallback: {
      channelId: "official",
      template: { name: "pedido_saiu", language: "pt_BR", variables: ["{{nome}}"] },
      afterMinutes: 15,
      when: ["lost", "silent"],
      mayArriveTwice: false,
    },
  });
  expect(fallbackValues(whole)).toEqual(["{{nome}}"]);
  expect(isFallbackRight(whole, "session")).toBe(true);
});

test("a fallback that is switched off is no part of the batch, whatever it holds", () => {
  const off = { ...whole, isOn: false, phoneId: "session", values: {} };
  expect([fallbackOf(off), fallbackValues(off), isFallbackRight(off, "session")]).toEqual([{}, [], true]);
});

test.each<[what: string, change: Partial<FallbackDraft>]>([
  ["the phone of the batch itself", { phoneId: "session" }],
  ["no phone", { phoneId: "" }],
  ["no template", { template: undefined }],
  ["a value that is missing", { values: {} }],
  ["no minutes", { afterMinutes: "" }],
  ["part of a minute", { afterMinutes: "1.5" }],
  ["more than a day", { afterMinutes: "1441" }],
  ["no case", { reasons: [] }],
])("a fallback with %s holds the batch back", (_, change) => {
  expect(isFallbackRight({ ...whole, ...change }, "session")).toBe(false);
});
