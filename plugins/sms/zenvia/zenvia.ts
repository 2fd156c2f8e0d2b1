import { fileRefused } from "../../../src/contract/ports/file-failures.ts";
import type { Provider } from "../provider.ts";
import { send } from "./calls.ts";
import { check, forget } from "./subscriptions.ts";
import { isSigned, verify, zenviaEvents } from "./webhook.ts";

/** Zenvia, and providers with its API: JSON, with a secret of ours in a header. */
export const zenvia: Provider = {
  check,
  send,
  forget,
  open: async () => fileRefused("this provider has no files"),
  isSigned,
  verify,
  eventsOf: zenviaEvents,
};
