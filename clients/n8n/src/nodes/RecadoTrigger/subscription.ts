import { type IHookFunctions, type Json, NodeOperationError } from "n8n-workflow";
import { answerOf, request } from "../../request.ts";
import { type Call, given, isJson } from "../../values.ts";

/** What n8n keeps of the webhook with the workflow. */
type Kept = { webhookId?: unknown; secret?: unknown };

const WEBHOOKS = "/v1/webhooks";
const BOTH = ["inbound", "outbound"];
const LONGEST_LABEL = 120;

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];

const urlOf = (hook: IHookFunctions): string => {
  const url = hook.getNodeWebhookUrl("default");
  if (url === undefined) throw new NodeOperationError(hook.getNode(), "n8n has no address for this webhook");
  return url;
};

/** What the node asks for, as Recado shows a webhook. */
const wanted = (hook: IHookFunctions): Json => {
  const selectedPhoneIds = textsIn(hook.getNodeParameter("phoneIds", []));
  const directions = textsIn(hook.getNodeParameter("directions", []));
  return {
    url: urlOf(hook),
    events: textsIn(hook.getNodeParameter("events", [])),
    allPhones: selectedPhoneIds.length === 0,
    selectedPhoneIds,
    directions: directions.length === 0 ? BOTH : directions,
  };
};

const isSame = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((value) => other.includes(value))
    : one === other;

const newSecret = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Removes a webhook; one that is already gone will do. @throws NodeApiError where it stays. */
const remove = async (hook: IHookFunctions, id: string): Promise<void> => {
  const call: Call = { method: "DELETE", path: `${WEBHOOKS}/${encodeURIComponent(id)}` };
  const { statusCode } = await answerOf(hook, call);
  if (statusCode !== 404 && (statusCode < 200 || statusCode > 299)) await request(hook, call);
};

/** The webhooks at this node's address that n8n knows nothing of any more, and whose secret nobody has. */
const removeOthers = async (hook: IHookFunctions): Promise<void> => {
  const url = urlOf(hook);
  const all = await request(hook, { method: "GET", path: WEBHOOKS });
  for (const webhook of Array.isArray(all) ? all : [])
    if (isJson(webhook) && webhook["url"] === url && typeof webhook["id"] === "string")
      await remove(hook, webhook["id"]);
};

/** The webhook of a trigger: there from the workflow's activation to its end. */
export const subscription = {
  /** Whether Recado has the webhook as the node asks for it, and n8n its secret. @throws NodeApiError for a refusal. */
  async checkExists(this: IHookFunctions): Promise<boolean> {
    const { webhookId, secret }: Kept = this.getWorkflowStaticData("node");
    if (typeof webhookId !== "string" || typeof secret !== "string") return false;
    const call: Call = { method: "GET", path: `${WEBHOOKS}/${encodeURIComponent(webhookId)}` };
    const { statusCode } = await answerOf(this, call);
    if (statusCode === 404) return false;
    const webhook = await request(this, call);
    return isJson(webhook) && Object.entries(wanted(this)).every(([name, value]) => isSame(webhook[name], value));
  },

  /** Makes it with a new secret. @throws NodeApiError for a refusal, such as an address that Recado may not reach. */
  async create(this: IHookFunctions): Promise<boolean> {
    await removeOthers(this);
    const secret = newSecret();
    const label = `n8n: ${this.getWorkflow().name ?? "a workflow"}`.slice(0, LONGEST_LABEL);
    const webhook = await request(this, {
      method: "POST",
      path: WEBHOOKS,
      body: given({ label, secret, ...wanted(this) }),
    });
    if (!isJson(webhook) || typeof webhook["id"] !== "string") return false;
    Object.assign(this.getWorkflowStaticData("node"), { webhookId: webhook["id"], secret });
    return true;
  },

  /** Removes it. @throws NodeApiError where it stays. */
  async delete(this: IHookFunctions): Promise<boolean> {
    const kept: Kept = this.getWorkflowStaticData("node");
    if (typeof kept.webhookId === "string") await remove(this, kept.webhookId);
    delete kept.webhookId;
    delete kept.secret;
    return true;
  },
};
