import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { entryOf, loadPlugin } from "../../src/loading/loader.ts";
import { newAdapter } from "../support/new-adapter.ts";
import { tempFolders } from "../support/temp-folders.ts";
import { startWorld, type World } from "../support/world.ts";

const PLUGINS = resolve(import.meta.dir, "../../plugins");
const { newFolder, removeFolders } = tempFolders();

/** The adapters of the repository that are compiled in, and the template, whose words are in what it writes. */
const OTHERWISE = ["session", "waba", "social", "simulator", "template"];
const loadable = readdirSync(PLUGINS).filter((name) => !OTHERWISE.includes(name) && entryOf(join(PLUGINS, name)));

type Words = { en: string; pt: string; es: string };
type Field = { name: string; label: Words; help: Words | null; choices: { label: Words | null }[] | null };
type Shown = { type: string; label: Words; about: Words | null } & Record<
  "credentials" | "creationSettings" | "settings" | "sendOptions",
  Field[]
>;

let w: World;
let kinds: Shown[];
beforeAll(async () => {
  const folders = [...loadable.map((name) => join(PLUGINS, name)), newAdapter("template", newFolder())];
  const plugins = await Promise.all(folders.map(async (folder) => (await loadPlugin(folder, [], {})).plugin));
  w = await startWorld({ plugins });
  kinds = (await w.gateway("/v1/kinds", { key: (await w.account()).key })).body.items;
});
afterAll(() => w.stop());
afterAll(removeFolders);

/** A field is named with its kind, so that a fault says where it is. */
const fieldsOf = (kind: Shown): [where: string, field: Field][] =>
  [kind.credentials, kind.creationSettings, kind.settings, kind.sendOptions].flatMap((fields) =>
    fields.map((field): [string, Field] => [`${kind.type}.${field.name}`, field]),
  );

const wordsOf = (kind: Shown): [where: string, words: Words][] =>
  [
    [`${kind.type}.label`, kind.label] as const,
    [`${kind.type}.about`, kind.about] as const,
    ...fieldsOf(kind).flatMap(([where, { label, help, choices }]) => [
      [`${where}.label`, label] as const,
      [`${where}.help`, help] as const,
      ...(choices ?? []).map((choice, place) => [`${where}.choices.${place}`, choice.label] as const),
    ]),
  ].flatMap(([where, words]) => (words === null ? [] : [[where, words] as [string, Words]]));

/** Names of products, and words that both languages have taken over. */
/** Words that are the same in Spanish, and names. */
const SAME = ["WhatsApp", "Instagram", "Facebook Messenger", "Proxy", "SMS", "Twilio", "Zenvia", "No"];
const ENGLISH = /\b(?:the|and|of|with|without|your|from|which|when|where|this|that|is|are|by|to|it|not)\b/i;

const isEnglish = (text: string, en: string): boolean =>
  text === "" || ENGLISH.test(text) || (text === en && !SAME.includes(text));

test("every adapter of the repository is among the kinds that are looked at", () => {
  expect(kinds).toHaveLength(OTHERWISE.length - 1 + loadable.length); // the simulator stands in for the others
  expect(loadable).toEqual(expect.arrayContaining(["messenger", "sms", "telegram"]));
});

test("no text of a kind and of its forms is English in Portuguese or Spanish", () => {
  const english = kinds
    .flatMap(wordsOf)
    .flatMap(([where, { en, pt, es }]) => [
      ...(isEnglish(pt, en) ? [`${where} pt: ${pt}`] : []),
      ...(isEnglish(es, en) ? [`${where} es: ${es}`] : []),
    ]);
  expect(english).toEqual([]);
});

test("a field has a name of its own, not that of one of its choices", () => {
  const shared = kinds
    .flatMap(fieldsOf)
    .filter(([, { label, choices }]) => choices?.some((one) => one.label?.en === label.en));
  expect(shared.map(([where]) => where)).toEqual([]);
});
