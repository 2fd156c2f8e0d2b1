import type { GroupOrder } from "../../../src/contract/abilities/groups.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { SendOutcome } from "../../../src/contract/outcome.ts";
import type { SendOrder } from "../../../src/contract/plugin.ts";
import { recordOf } from "../../../src/kernel/texts/json.ts";
import { refused } from "../outbound/outcomes.ts";

type Native = Omit<GroupOrder, "to"> & { to: string; key: ProviderMessageId };

/**
 * A message to a group in the format of the official network, as this network's order. Refuses templates, and files by
 * an id of that network.
 */
export const orderOf = ({
  type,
  payload,
  messageId,
  to,
  key,
}: Native): SendOrder | Extract<SendOutcome, { ok: false }> => {
  const head = { messageId, to, key };
  if (type === "text") return { ...head, type, content: { text: String(payload["body"]) } };
  if (type === "template") return refused("the network has no templates", { code: "UPSTREAM_UNSUPPORTED" });
  const { link, caption, filename } = recordOf(payload);
  if (typeof link !== "string")
    return refused("the network knows no files by id; give a link", { code: "UPSTREAM_UNSUPPORTED" });
  const captioned = typeof caption === "string" ? { caption } : {};
  switch (type) {
    case "audio":
    case "sticker":
      return { ...head, type, content: { mediaUrl: link } };
    case "document":
      return {
        ...head,
        type,
        content: { mediaUrl: link, ...captioned, ...(typeof filename === "string" ? { filename } : {}) },
      };
    case "image":
    case "video":
      return { ...head, type, content: { mediaUrl: link, ...captioned } };
  }
};
