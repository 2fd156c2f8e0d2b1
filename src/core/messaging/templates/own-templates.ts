import type { TemplateComponent } from "../../../contract/content/templates.ts";
import type { TemplateCategory } from "../../../contract/events.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import {
  findTemplateByName,
  insertTemplate,
  searchTemplates,
  type TemplateRow,
  type TemplateSearch,
} from "../../../store/tables/messaging/templates.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { requireChannel } from "../../channels/refusals.ts";
import { requireRoom } from "../../tenancy/accounts/collections.ts";
import type { MessagingEnv } from "../env.ts";
import { checkComponents } from "./template-checks.ts";

// Templates of channels whose network has no templates. Their owner writes them, nobody reviews them, and a send with
// such a template is a message with its text.

export type OwnTemplate = {
  channelId: string;
  name: string;
  language: string;
  category: TemplateCategory;
  components: readonly TemplateComponent[];
};

/** The longest template, as JSON. A page of them is one answer. */
const MOST_CHARACTERS = 65_536;

/**
 * Stores a template of a channel whose network has no templates. It is approved at once.
 * @throws AppError VALIDATION, CHANNEL_NOT_FOUND, TEMPLATE_EXISTS, or LIMIT_REACHED
 */
export const keepTemplate = (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, ...template }: OwnTemplate,
): Promise<TemplateRow> => {
  if (JSON.stringify(template.components).length > MOST_CHARACTERS)
    throw invalid(issue("components", "maxLength", `must have at most ${MOST_CHARACTERS} characters as JSON`));
  checkComponents(template.components);
  return env.db.write(async (tx) => {
    const channel = await requireChannel(tx, scope, channelId);
    if (await findTemplateByName(tx, channel.id, template))
      throw new AppError("TEMPLATE_EXISTS", {
        message: "The channel has a template with this name in this language.",
        details: { fields: ["name", "language"] },
      });
    await requireRoom(env, tx, { collection: "templates", owner: channel.tenantId });
    const now = env.clock.now();
    const row: TemplateRow = {
      ...template,
      id: newId(env),
      tenantId: channel.tenantId,
      channelId: channel.id,
      status: "APPROVED",
      nativeId: null,
      rejectionReason: null,
      providerUpdatedAt: null,
      componentsListedAt: null,
      maxPricePer1000: null,
      createdAt: now,
      updatedAt: now,
    };
    await insertTemplate(tx, row);
    return row;
  });
};

/** A channel's template by its name. @throws AppError CHANNEL_NOT_FOUND, or TEMPLATE_NOT_APPROVED if there is none */
export const templateByName = async (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, ...named }: { channelId: string; name: string; language: string },
): Promise<TemplateRow> => {
  const template = await env.db.read(async (reader) =>
    findTemplateByName(reader, (await requireChannel(reader, scope, channelId)).id, named),
  );
  if (template) return template;
  throw new AppError("TEMPLATE_NOT_APPROVED", {
    message: `The channel has no template ${named.name} in ${named.language}.`,
    details: named,
  });
};

/**
 * The next templates of a channel of any kind, newest first.
 * @throws AppError CHANNEL_NOT_FOUND
 */
export const nextTemplates = (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, ...search }: Omit<TemplateSearch, "channelId"> & { channelId: string },
): Promise<TemplateRow[]> =>
  env.db.read(async (reader) =>
    searchTemplates(reader, scope, { ...search, channelId: (await requireChannel(reader, scope, channelId)).id }),
  );
