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
const REPEATED: RecipientError = { code: "DUPLICATE_RECIPIENT", message: "The number stands in the batch before: it is written to once." };

export const isNumber = (text: string): boolean => /^[1-9][0-9]{7,14}$/.test(text);

/** A batch that says whom it is for and what each of them is told. Throws VALIDATION naming the recipients for whom it does not. */
export const checkedBatch = ({ recipients, ...input }: BatchInput): CheckedBatch => {
  const shape = shapeOf(input.text);
  const read = recipients.map((one): Recipient => (typeof one === "string" ? { to: recipientDigits(one) } : { ...one, to: recipientDigits(one.to) }));
  const issues: Issue[] = [];
  for (const [position, recipient] of read.entries()) {
    if (issues.length >= MOST_ISSUES) break;
    issues.push(...issuesOf(recipient, `recipients.${position}`, shape));
  }
  if (issues.length > 0) throw invalid(...issues.slice(0, MOST_ISSUES));
  return { ...input, recipients: onceEach(read) };
};

const issuesOf = ({ to, variables = {} }: Recipient, path: string, shape: TextShape): Issue[] => {
  const issues = [...shape.uses.keys()]
    .filter((name) => valueOf(variables, name) === undefined)
    .map((name) => issue(`${path}.variables.${name}`, "required", "is required: the text has this variable"));
  if (!isNumber(to)) issues.unshift(issue(`${path}.to`, "pattern", "must be 8 to 15 digits with country code"));
  if (issues.length > 0) return issues;
  const length = filledLength(shape, variables);
  if (length > LONGEST_TEXT) return [issue(path, "maxLength", `must be told at most ${LONGEST_TEXT} characters`)];
  return length === 0 ? [issue(path, "minLength", "must be told something")] : [];
};

const onceEach = (recipients: readonly Recipient[]): NewRecipient[] => {
  const seen = new Set<string>();
  return recipients.map((recipient) => (seen.size === seen.add(numberKeyOf(recipient.to)).size ? { ...recipient, error: REPEATED } : recipient));
};
