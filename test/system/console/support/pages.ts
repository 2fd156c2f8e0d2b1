/** Who looks at a page. */
export type Visitor = "visitor" | "operator" | "owner" | "viewer";

/** TABLE: every page that `pages.test.ts` visits in all languages, sizes and themes. `path`: below the console. */
export type VisitedPage = { name: string; path: string; as: Visitor };

const asOwner = (...names: string[]): VisitedPage[] => names.map((name) => ({ name, path: `/${name}`, as: "owner" }));
const asOperator = (...names: string[]): VisitedPage[] =>
  names.map((name) => ({ name, path: `/${name}`, as: "operator" }));

export const PAGES: readonly VisitedPage[] = [
  { name: "sign-in", path: "/sign-in", as: "visitor" },
  { name: "overview", path: "/", as: "owner" },
  { name: "overview-operator", path: "/", as: "operator" },
  ...asOwner(
    "inbox",
    "messages",
    "contacts",
    "batches",
    "scheduled",
    "canned-replies",
    "templates",
    "phones",
    "agents",
    "groups",
  ),
  ...asOwner("calls", "webhooks", "deliveries", "keys", "api", "billing", "team", "profile"),
  ...asOperator("accounts", "system", "audit", "move-in"),
  { name: "batches-make", path: "/batches/new", as: "owner" },
  { name: "templates-make", path: "/templates/new", as: "owner" },
  { name: "audit-own", path: "/audit", as: "owner" },
  { name: "system-settings", path: "/system/settings", as: "operator" },
  { name: "system-adapters", path: "/system/adapters", as: "operator" },
  { name: "system-licences", path: "/system/licences", as: "operator" },
  { name: "billing-ledger", path: "/billing/ledger", as: "owner" },
  { name: "billing-estimate", path: "/billing/estimate", as: "owner" },
  { name: "billing-all", path: "/billing/all", as: "operator" },
  { name: "billing-plans", path: "/billing/plans", as: "operator" },
  { name: "api-platform", path: "/api/platform", as: "owner" },
  { name: "api-request", path: "/api/gateway/sendMessage", as: "owner" },
  { name: "pair-over", path: `/pair/${"0".repeat(32)}`, as: "visitor" },
  { name: "no-such-page", path: "/no-such-page", as: "owner" },
];
