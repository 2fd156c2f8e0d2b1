import type { MessagingEnv } from "../messaging/env.ts";
import type { GroupRequests } from "./requests.ts";

/** What the functions of `groups` may ask for. */
export type GroupsEnv = MessagingEnv & {
  /** Who waits for what became of a group that was asked for. */
  groupRequests: GroupRequests;
};
