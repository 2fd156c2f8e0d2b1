import { gateway, platform } from "../../frame/client.ts";
import { may } from "../../frame/session.ts";
import { type Draft, neededBy, orderOf } from "./draft.ts";
import type { Checked } from "./mapping.ts";

/** How many recipients a request has at most. */
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

/** What a dry run found. `cost`: what the messages would cost today; undefined where the network charges nothing. */
export type Tried = { valid: number; cost: Cost | undefined };
export type Cost = { amountMicros: number; currency: string; unrated: number };

/** The checks of the server for as many recipients as it takes at once, and what all would cost. Nothing is sent. */
export const tryOut = async (draft: Draft, found: Checked, name: string): Promise<Tried> => {
  const recipients = recipientsOf(draft, found);
  const { valid } = await platform.bulk.create(
    { ...orderOf(draft, name), recipients: recipients.slice(0, AT_ONCE) },
    { query: { dryRun: true } },
  );
  return {
    valid: valid + Math.max(0, recipients.length - AT_ONCE),
    cost: may("billing.write") ? await costOf(draft, recipients) : undefined,
  };
};

const costOf = async ({ phoneId, template }: Draft, recipients: readonly Recipient[]): Promise<Cost | undefined> => {
  const named = template ? { template: { name: template.name, language: template.language } } : {};
  let sum: Cost | undefined;
  for (let done = 0; done < recipients.length; done += AT_ONCE) {
    const to = recipients.slice(done, done + AT_ONCE).map((one) => one.to);
    const { isCharged, amountMicros, currency, unrated } = await gateway.billing.estimateCost({
      phoneId,
      to,
      ...named,
    });
    if (!isCharged) return undefined;
    sum = { currency, amountMicros: (sum?.amountMicros ?? 0) + amountMicros, unrated: (sum?.unrated ?? 0) + unrated };
  }
  return sum;
};

/** Thrown when some recipients could not be handed over. The batch was cancelled before anything was sent. */
export class Undone extends Error {}

/**
 * Makes the batch. More recipients than a request takes are added to a paused batch, which is then resumed.
 * `onProgress`: how many the server has. Resolves with the batch's id.
 */
export const handOver = async (
  draft: Draft,
  found: Checked,
  { name, onProgress }: { name: string; onProgress: (done: number, all: number) => void },
): Promise<string> => {
  const recipients = recipientsOf(draft, found);
  const isLong = recipients.length > AT_ONCE;
  const { batchId } = await platform.bulk.create({
    ...orderOf(draft, name),
    recipients: recipients.slice(0, AT_ONCE),
    ...(isLong ? { paused: true } : {}),
  });
  if (!isLong) return batchId;
  try {
    for (let done = AT_ONCE; done < recipients.length; done += AT_ONCE) {
      onProgress(done, recipients.length);
      await platform.bulk.addRecipients(batchId, { recipients: recipients.slice(done, done + AT_ONCE) });
    }
    await platform.bulk.resume(batchId);
  } catch (error) {
    await platform.bulk.cancel(batchId);
    throw new Undone("", { cause: error });
  }
  return batchId;
};
