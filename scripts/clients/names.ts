// The names of a client's functions: `createPhone` of the phones is `phones.create`.
import type { Operation } from "./document.ts";

/** TABLE: names that the rule would make badly. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  createSharedWebhook: "webhooks.create",
  listSharedWebhooks: "webhooks.list",
  getSharedWebhook: "webhooks.get",
  updateSharedWebhook: "webhooks.update",
  deleteSharedWebhook: "webhooks.delete",
  retrySharedWebhook: "webhooks.retry",
  reactToMessage: "messages.react",
  listContacts: "contacts.list",
  getContact: "contacts.get",
  createContact: "contacts.create",
  updateContact: "contacts.update",
  deleteContact: "contacts.delete",
  optOutContact: "contacts.optOut",
  optInContact: "contacts.optIn",
  createOwnApiKey: "keys.create",
  listOwnApiKeys: "keys.list",
  revokeOwnApiKey: "keys.revoke",
  createBatch: "bulk.create",
  listBatches: "bulk.list",
  getBatch: "bulk.get",
  cancelBatch: "bulk.cancel",
  pauseBatch: "bulk.pause",
  resumeBatch: "bulk.resume",
  addBatchRecipients: "bulk.addRecipients",
  forecastBatch: "bulk.forecast",
  listBatchRecipients: "bulk.listRecipients",
  getBusinessHours: "businessHours.get",
  setBusinessHours: "businessHours.set",
  deleteBusinessHours: "businessHours.delete",
  getActivity: "stats.get",
  getActivityNow: "stats.now",
  issueInvoiceOfAccount: "invoices.issue",
  renewAdminToken: "token.renew",
  listAuditEntries: "audit.list",
  exportPerson: "people.export",
  erasePerson: "people.erase",
  importSession: "imports.create",
  exportSession: "exports.create",
};

/** The tags of routes that networks and payment processors call, never a client. */
export const NOT_FOR_CLIENTS = ["receivers"];
/** The routes that each client writes by hand. */
export const BY_HAND = ["streamEvents"];

const wordsOf = (name: string): string[] => name.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g) ?? [];
const camel = (words: string[]): string =>
  words.map((word, index) => (index === 0 ? word.toLowerCase() : pascal(word))).join("");
const pascal = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** `createPhone` → `CreatePhone`, `api-keys` → `ApiKeys`. */
export const typeName = (name: string): string => name.split("-").map(pascal).join("");

const singular = (word: string): string =>
  word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.replace(/(?:(?<=[sx]|ch)es|(?<!s)s)$/, "");

/** The namespace of a route: its tag; for the operator's routes the noun after `/v1/admin`. */
const namespaceOf = ({ tag, path }: Operation): string => {
  const admin = /^\/v1\/admin\/([\w-]+)/.exec(path)?.[1];
  return camel((admin ?? tag).split("-"));
};

/** Removes the namespace's own words from a name, in the singular or the plural: `listApiKeys` → `list`. */
const shortened = (id: string, namespace: string): string => {
  const words = wordsOf(id);
  const noun = wordsOf(namespace).map((word) => singular(word.toLowerCase()));
  const at = words.findIndex(
    (_, index) =>
      index > 0 && noun.every((word, offset) => singular((words[index + offset] ?? "").toLowerCase()) === word),
  );
  return at < 0 ? id : camel([...words.slice(0, at), ...words.slice(at + noun.length)]);
};

/** The namespace and the name of a route's function. */
export const functionOf = (operation: Operation): { namespace: string; name: string } => {
  const [own, exception] = (EXCEPTIONS[operation.id] ?? "").split(".");
  if (own && exception) return { namespace: own, name: exception };
  const namespace = namespaceOf(operation);
  return { namespace, name: shortened(operation.id, namespace) };
};
