import type { Action } from "../../core/tenancy/audit/audit.ts";

/** TABLE: why a route that takes more than GET records no act, by the word that the route says. */
export const UNRECORDED = {
  "daily work":
    "messages, chats, people, groups, calls, files, templates, lookups and batches have their own lists and events",
  "own settings": "what the owner of a phone sets up for it, and sees there",
  "no change": "it asks or tries something, and nothing that is stored changes",
  "part of another": "another request records the act: the use of a mailed link, the beginning of a session",
  "a test key tries": "it simulates what a network would do, for test keys alone",
  "a network asks": "nobody asks who could be the actor",
} as const;

/** The acts of the audit log that a route can record, each as that of who asks; else why it records none. */
export type Acts = readonly Action[] | `none: ${keyof typeof UNRECORDED}`;
