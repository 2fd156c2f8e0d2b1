import { at, type Call } from "./tool.ts";

/** A thing that a client may attach to a conversation without a tool, by its address. */
type Resource = { pattern: string; name: string; about: string; path(id: string): string };

/** TABLE: the resources. `{id}` in a pattern stands for a UUID. */
const RESOURCES: readonly Resource[] = [
  {
    pattern: "recado://account",
    name: "Account",
    about: "The account, its plan and limits",
    path: () => "/v1/account",
  },
  { pattern: "recado://phones", name: "Phones", about: "All phones with their state", path: () => "/v1/phones" },
  { pattern: "recado://phones/{id}", name: "Phone", about: "One phone", path: (id) => at`/v1/phones/${id}` },
  { pattern: "recado://chats", name: "Chats", about: "The newest chats", path: () => "/v1/chats" },
  {
    pattern: "recado://chats/{id}",
    name: "Chat",
    about: "The newest messages of one chat",
    path: (id) => at`/v1/chats/${id}/messages`,
  },
  { pattern: "recado://messages/{id}", name: "Message", about: "One message", path: (id) => at`/v1/messages/${id}` },
];

const MIME = "application/json";
const isTemplate = ({ pattern }: Resource): boolean => pattern.endsWith("{id}");
const described = ({ name, about }: Resource) => ({ name, description: about, mimeType: MIME });

/** The resources with a fixed address. */
export const fixedResources = () =>
  RESOURCES.filter((one) => !isTemplate(one)).map((one) => ({ uri: one.pattern, ...described(one) }));

/** The resources whose address has an id. */
export const resourceTemplates = () =>
  RESOURCES.filter(isTemplate).map((one) => ({ uriTemplate: one.pattern, ...described(one) }));

/** Reads a resource. Undefined for an address without a resource. */
export const readResource = async (call: Call, uri: string): Promise<unknown> => {
  for (const one of RESOURCES) {
    const [, id = ""] = new RegExp(`^${one.pattern.replace("{id}", "([0-9a-fA-F-]{36})")}$`).exec(uri) ?? [undefined];
    if (uri === one.pattern.replace("{id}", id)) return call("GET", one.path(id));
  }
  return undefined;
};
