import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { described, Nullable, OneOf } from "../../../kernel/schema.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { ADMIN_REFUSALS } from "../schemas.ts";

const TextOrNull = Nullable(Type.String());
const NumberOfFaults = Type.Integer({ description: "How often it broke its contract since the start", examples: [0] });

const AdapterView = Type.Object(
  {
    name: Type.String({ description: "The name of the adapter, and of its folder", examples: ["pager"] }),
    state: OneOf(["usable", "unusable"], { title: "AdapterState", description: "Whether its channels are served" }),
    fault: described(TextOrNull, "Why it is not usable; null if it is", null),
    version: described(TextOrNull, "Its own version; null while it is unusable", "1.0.0"),
    author: described(TextOrNull, "Who made it; null if it does not say", "Padaria Pager"),
    homepage: described(TextOrNull, "Where it is described; null if it does not say", "https://pager.example"),
    kind: described(TextOrNull, "The kind of its channels; null if it has named none", "PAGER"),
    label: described(TextOrNull, "What people call such a channel; null while it is unusable", "pager"),
    contract: described(TextOrNull, "The contract that it needs; null while it is unusable", "2.0"),
    hosts: Type.Array(Type.String(), {
      description: "The hosts that it may ask through Recado; `*` is any",
      examples: [["api.pager.example"]],
    }),
    sha256: described(TextOrNull, "The SHA-256 of its folder; null while it is unusable", "9f86d081884c7d65"),
    warnings: Type.Array(Type.String(), { description: "What it declares in vain", examples: [[]] }),
    faults: NumberOfFaults,
  },
  { title: "Adapter" },
);

const adapterViews = ({ registry, metrics }: GatewayEnv): Static<typeof AdapterView>[] => [
  ...registry.installed.map(({ author = null, homepage = null, hosts, warnings, ...adapter }) => ({
    ...adapter,
    author,
    homepage,
    hosts: [...hosts],
    warnings: [...warnings],
    state: "usable" as const,
    fault: null,
    faults: metrics.sumOf("recado_adapter_faults_total", adapter.name),
  })),
  ...registry.unavailable.map(({ name, kind = null, fault }) => ({
    name,
    state: "unusable" as const,
    fault,
    version: null,
    author: null,
    homepage: null,
    kind,
    label: null,
    contract: null,
    hosts: [],
    sha256: null,
    warnings: [],
    faults: 0,
  })),
];

/** The route about the adapters of the plugin folder. */
export const adminAdapters = (env: GatewayEnv) =>
  new Elysia().get("/adapters", () => ({ items: adapterViews(env) }), {
    response: {
      200: Type.Object({ items: Type.Array(AdapterView, { description: "Every adapter of the plugin folder" }) }),
      ...ADMIN_REFUSALS,
    },
    detail: {
      ...route({ operationId: "listAdapters", isolation: "administrator" }),
      summary: "List the adapters of the plugin folder",
      description:
        "It says who made each, what it may reach, and why it is unusable. Those that are part of Recado are not listed.",
    },
  });
