import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { loadPlugin } from "../../../../src/loading/loader.ts";
import { pagerNetwork } from "../../../support/networks/pager.ts";
import { newAdapter } from "../../../support/new-adapter.ts";
import { tempFolders } from "../../../support/temp-folders.ts";
import { customer } from "../../../support/tenants/platform.ts";
import { startWorld, type World } from "../../../support/world.ts";

const { newFolder, removeFolders } = tempFolders();

let w: World;
beforeAll(async () => {
  const template = await loadPlugin(newAdapter("template", newFolder()), [], {});
  w = await startWorld({ plugins: [pagerNetwork().plugin, template.plugin] });
});
afterAll(() => w.stop());
afterAll(removeFolders);

const kindsOf = async (world: World): Promise<any[]> =>
  (await world.gateway("/v1/kinds", { key: (await world.account()).key })).body.items;

const LANGUAGES = ["en", "pt", "es"];

describe("GET /v1/kinds", () => {
  test("lists every kind of the server, compiled in or loaded, and how each is made", async () => {
    const ways = Object.fromEntries((await kindsOf(w)).map((kind) => [kind.type, kind.ways]));
    expect(ways).toEqual({
      SESSION: ["pairing"],
      WABA: ["credentials", "signup"],
      SOCIAL: ["oauth"],
      PAGER: ["credentials"],
      TEMPLATE: ["credentials"],
    });
  });

  test("gives the form of a loaded kind in the order of its adapter, with what its adapter says of each field", async () => {
    const [template] = (await kindsOf(w)).filter(({ type }) => type === "TEMPLATE");
    expect(template.label).toEqual({ en: "template channel", pt: "Canal template", es: "Canal template" });
    expect(template.credentials).toEqual([
      {
        name: "token",
        label: { en: "Access token", pt: "Token de acesso", es: "Token de acceso" },
        help: {
          en: "In the network's panel, under API keys",
          pt: "No painel da rede, em chaves de API",
          es: "En el panel de la red, en claves de API",
        },
        helpUrl: null,
        isSecret: true,
        isRequired: true,
        pattern: "^[!-~]{8,200}$",
        minLength: null,
        maxLength: null,
        choices: null,
      },
      expect.objectContaining({ name: "webhookSecret", help: null, isSecret: true }),
    ]);
    expect(template.capabilities).toMatchObject({
      contentTypes: ["text"],
      contentLimits: [
        expect.objectContaining({ type: "text", textMaxChars: null, textMaxBytes: 4000, mimeTypes: null }),
      ],
      recipients: "ids",
    });
  });

  test("names every field of every compiled-in kind in each language, and hides each secret", async () => {
    const compiledIn = (await kindsOf(w)).filter(({ type }) => type !== "PAGER");
    for (const { label, credentials, creationSettings, settings } of compiledIn)
      for (const words of [label, ...[...credentials, ...creationSettings, ...settings].map((field) => field.label)])
        expect(Object.keys(words)).toEqual(LANGUAGES);
    const secrets = compiledIn.flatMap(({ credentials }) => credentials).filter(({ isSecret }) => isSecret);
    expect(secrets.map(({ name }): string => name).toSorted()).toEqual([
      "accessToken",
      "token",
      "verifyToken",
      "webhookSecret",
    ]);
  });

  test("has the settings that a new phone takes, and the choices of each", async () => {
    const [session] = (await kindsOf(w)).filter(({ type }) => type === "SESSION");
    const fields: { name: string; choices: { value: string }[] | null }[] = session.creationSettings;
    expect(fields.map(({ name, choices }) => [name, choices?.map(({ value }) => value) ?? null])).toEqual([
      ["proxy", null],
      ["history", ["none", "recent", "full"]],
    ]);
  });

  test("says of a kind what the capabilities of each of its phones say", async () => {
    const { key } = await w.account();
    const { body: phone } = await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "A" } });
    const { hasGroups, hasCalls, canRejectCalls, hasCallLinks, ...own } = (
      await w.gateway(`/v1/phones/${phone.id}/capabilities`, { key })
    ).body;
    const [session] = (await kindsOf(w)).filter(({ type }) => type === "SESSION");
    expect([hasGroups, hasCalls, canRejectCalls, hasCallLinks]).toEqual([false, false, false, false]);
    expect(session.capabilities).toEqual(own);
  });

  test("asks for no credentials where the simulator stands in for every network", async () => {
    const demo = await startWorld({ simulated: true });
    try {
      expect((await kindsOf(demo)).map(({ credentials }) => credentials)).toEqual([[], [], []]);
    } finally {
      await demo.stop();
    }
  });
});

test("GET /v1/channel-types of the platform lists the same kinds by its own words, without those that it hides", async () => {
  const { key } = await customer(w);
  const { data } = (await w.platform("/v1/channel-types", { key })).body;
  expect(data.map(({ type }: { type: string }) => type)).toEqual([
    "CHAT_SESSION",
    "CHAT_WABA",
    "CHAT_PAGER",
    "CHAT_TEMPLATE",
  ]);
  const { type: _, ...pager } = (await kindsOf(w)).find(({ type }) => type === "PAGER");
  const { creationSettings, settings, capabilities, ...shared } = pager;
  expect([creationSettings, settings, capabilities]).not.toContain(undefined);
  expect(data[2]).toEqual({ type: "CHAT_PAGER", ...shared });
});
