import type { MessagingEnv } from "../messaging/env.ts";
import type { GroupRequests } from "./requests.ts";

/** The environment of the functions of `groups`. */
export type GroupsEnv = MessagingEnv & {
  /** The requests that wait for the outcome of a new group. */
  groupRequests: GroupRequests;
};
