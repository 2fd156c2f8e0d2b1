import type { TemplateApi, TemplateEdit, TemplateOrder, TemplateTaken } from "../../../contract/content/templates.ts";
import { TEMPLATE_STATUSES, type TemplateStatus } from "../../../contract/events.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import type { UpstreamResult } from "../../../contract/upstream.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { writeOrRehearse } from "../../../store/engine/rehearsal.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import {
  deleteTemplate,
  findTemplate,
  findTemplateByName,
  findTemplateByNativeId,
  insertTemplate,
  listTemplates,
  pageOfTemplates,
  type TemplateFilter,
  type TemplateRow,
  takeBackDrafts,
  updateTemplate,
} from "../../../store/tables/messaging/templates.ts";
import { EVERY_TENANT, type TenantScope } from "../../../store/tables/scope.ts";
import type { Environment } from "../../../store/tables/tenancy/keys.ts";
import { getChannel } from "../../channels/channel.ts";
import { requireCredentials, requireValue } from "../../channels/links/upstream.ts";
import { requireChannel } from "../../channels/refusals.ts";
import { requireRoom } from "../../tenancy/accounts/collections.ts";
import type { MessagingEnv } from "../env.ts";
import { checkComponents, checkMaxPrice, checkOrder, checkTtl } from "./template-checks.ts";

export type { TemplateRow as Template } from "../../../store/tables/messaging/templates.ts";

/** The rejection reason when the network gives none. */
export const NO_REASON = "NONE";

export const readTemplates = (env: MessagingEnv, scope: TenantScope, filter: TemplateFilter): Promise<TemplateRow[]> =>
  env.db.read((reader) => listTemplates(reader, scope, filter));

/**
 * A page of a channel's templates, newest first.
 * @throws AppError CHANNEL_NOT_FOUND
 */
export const templatesPage = async (
  env: MessagingEnv,
  scope: TenantScope,
  {
    channelId,
    hidden,
    ...filter
  }: {
    channelId: string;
    hidden: readonly ChannelKind[];
    status?: TemplateStatus | undefined;
    name?: string | undefined;
    limit: number;
    offset: number;
  },
): Promise<{ rows: TemplateRow[]; total: number }> => {
  const channel = await getChannel(env, scope, channelId, hidden);
  return env.db.read((reader) => pageOfTemplates(reader, scope, { ...filter, channelId: channel.id }));
};

/** @throws AppError TEMPLATE_NOT_FOUND, also for another tenant's template */
export const getTemplate = async (env: MessagingEnv, scope: TenantScope, id: string): Promise<TemplateRow> => {
  const template = await env.db.read((reader) => findTemplate(reader, scope, id));
  if (!template) throw unknownTemplate();
  return template;
};

/**
 * A template of a channel by the id that its network has for it, or by ours.
 * @throws AppError CHANNEL_NOT_FOUND, or TEMPLATE_NOT_FOUND, also for another channel's template
 */
export const templateById = async (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, id }: { channelId: string; id: string },
): Promise<TemplateRow> => {
  const template = await env.db.read(async (reader) => {
    const channel = await requireChannel(reader, scope, channelId);
    const own = await findTemplate(reader, scope, id);
    return own?.channelId === channel.id ? own : findTemplateByNativeId(reader, channel.id, id);
  });
  if (!template) throw unknownTemplate();
  return template;
};

const unknownTemplate = () => new AppError("TEMPLATE_NOT_FOUND", { message: "There is no such template." });
const IN_FLIGHT = "The template is being submitted; the network has not answered yet.";
const inFlight = () => new AppError("TEMPLATE_NOT_SUBMITTED", { message: IN_FLIGHT });

/**
 * The template management of a channel's network.
 * @throws AppError CHANNEL_NOT_FOUND, even if the network has no templates: for their management there is no such
 *   channel
 */
export const requireTemplateApi = (
  env: MessagingEnv,
  channel: ChannelRow,
  environment: Environment = "live",
): TemplateApi => {
  const api = env.supervisor.linkOf(channel, environment)?.templates;
  if (!api) throw new AppError("CHANNEL_NOT_FOUND", { message: "There is no such channel that has templates." });
  return api;
};

/**
 * Submits a new template and waits for the network's answer. A refused template of this name is submitted again under
 * its id. After UPSTREAM_REFUSED the template is stored as REJECTED; after any other error nothing changes.
 * @throws AppError VALIDATION, CHANNEL_NOT_FOUND, CREDENTIALS_MISSING, CREDENTIALS_INCOMPLETE, TEMPLATE_EXISTS,
 *   LIMIT_REACHED, and what the network's answer means
 */
export const createTemplate = async (
  env: MessagingEnv,
  scope: TenantScope,
  input: TemplateOrder & { channelId: string },
): Promise<TemplateRow> => {
  const { api, ...submission } = await draftTemplate(env, scope, input, { isDryRun: false });
  return submit(env, api, submission);
};

/** The plan of a dry run for a template. */
export type TemplatePlan = { action: "submit" | "submit-again" | "edit" | "nothing"; name: string; language: string };

/** Makes all checks of `createTemplate`, submits nothing and leaves nothing behind. Throws what it throws. */
export const tryTemplate = async (
  env: MessagingEnv,
  scope: TenantScope,
  input: TemplateOrder & { channelId: string },
): Promise<TemplatePlan> => {
  const { isAgain, order } = await draftTemplate(env, scope, input, { isDryRun: true });
  return { action: isAgain ? "submit-again" : "submit", name: order.name, language: order.language };
};

type DryRun = { isDryRun: boolean };

/** A template that is a DRAFT, and its submission. `isAgain`: the network refused it before. */
type Drafted = Submission & { api: TemplateApi; isAgain: boolean };

const draftTemplate = async (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, ...order }: TemplateOrder & { channelId: string },
  dryRun: DryRun,
): Promise<Drafted> => {
  checkOrder(order);
  const channel = await getChannel(env, scope, channelId);
  const api = requireTemplateApi(env, channel);
  await requireCredentials(env, channel);
  return writeOrRehearse(env.db, dryRun, async (tx) => {
    await requireChannel(tx, scope, channel.id);
    const known = await findTemplateByName(tx, channel.id, order);
    if (!known) return { api, order, id: await insertDraft(env, tx, channel, order), isAgain: false };
    if (isRefused(known)) return { api, order, id: await draftAgain(env, tx, known), isAgain: true };
    throw new AppError("TEMPLATE_EXISTS", {
      message: "The channel has a template with this name in this language.",
      details: { fields: ["phoneId", "name", "language"] },
    });
  });
};

/** Whether the template was refused at once, so that the network does not have it. */
const isRefused = ({ status, nativeId }: TemplateRow): boolean => status === "REJECTED" && nativeId === null;

const insertDraft = async (
  env: MessagingEnv,
  tx: Tx,
  { tenantId, id: channelId }: ChannelRow,
  { name, language, category, components, maxPricePer1000 }: TemplateOrder,
): Promise<string> => {
  await requireRoom(env, tx, { collection: "templates", owner: tenantId });
  const [id, now] = [newId(env), env.clock.now()];
  const unreported = { nativeId: null, rejectionReason: null, providerUpdatedAt: null, componentsListedAt: null };
  await insertTemplate(tx, {
    id,
    tenantId,
    channelId,
    name,
    language,
    category,
    status: "DRAFT",
    components,
    maxPricePer1000: maxPricePer1000 ?? null,
    ...unreported,
    createdAt: now,
    updatedAt: now,
  });
  return id;
};

/**
 * Only the status shows that a refused template is being submitted again. Without an answer it returns to its earlier
 * state.
 */
const draftAgain = async (env: MessagingEnv, tx: Tx, { id }: TemplateRow): Promise<string> => {
  await updateTemplate(tx, id, ["REJECTED"], { status: "DRAFT", updatedAt: env.clock.now() });
  return id;
};

/** A template that is a DRAFT, and the order with which it is submitted. */
type Submission = { id: string; order: TemplateOrder };

const submit = async (env: MessagingEnv, api: TemplateApi, submission: Submission): Promise<TemplateRow> => {
  const result = await api.submit(submission.order);
  const template = await env.db.write((tx) => recordAnswer(env, tx, submission, result));
  requireValue(result);
  if (!template) throw unknownTemplate(); // its channel was deleted meanwhile
  return template;
};

const recordAnswer = async (
  env: MessagingEnv,
  tx: Tx,
  { id, order }: Submission,
  result: UpstreamResult<TemplateTaken>,
): Promise<TemplateRow | undefined> => {
  const { category, components, maxPricePer1000 = null } = order;
  const updatedAt = env.clock.now();
  if (result.ok)
    return recordTaken(tx, id, {
      ...result.value,
      category: result.value.category ?? category,
      components,
      maxPricePer1000,
      updatedAt,
    });
  if (result.kind === "refused") {
    const { error_user_msg, message } = result.error;
    return updateTemplate(tx, id, ["DRAFT"], {
      status: "REJECTED",
      category,
      components,
      maxPricePer1000,
      rejectionReason: error_user_msg || message || NO_REASON,
      updatedAt,
    });
  }
  await takeBackDrafts(tx, { id });
  return undefined;
};

type Taken = Pick<TemplateRow, "status" | "category" | "components" | "maxPricePer1000" | "updatedAt"> & {
  nativeId: string;
};

/** A review may end before the answer to the submission arrives; then the review's result stays. */
const recordTaken = async (
  tx: Tx,
  id: string,
  { status, category, ...taken }: Taken,
): Promise<TemplateRow | undefined> => {
  const current = await findTemplate(tx, EVERY_TENANT, id);
  const isReviewed = current?.status !== "DRAFT" && current?.nativeId === taken.nativeId;
  const answered = { status, category, rejectionReason: status === "REJECTED" ? NO_REASON : null };
  return updateTemplate(tx, id, TEMPLATE_STATUSES, isReviewed ? taken : { ...taken, ...answered });
};

/**
 * Changes a template at the network, which reviews it again. A template that the network has refused and never had is
 * submitted again instead. Without a change nothing happens. After an error the template is unchanged.
 * @throws AppError VALIDATION, TEMPLATE_NOT_FOUND, TEMPLATE_NOT_SUBMITTED while it is being submitted, and what the
 *   network's answer means
 */
export const editTemplate = async (
  env: MessagingEnv,
  scope: TenantScope,
  id: string,
  changes: TemplateEdit,
): Promise<TemplateRow> => {
  const { template, api, submission } = await prepareEdit(env, scope, { id, changes }, { isDryRun: false });
  if (template.nativeId === null) return submit(env, api, submission);
  if (Object.keys(changes).length === 0) return template;
  const askedAt = env.clock.now();
  const answered = requireValue(await api.edit(template.nativeId, changes));
  const { messageSendTtlSeconds: _ttl, ...kept } = { ...changes, ...answered };
  const edited = await env.db.write(async (tx) => {
    const current = await findTemplate(tx, scope, id);
    // the network's report came before its answer
    const isReviewed = current !== undefined && current.updatedAt > askedAt;
    return updateTemplate(tx, id, TEMPLATE_STATUSES, {
      ...(kept.category === undefined || kept.category === "MARKETING" ? {} : { maxPricePer1000: null }),
      ...kept,
      componentsListedAt: null,
      ...(isReviewed ? {} : { status: "PENDING", rejectionReason: null }),
      updatedAt: env.clock.now(),
    });
  });
  if (!edited) throw unknownTemplate();
  return edited;
};

/** Makes all checks of `editTemplate` and changes nothing, here or at the network. Throws what it throws. */
export const tryEdit = async (
  env: MessagingEnv,
  scope: TenantScope,
  id: string,
  changes: TemplateEdit,
): Promise<TemplatePlan> => {
  const { template } = await prepareEdit(env, scope, { id, changes }, { isDryRun: true });
  const { name, language, nativeId } = template;
  const action = Object.keys(changes).length === 0 ? "nothing" : "edit";
  return { action: nativeId === null ? "submit-again" : action, name, language };
};

type Edit = { id: string; changes: TemplateEdit };

/** The checks of an edit. A template that the network never had is a DRAFT afterwards, to be submitted again. */
const prepareEdit = async (
  env: MessagingEnv,
  scope: TenantScope,
  { id, changes }: Edit,
  dryRun: DryRun,
): Promise<{ template: TemplateRow; api: TemplateApi; submission: Submission }> => {
  if (changes.components) checkComponents(changes.components);
  const template = await env.db.read((reader) => findTemplate(reader, scope, id));
  checkTtl(changes.category ?? template?.category ?? "UTILITY", changes.messageSendTtlSeconds);
  if (!template) throw unknownTemplate();
  checkMaxPrice(changes.category ?? template.category, changes.maxPricePer1000);
  const api = requireTemplateApi(env, await getChannel(env, scope, template.channelId));
  const order = template.nativeId === null ? await orderAgain(env, template, changes, dryRun) : orderOf(template);
  return { template, api, submission: { id, order } };
};

const orderOf = ({ name, language, category, components, maxPricePer1000 }: TemplateRow): TemplateOrder =>
  ({
    name,
    language,
    components,
    allowCategoryChange: true,
    ...(category === "UNKNOWN" ? {} : { category }),
    ...(maxPricePer1000 === null ? {} : { maxPricePer1000 }),
  }) as TemplateOrder;

const orderAgain = async (
  env: MessagingEnv,
  template: TemplateRow,
  { messageSendTtlSeconds, ...changes }: TemplateEdit,
  dryRun: DryRun,
): Promise<TemplateOrder> => {
  if (messageSendTtlSeconds !== undefined)
    throw invalid(
      issue("messageSendTtlSeconds", "forbidden", "cannot be given for a template that is submitted again"),
    );
  if (template.category === "UNKNOWN" && changes.category === undefined)
    throw invalid(issue("category", "required", "is required: the network's category is not known"));
  const { maxPricePer1000, ...order } = { ...orderOf(template), ...changes };
  checkComponents(order.components); // a stored template may be older than a rule
  await writeOrRehearse(env.db, dryRun, async (tx) => {
    const current = await findTemplate(tx, template, template.id);
    if (!current) throw unknownTemplate();
    if (!isRefused(current)) throw inFlight();
    return draftAgain(env, tx, current);
  });
  return order.category === "MARKETING" && maxPricePer1000 !== undefined ? { ...order, maxPricePer1000 } : order;
};

/**
 * Removes a template here, and at the network if the network accepts. A refusal there is logged, and the next sync
 * brings the template back.
 * @throws AppError TEMPLATE_NOT_FOUND, or TEMPLATE_NOT_SUBMITTED while it is being submitted
 */
export const removeTemplate = async (env: MessagingEnv, scope: TenantScope, id: string): Promise<void> => {
  const { nativeId, name, channelId } = await getTemplate(env, scope, id);
  if (nativeId !== null) {
    const result = await requireTemplateApi(env, await getChannel(env, scope, channelId)).remove({ nativeId, name });
    if (!result.ok)
      env.log.warn(
        {
          channelId,
          templateId: id,
          kind: result.kind,
          upstreamCode: result.kind === "refused" ? result.error.code : undefined,
        },
        "the network did not remove a template",
      );
  }
  const isGone = await env.db.write(
    async (tx) => (await deleteTemplate(tx, scope, id)) || !(await findTemplate(tx, scope, id)),
  );
  if (!isGone) throw inFlight();
};

const languagesOf = (templates: readonly TemplateRow[]): string => templates.map(({ language }) => language).join(", ");

/**
 * Removes the languages of a template. While one is being submitted, all stay. A refusal that comes later says which
 * remain.
 * @throws AppError as `removeTemplate`, but not for a language that is gone meanwhile
 */
export const removeTemplates = async (
  env: MessagingEnv,
  scope: TenantScope,
  templates: readonly TemplateRow[],
): Promise<void> => {
  const submitted = templates.filter(({ status }) => status === "DRAFT");
  if (submitted.length > 0)
    throw new AppError("TEMPLATE_NOT_SUBMITTED", {
      message: `${IN_FLIGHT} Nothing was removed: ${languagesOf(submitted)} can be removed after the answer.`,
    });
  for (const [index, { id }] of templates.entries())
    try {
      await removeTemplate(env, scope, id);
    } catch (refusal) {
      if (!(refusal instanceof AppError)) throw refusal;
      if (refusal.code === "TEMPLATE_NOT_FOUND") continue;
      const { code, message, details, issues } = refusal;
      const remain = ` These languages remain: ${languagesOf(templates.slice(index))}.`;
      throw new AppError(code, { message: message + remain, details, issues, cause: refusal });
    }
};

/**
 * Resets the submissions that a crash interrupted. No client waits for them any more, and the next sync brings the
 * network's templates.
 */
export const forgetDrafts = (env: Pick<MessagingEnv, "db">): Promise<void> => env.db.write((tx) => takeBackDrafts(tx));
