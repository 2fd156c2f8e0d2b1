import {
  Bot,
  Building2,
  CalendarClock,
  CodeXml,
  ContactRound,
  FileText,
  Gauge,
  Inbox,
  KeyRound,
  ListChecks,
  type LucideIcon,
  MessageSquareQuote,
  MessagesSquare,
  PackageOpen,
  Phone,
  ReceiptText,
  ScrollText,
  Send,
  ServerCog,
  Smartphone,
  UserCog,
  UsersRound,
  Webhook,
} from "lucide-preact";
import type { FunctionComponent } from "preact";
import { lazy } from "./lazy.ts";
import { account, isOperator, may } from "./session.ts";
import type { PageName } from "./texts/page-names.ts";

export type Group = "home" | "talk" | "connect" | "build" | "own" | "machine" | "hidden";

/** The parts of the address that a page gets: `/phones/<id>/<tab>`. */
export type PageProps = { id?: string; tab?: string };

/**
 * A page of the console. `path`: below the console's own; `:id` is a parameter. `needs`: the scope of the gateway API
 * without which the person may not see it. `isForOperators`: it shows the machine.
 */
export type Page = {
  name: PageName;
  path: string;
  group: Group;
  icon: LucideIcon;
  component: FunctionComponent<PageProps>;
  needs?: string;
  isForOperators?: boolean;
};

/** TABLE: every page of a person who has signed in, in the order of the navigation. Each is loaded when it is opened. */
export const PAGES: readonly Page[] = [
  {
    name: "overview",
    path: "/",
    group: "home",
    icon: Gauge,
    component: lazy(async () => (await import("../pages/overview/page.tsx")).OverviewPage),
  },
  {
    name: "inbox",
    path: "/inbox",
    group: "talk",
    icon: Inbox,
    component: lazy(async () => (await import("../pages/inbox/page.tsx")).InboxPage),
    needs: "chats.read",
  },
  {
    name: "messages",
    path: "/messages",
    group: "talk",
    icon: MessagesSquare,
    component: lazy(async () => (await import("../pages/messages/page.tsx")).MessagesPage),
    needs: "messages.read",
  },
  {
    name: "contacts",
    path: "/contacts",
    group: "talk",
    icon: ContactRound,
    component: lazy(async () => (await import("../pages/contacts/page.tsx")).ContactsPage),
    needs: "chats.read",
  },
  {
    name: "batches",
    path: "/batches",
    group: "talk",
    icon: Send,
    component: lazy(async () => (await import("../pages/batches/page.tsx")).BatchesPage),
    needs: "messages.write",
  },
  {
    name: "scheduled",
    path: "/scheduled",
    group: "talk",
    icon: CalendarClock,
    component: lazy(async () => (await import("../pages/scheduled/page.tsx")).ScheduledPage),
    needs: "messages.read",
  },
  {
    name: "canned",
    path: "/canned-replies",
    group: "talk",
    icon: MessageSquareQuote,
    component: lazy(async () => (await import("../pages/canned/page.tsx")).CannedPage),
    needs: "chats.read",
  },
  {
    name: "templates",
    path: "/templates",
    group: "talk",
    icon: FileText,
    component: lazy(async () => (await import("../pages/templates/page.tsx")).TemplatesPage),
    needs: "templates.read",
  },
  {
    name: "phones",
    path: "/phones",
    group: "connect",
    icon: Smartphone,
    component: lazy(async () => (await import("../pages/phones/page.tsx")).PhonesPage),
    needs: "phones.read",
  },
  {
    name: "agents",
    path: "/agents",
    group: "connect",
    icon: Bot,
    component: lazy(async () => (await import("../pages/agents/page.tsx")).AgentsPage),
    needs: "ai.read",
  },
  {
    name: "groups",
    path: "/groups",
    group: "connect",
    icon: UsersRound,
    component: lazy(async () => (await import("../pages/groups/page.tsx")).GroupsPage),
    needs: "groups.read",
  },
  {
    name: "calls",
    path: "/calls",
    group: "connect",
    icon: Phone,
    component: lazy(async () => (await import("../pages/calls/page.tsx")).CallsPage),
    needs: "calls.read",
  },
  {
    name: "webhooks",
    path: "/webhooks",
    group: "build",
    icon: Webhook,
    component: lazy(async () => (await import("../pages/webhooks/page.tsx")).WebhooksPage),
    needs: "webhooks.read",
  },
  {
    name: "deliveries",
    path: "/deliveries",
    group: "build",
    icon: ListChecks,
    component: lazy(async () => (await import("../pages/deliveries/page.tsx")).DeliveriesPage),
    needs: "events.read",
  },
  {
    name: "keys",
    path: "/keys",
    group: "build",
    icon: KeyRound,
    component: lazy(async () => (await import("../pages/keys/page.tsx")).KeysPage),
    needs: "keys.read",
  },
  {
    name: "api",
    path: "/api",
    group: "build",
    icon: CodeXml,
    component: lazy(async () => (await import("../pages/api/page.tsx")).ApiPage),
  },
  {
    name: "billing",
    path: "/billing",
    group: "own",
    icon: ReceiptText,
    component: lazy(async () => (await import("../pages/billing/page.tsx")).BillingPage),
    needs: "billing.read",
  },
  {
    name: "team",
    path: "/team",
    group: "own",
    icon: UserCog,
    component: lazy(async () => (await import("../pages/team/page.tsx")).TeamPage),
  },
  {
    name: "accounts",
    path: "/accounts",
    group: "machine",
    icon: Building2,
    component: lazy(async () => (await import("../pages/accounts/page.tsx")).AccountsPage),
    isForOperators: true,
  },
  {
    name: "system",
    path: "/system",
    group: "machine",
    icon: ServerCog,
    component: lazy(async () => (await import("../pages/system/page.tsx")).SystemPage),
    isForOperators: true,
  },
  {
    name: "moveIn",
    path: "/move-in",
    group: "machine",
    icon: PackageOpen,
    component: lazy(async () => (await import("../pages/move-in/page.tsx")).MoveInPage),
    isForOperators: true,
  },
  {
    name: "audit",
    path: "/audit",
    group: "own",
    icon: ScrollText,
    component: lazy(async () => (await import("../pages/audit/page.tsx")).AuditPage),
    needs: "audit.read",
  },
  {
    name: "profile",
    path: "/profile",
    group: "hidden",
    icon: UserCog,
    component: lazy(async () => (await import("../pages/profile/page.tsx")).ProfilePage),
  },
];

/** Whether the person may see a page in the chosen account. */
export const isOpenTo = ({ needs, isForOperators = false }: Page): boolean =>
  (!isForOperators || isOperator.value) &&
  (needs === undefined || may(needs)) &&
  (account.value !== undefined || isOperator.value);

/** TABLE: the pages of a person who has not signed in. */
export const OPEN_PAGES: readonly { path: string; component: Page["component"] }[] = [
  { path: "/sign-in", component: lazy(async () => (await import("../pages/sign-in/page.tsx")).SignInPage) },
  { path: "/setup", component: lazy(async () => (await import("../pages/setup/page.tsx")).SetupPage) },
];
