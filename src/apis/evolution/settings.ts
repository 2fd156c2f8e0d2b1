import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import {
  type ChannelSettings,
  changeChannelSettings,
  getChannelSettings,
  readHistoryMode,
} from "../../core/channels/settings/settings.ts";
import { invalid } from "../../kernel/errors.ts";
import { type Issue, issue } from "../../kernel/schema.ts";
import { type EvolutionAuth, instanceOf, type Principal } from "./auth.ts";
import type { EvolutionEnv } from "./env.ts";
import { routeOptions } from "./route-options.ts";

const Flag = Type.Optional(Type.Boolean());

/** Evolution's settings of an instance. */
export const SETTING_FIELDS = {
  rejectCall: Flag,
  msgCall: Type.Optional(Type.String()),
  groupsIgnore: Flag,
  alwaysOnline: Flag,
  readMessages: Flag,
  readStatus: Flag,
  syncFullHistory: Flag,
};
type Settings = Static<ReturnType<typeof Type.Object<typeof SETTING_FIELDS>>>;

/** TABLE: Evolution's switches, as settings of a phone. */
const SWITCHES = {
  rejectCall: "rejectCalls",
  groupsIgnore: "ignoreGroups",
  alwaysOnline: "alwaysOnline",
  readMessages: "readAutomatically",
} as const;
const SWITCH_NAMES = Object.keys(SWITCHES) as (keyof typeof SWITCHES)[];

/** The setting with the text for rejected callers. */
const CALL_TEXT = "rejectCallsText";

/** The settings of an instance of which nothing was changed. */
export const NO_SETTINGS = {
  rejectCall: false,
  msgCall: "",
  groupsIgnore: false,
  alwaysOnline: false,
  readMessages: false,
  readStatus: false,
  syncFullHistory: false,
};

/** The changes of a phone's settings that a client asks for. A missing field changes nothing. */
export const settingsIn = (given: Settings): ChannelSettings => ({
  ...Object.fromEntries(
    SWITCH_NAMES.flatMap((name) => (given[name] === undefined ? [] : [[SWITCHES[name], given[name] ? "on" : null]])),
  ),
  ...(given.msgCall === undefined ? {} : { [CALL_TEXT]: given.msgCall.trim() || null }),
});

/**
 * @throws AppError VALIDATION for each setting that has an effect in Evolution but none here. `taken`: the settings of
 *   the phones of this network. `isFullHistory`: the instance takes over its whole history.
 */
export const refuseSettings = (
  given: Settings,
  { taken, isFullHistory }: { taken: readonly string[]; isFullHistory: boolean },
): void => {
  const issues: Issue[] = [
    ...SWITCH_NAMES.filter((name) => given[name] && !taken.includes(SWITCHES[name])).map((name) =>
      refusal(name, "its network does not have it"),
    ),
    ...(given.msgCall?.trim() && !taken.includes(CALL_TEXT)
      ? [refusal("msgCall", "its network does not have it")]
      : []),
    ...(given.readStatus ? [refusal("readStatus", "statuses of others are not marked as read")] : []),
    ...(given.syncFullHistory && !isFullHistory
      ? [refusal("syncFullHistory", "it is said when the instance is created")]
      : []),
  ];
  if (issues.length > 0) throw invalid(...issues);
};

const refusal = (name: keyof Settings, reason: string): Issue =>
  issue(name, "forbidden", `cannot be switched on here: ${reason}`);

const viewOf = (stored: ChannelSettings, history: string): typeof NO_SETTINGS => ({
  ...NO_SETTINGS,
  ...Object.fromEntries(SWITCH_NAMES.map((name) => [name, stored[SWITCHES[name]] === "on"])),
  msgCall: stored[CALL_TEXT] ?? "",
  syncFullHistory: history === "full",
});

/** The settings of an instance, as Evolution shows them. @throws AppError CHANNEL_NOT_FOUND */
export const readSettings = async (env: EvolutionEnv, principal: Principal, id: string) =>
  viewOf(await getChannelSettings(env, principal, id), await readHistoryMode(env, principal, id));

const read = routeOptions({ scope: "phones.read" });
// the link takes a change at once, on whichever node it is
const write = routeOptions({ scope: "phones.write", link: "optional" });

/** Evolution's settings of an instance: those of its phone. */
export const settings = (env: EvolutionEnv, auth: EvolutionAuth) =>
  new Elysia({ prefix: "/settings" })
    .use(auth)
    .post(
      "/set/:instance",
      async ({ principal, request, body }) => {
        const { id } = instanceOf(request);
        const history = await readHistoryMode(env, principal, id);
        const taken = Object.keys(await getChannelSettings(env, principal, id));
        refuseSettings(body, { taken, isFullHistory: history === "full" });
        return status(201, viewOf(await changeChannelSettings(env, principal, id, settingsIn(body)), history));
      },
      { body: Type.Object(SETTING_FIELDS), detail: { ...write } },
    )
    .get("/find/:instance", ({ principal, request }) => readSettings(env, principal, instanceOf(request).id), {
      detail: { ...read },
    });
