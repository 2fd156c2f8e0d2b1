import type { NetworkTemplate, TemplateApi } from "../../src/contract/content/templates.ts";
import type { ChannelEvent, TemplateStatus } from "../../src/contract/events.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";

/** The duration of a review here. */
const REVIEWED_AFTER_MS = 3000;
/** Templates whose name has this ending are refused. */
const REFUSED = /_(?:rejected|recusado|rechazada)$/;

type Emit = (delayMs: number, event: () => ChannelEvent) => void;

/** Templates that are reviewed after three seconds: approved, unless their name requests a refusal. */
export const simulatorTemplates = (
  { clock, random }: Pick<ChannelHost, "clock" | "random">,
  emit: Emit,
): TemplateApi => {
  const known = new Map<string, NetworkTemplate>();
  const change = (nativeId: string, changed: Partial<NetworkTemplate>): NetworkTemplate | undefined => {
    const template = known.get(nativeId);
    if (!template) return undefined;
    const next = { ...template, ...changed };
    known.set(nativeId, next);
    return next;
  };
  const review = (nativeId: string): void =>
    emit(REVIEWED_AFTER_MS, () => {
      const { name = "", language = "" } = known.get(nativeId) ?? {};
      const isRefused = REFUSED.test(name);
      const status: TemplateStatus = isRefused ? "REJECTED" : "APPROVED";
      const reason = isRefused ? { reason: "INVALID_FORMAT" } : {};
      change(nativeId, { status, ...reason });
      return { kind: "template", at: clock.now(), nativeId, name, language, status, ...reason };
    });
  return {
    async submit({ name, language, category, components }) {
      const nativeId = `9${String(Math.floor(random.float() * 1e14)).padStart(14, "0")}`;
      known.set(nativeId, { nativeId, name, language, category, components, status: "PENDING" });
      review(nativeId);
      return { ok: true, value: { nativeId, status: "PENDING" } };
    },
    async edit(nativeId, { category, components }) {
      change(nativeId, {
        status: "PENDING",
        ...(category === undefined ? {} : { category }),
        ...(components === undefined ? {} : { components }),
      });
      if (known.has(nativeId)) review(nativeId);
      return { ok: true, value: {} };
    },
    async remove({ nativeId }) {
      known.delete(nativeId);
      return { ok: true, value: undefined };
    },
    list: async () => ({ ok: true, value: { templates: [...known.values()] } }),
  };
};
