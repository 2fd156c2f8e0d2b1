import type {
  BatchForecast,
  ForecastTemplate,
  TemplateContent,
} from "../../../../../clients/typescript/src/generated/platform.ts";
import { platform } from "../../frame/requests/client.ts";
import { type Draft, neededBy, orderOf } from "./draft.ts";
import type { Checked } from "./mapping.ts";

/** The maximum number of recipients of a request. */
const AT_ONCE = 1000;

type Recipient = { to: string; variables: Record<string, string> };

/** The recipients with the values that the message uses, and no others. */
const recipientsOf = (draft: Draft, { good }: Checked): Recipient[] => {
  const needed = neededBy(draft);
  return good.map(({ to, variables }) => ({
    to,
    variables: Object.fromEntries(needed.map((name) => [name, variables[name] ?? ""])),
  }));
};

/** The results of a dry run. `valid` is undefined if the forecast refuses the whole batch. */
export type Tried = { valid: number | undefined; forecast: BatchForecast };

const namedOf = ({ name, language }: TemplateContent): ForecastTemplate => ({
  name,
  ...(language === undefined ? {} : { language }),
});

/** The cost and the duration of the batch. */
export const forecastOf = (draft: Draft, { good }: Checked): Promise<BatchForecast> => {
  const { channelId, startsAt, delay, respectHours, template, fallback } = orderOf(draft, "");
  return platform.bulk.forecast({
    channelId,
    to: good.map(({ to }) => to),
    ...(startsAt === undefined ? {} : { startsAt }),
    ...(delay === undefined ? {} : { delay }),
    ...(respectHours === undefined ? {} : { respectHours }),
    ...(template ? { template: namedOf(template) } : {}),
    ...(fallback ? { fallback: { channelId: fallback.channelId, template: namedOf(fallback.template) } } : {}),
  });
};

/** The same, and the server's checks of the recipients of one request. Nothing is sent. */
export const tryOut = async (draft: Draft, found: Checked, name: string): Promise<Tried> => {
  const recipients = recipientsOf(draft, found);
  const forecast = await forecastOf(draft, found);
  if (forecast.refused.some(({ isWhole }) => isWhole)) return { valid: undefined, forecast };
  const { valid } = await platform.bulk.create(
    { ...orderOf(draft, name), recipients: recipients.slice(0, AT_ONCE) },
    { query: { dryRun: true } },
  );
  return { valid: valid + Math.max(0, recipients.length - AT_ONCE), forecast };
};

/** Thrown when some recipients could not be handed over. The batch was cancelled before anything was sent. */
export class Undone extends Error {}

/**
 * Makes the batch. More recipients than a request takes are added to a paused batch, which is then resumed. `key`: the
 * same for the same batch, so that a repeat after a lost answer makes no second one. `onProgress`: gets the number of
 * recipients that the server has. Resolves with the batch's id.
 */
export const handOver = async (
  draft: Draft,
  found: Checked,
  { name, key, onProgress }: { name: string; key: string; onProgress: (done: number, all: number) => void },
): Promise<string> => {
  const recipients = recipientsOf(draft, found);
  const isLong = recipients.length > AT_ONCE;
  const { batchId } = await platform.bulk.create(
    {
      ...orderOf(draft, name),
      recipients: recipients.slice(0, AT_ONCE),
      ...(isLong ? { paused: true } : {}),
    },
    { idempotencyKey: key },
  );
  if (!isLong) return batchId;
  try {
    for (let done = AT_ONCE; done < recipients.length; done += AT_ONCE) {
      onProgress(done, recipients.length);
      const part = { recipients: recipients.slice(done, done + AT_ONCE) };
      await platform.bulk.addRecipients(batchId, part, { idempotencyKey: `${key}-${done}` });
    }
  } catch (error) {
    await platform.bulk.cancel(batchId);
    throw new Undone("", { cause: error });
  }
  // outside: if its answer is lost, the batch may have begun, so nothing is cancelled
  await platform.bulk.resume(batchId, { idempotencyKey: `${key}-resume` });
  return batchId;
};
