import { invalid } from "../../kernel/errors.ts";
import { recipientDigits } from "../../kernel/phone-numbers.ts";
import { type Issue, issue } from "../../kernel/schema.ts";
import type { NewRecipient, RecipientError } from "../../store/batches.ts";
import { numberKeyOf } from "../../store/contacts.ts";
import { filledLength, shapeOf, type TextShape, type Variables, valueOf } from "./bulk-text.ts";

/** What somebody wants to have sent, and to whom; plain digits are a recipient without variables. */
export type BatchInput = {
  channelId: string;
  name?: string;
  text: string;
  recipients: readonly (string | { to: string; variables?: Variables })[];
  delay?: number;
  jitter?: number;
};

type Recipient = { to: string; variables?: Variables };
/** One of which each recipient can be written to, but for those with an error. */
export type CheckedBatch = Omit<BatchInput, "recipients"> & { recipients: NewRecipient[] };

const LONGEST_TEXT = 4096;
/** So many faults of a batch are named at most. */
const MOST_ISSUES = 100;
const REPEATED: RecipientError = {
  code: "DUPLICATE_RECIPIENT",
  message: "The number stands in the batch before: it is written to once.",
};

export const isNumber = (text: string): boolean => /^[1-9][0-9]{7,14}$/.test(text);

/**
 * What can be somebody on a network that names people by ids of its own; whether it is, the adapter says when the
 * message is accepted.
 */
const isId = (text: string): boolean => /^[!-~]{1,140}$/.test(text);

/**
 * A batch that says whom it is for and what each of them is told. `takesIds`: its network names people by ids. Throws
 * VALIDATION naming the recipients for whom it does not.
 */
export const checkedBatch = (
  { recipients, ...input }: BatchInput,
  { takesIds }: { takesIds: boolean } = { takesIds: false },
): CheckedBatch => {
  const toOf = takesIds ? (to: string) => to.trim() : recipientDigits;
  const isRecipient = takesIds ? isId : isNumber;
  const shape = shapeOf(input.text);
  const read = recipients.map(
    (one): Recipient => (typeof one === "string" ? { to: toOf(one) } : { ...one, to: toOf(one.to) }),
  );
  const issues: Issue[] = [];
  for (const [position, recipient] of read.entries()) {
    if (issues.length >= MOST_ISSUES) break;
    issues.push(...issuesOf(recipient, { path: `recipients.${position}`, shape, isRecipient, takesIds }));
  }
  if (issues.length > 0) throw invalid(...issues.slice(0, MOST_ISSUES));
  return { ...input, recipients: onceEach(read) };
};

type Checking = { path: string; shape: TextShape; isRecipient(to: string): boolean; takesIds: boolean };

const issuesOf = ({ to, variables = {} }: Recipient, { path, shape, isRecipient, takesIds }: Checking): Issue[] => {
  const issues = [...shape.uses.keys()]
    .filter((name) => valueOf(variables, name) === undefined)
    .map((name) => issue(`${path}.variables.${name}`, "required", "is required: the text has this variable"));
  if (!isRecipient(to))
    issues.unshift(
      issue(
        `${path}.to`,
        "pattern",
        takesIds ? "must be an id of 1 to 140 characters without spaces" : "must be 8 to 15 digits with country code",
      ),
    );
  if (issues.length > 0) return issues;
  const length = filledLength(shape, variables);
  if (length > LONGEST_TEXT) return [issue(path, "maxLength", `must be told at most ${LONGEST_TEXT} characters`)];
  return length === 0 ? [issue(path, "minLength", "must be told something")] : [];
};

const onceEach = (recipients: readonly Recipient[]): NewRecipient[] => {
  const seen = new Set<string>();
  return recipients.map((recipient) =>
    seen.size === seen.add(numberKeyOf(recipient.to)).size ? { ...recipient, error: REPEATED } : recipient,
  );
};
