import { expect, test } from "bun:test";
import { phoneSettingRows } from "../../../../scripts/list/phone-settings.ts";
import {
  anyTimeSettings,
  PHONE_SETTINGS,
  type PhoneSetting,
} from "../../../../src/core/channels/settings/phone-settings.ts";
import { recordedBy } from "../../../support/apis/audit.ts";
import { fieldsOf } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const account = useEach(() => w.account());
const CREDENTIALS = { phoneNumberId: "5647382910", businessAccountId: "1029384756", accessToken: "EAAGexemplo" };

/** What the compiler finds: a line that says the opposite does not compile. */
type Takes<Place, Given> = Given extends Place ? "yes" : "no";
type Checked<Time> = Pick<PhoneSetting, "schema" | "isOf" | "refusal"> & { takenAt: Time; check(): Promise<string> };
const checked: [Takes<PhoneSetting, Checked<"creation">>, Takes<PhoneSetting, Checked<"any-time">>] = ["yes", "no"];

test("a check of a setting that nobody would call does not compile: one that is taken at any time has none", () => {
  expect(checked).toEqual(["yes", "no"]);
});

const create = (settings: object) =>
  w.gateway("/v1/phones", {
    key: account.key,
    body: { type: "WABA", label: "A phone", credentials: CREDENTIALS, ...settings },
  });

test("a setting that phones of other types have is refused by its name, and the value of its default is taken by all", async () => {
  expect(fieldsOf(await create({ history: "full" }))).toEqual(["history"]);
  expect(fieldsOf(await create({ proxy: "socks5://proxy.example:1080" }))).toEqual(["proxy"]);
  expect((await create({ history: "none" })).status).toBe(201);
});

test("what lies in a phone's vault has one name: no setting has another's name, or a credential's", () => {
  for (const adapter of w.app.env.registry.adapters) {
    const settings = [...new Set([...Object.keys(PHONE_SETTINGS), ...Object.keys(anyTimeSettings(adapter))])];
    const credentials = Object.keys(adapter.credentials?.["properties"] ?? {});
    const own = Object.keys(adapter.channelSettings?.["properties"] ?? {});
    expect(own.filter((name) => Object.hasOwn(PHONE_SETTINGS, name))).toEqual([]);
    expect(settings.filter((name) => credentials.includes(name))).toEqual([]);
  }
});

test("a change is in the audit log by the names of its settings; a refused one, and one that names none, are not", async () => {
  const { id } = (await create({})).body;
  const change = (body: object) => w.gateway(`/v1/phones/${id}/settings`, { key: account.key, method: "PATCH", body });
  const entries = await recordedBy(w, async () => {
    expect((await change({ messagingAccountId: "4711", marketingMessages: null })).status).toBe(200);
    expect((await change({ messagingAccountId: "no digits" })).status).toBe(400);
    expect((await change({ unknown: "x" })).status).toBe(200);
  });
  expect(entries.map(({ action, target, details }) => [action, target, details["fields"]])).toEqual([
    ["channel.change-settings", id, ["messagingAccountId", "marketingMessages"]],
  ]);
  expect(JSON.stringify(entries)).not.toContain("4711");
});

test("the list of settings says of each which phones have it, when it is taken and what it means", async () => {
  const [columns, ...rows] = await phoneSettingRows();
  expect(columns).toEqual(["setting", "phones", "taken", "meaning"]);
  expect(rows.map((row) => row.slice(0, 3))).toContainEqual(["history", "SESSION", "at creation"]);
  expect(rows.map((row) => row.slice(0, 3))).toContainEqual(["marketingMessages", "WABA", "any time"]);
  expect(rows.filter((row) => row.includes(""))).toEqual([]);
});
