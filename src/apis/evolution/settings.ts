import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";

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

/** TABLE: why a setting cannot be switched on. */
const NOT_THERE: Record<Exclude<keyof Settings, "msgCall">, string> = {
  rejectCall: "calls are not rejected",
  groupsIgnore: "messages of groups come too",
  alwaysOnline: "use /instance/setPresence while a person works",
  readMessages: "use /chat/markMessageAsRead",
  readStatus: "status updates are not marked as read",
  syncFullHistory: "it is said when the instance is created",
};

/** @throws AppError VALIDATION for each setting that has an effect in Evolution but none here */
export const refuseSettings = (given: Settings, except: readonly (keyof Settings)[] = []): void => {
  const issues = Object.entries(NOT_THERE).flatMap(([name, reason]) =>
    given[name as keyof Settings] === true && !except.includes(name as keyof Settings)
      ? [issue(name, "forbidden", `cannot be switched on here: ${reason}`)]
      : [],
  );
  if (issues.length > 0) throw invalid(...issues);
};
