import { fileHandlesOf } from "../../../contract/content/content-files.ts";
import type { BatchTemplate } from "../../../contract/content/template-content.ts";
import { invalid } from "../../../kernel/errors.ts";
import { numberKeyOf, recipientDigits } from "../../../kernel/numbers/phone-numbers.ts";
import { type Issue, issue } from "../../../kernel/schema.ts";
import { variableValue } from "../../../kernel/texts/texts.ts";
import type { NewRecipient, RecipientError } from "../../../store/tables/messaging/batch-recipients.ts";
import type { FallbackInput } from "../fallback/fallback-input.ts";
import type { SendOptions } from "../sending/send-options.ts";
import { filledLength, shapeOf, type TextShape, textsOf, type Variables } from "./batch-text.ts";

/** The text or template of a batch, and its recipients. Plain digits are a recipient without variables. */
export type BatchInput = {
  channelId: string;
  name?: string;
  text?: string;
  template?: BatchTemplate;
  recipients: readonly (string | { to: string; variables?: Variables })[];
  delay?: number;
  jitter?: number;
  /** When the first message is sent, in ms. */
  startsAt?: number;
  /** Whether it sends only in business hours. */
  respectHours?: boolean;
  /** Whether it is created paused. */
  paused?: boolean;
  fallback?: FallbackInput;
  sendOptions?: SendOptions;
};

type Recipient = { to: string; variables?: Variables };
/** A batch whose recipients can all get a message, except those with an error. */
export type CheckedBatch = Omit<BatchInput, "recipients" | "text" | "template"> & {
  text: string;
  template: BatchTemplate | null;
  recipients: NewRecipient[];
};

const LONGEST_TEXT = 4096;
/** The maximum length of all values of a template together. */
const LONGEST_VALUES = 32_768;
/** The maximum number of reported faults of a batch. */
const MOST_ISSUES = 100;
const REPEATED: RecipientError = {
  code: "DUPLICATE_RECIPIENT",
  message: "The number is in the batch already: it gets one message.",
};

export const isNumber = (text: string): boolean => /^[1-9][0-9]{7,14}$/.test(text);

/** The address of a person whose number the network hides. Networks without such people refuse it. */
const isHidden = (text: string): boolean => /^[0-9]{5,20}@lid$/.test(text);

/** The form of an id on a network that names people by ids. The adapter checks it when the message is accepted. */
const isId = (text: string): boolean => /^[!-~]{1,140}$/.test(text);

/**
 * Checks that every recipient of a batch has an address and a text. `takesIds`: the network names people by ids of its
 * own.
 * @throws AppError VALIDATION with the faulty recipients
 */
export const checkedBatch = (
  { recipients, text = "", template, ...input }: BatchInput,
  { takesIds }: { takesIds: boolean } = { takesIds: false },
): CheckedBatch => {
  if (!template && text === "") throw invalid(issue("text", "required", "is required without a template"));
  if (template && text !== "") throw invalid(issue("template", "forbidden", "cannot be given beside text"));
  const toOf = takesIds ? (to: string) => to.trim() : recipientDigits;
  const isRecipient = takesIds ? isId : (to: string) => isNumber(to) || isHidden(to);
  const ofFallback = input.fallback ? textsOf(input.fallback.template) : [];
  const shape = template ? shapeOf(...textsOf(template)) : shapeOf(text);
  const read = recipients.map(
    (one): Recipient => (typeof one === "string" ? { to: toOf(one) } : { ...one, to: toOf(one.to) }),
  );
  const checking = { shape, isRecipient, takesIds, isText: !template, fallbackShape: shapeOf(...ofFallback) };
  const issues: Issue[] = [];
  for (const [position, recipient] of read.entries()) {
    if (issues.length >= MOST_ISSUES) break;
    issues.push(...issuesOf(recipient, { ...checking, path: `recipients.${position}` }));
  }
  if (issues.length > 0) throw invalid(...issues.slice(0, MOST_ISSUES));
  return { ...input, text, template: template ?? null, recipients: onceEach(read) };
};

/**
 * Refuses variables in the handles of files: a batch keeps the files that its own template and fallback name, not those
 * that the values of its recipients name.
 * @throws AppError VALIDATION
 */
export const requireFixedFiles = ({ template, fallback }: Pick<CheckedBatch, "template" | "fallback">): void => {
  const issues = [
    ...variableHandles(template ?? {}, "template"),
    ...variableHandles(fallback?.template ?? {}, "fallback.template"),
  ];
  if (issues.length > 0) throw invalid(...issues);
};

const variableHandles = (template: object, at: string): Issue[] =>
  fileHandlesOf(template)
    .filter(({ handle }) => shapeOf(handle).uses.size > 0)
    .map(({ path }) =>
      issue(path.replace("content", at), "forbidden", "must not hold variables; for a file of each recipient, use url"),
    );

type Checking = {
  path: string;
  shape: TextShape;
  isRecipient(to: string): boolean;
  takesIds: boolean;
  /** A template, in contrast, may have no values. */
  isText: boolean;
  fallbackShape: TextShape;
};

const issuesOf = (
  { to, variables = {} }: Recipient,
  { path, shape, isRecipient, takesIds, isText, fallbackShape }: Checking,
): Issue[] => {
  const issues = [...new Set([...shape.uses.keys(), ...fallbackShape.uses.keys()])]
    .filter((name) => variableValue(variables, name) === undefined)
    .map((name) => issue(`${path}.variables.${name}`, "required", "is required: the text has this variable"));
  if (!isRecipient(to))
    issues.unshift(
      issue(
        `${path}.to`,
        "pattern",
        takesIds
          ? "must be an id of 1 to 140 characters without spaces"
          : "must be 8 to 15 digits with country code, without the plus",
      ),
    );
  if (issues.length > 0) return issues;
  const length = filledLength(shape, variables);
  const longest = isText ? LONGEST_TEXT : LONGEST_VALUES;
  if (filledLength(fallbackShape, variables) > LONGEST_VALUES)
    return [issue(path, "maxLength", `must get a fallback of at most ${LONGEST_VALUES} characters`)];
  if (length > longest) return [issue(path, "maxLength", `must get a text of at most ${longest} characters`)];
  return length === 0 && isText ? [issue(path, "minLength", "must get a text")] : [];
};

/** The recipients; a repeated recipient has an error. `known`: numbers that the batch already has. */
export const onceEach = (recipients: readonly Recipient[], known: readonly string[] = []): NewRecipient[] => {
  const seen = new Set(known.map(numberKeyOf));
  return recipients.map((recipient) =>
    seen.size === seen.add(numberKeyOf(recipient.to)).size ? { ...recipient, error: REPEATED } : recipient,
  );
};
