import { GraphError } from "../errors.ts";

/**
 * Why the management of templates refuses, by Graph's subcode of code 100, with the title and the sentence that people
 * are shown. Sources: Meta's page of error codes; the wording of 2388023, 2388024, 2388043, 2388046, 2388060 and
 * 2388293 as public code has logged it.
 */
const REFUSALS = {
  tooManyTemplates: [
    2388019,
    "Message template limit exceeded",
    "You can't add any more message templates to this account.",
  ],
  beingDeleted: [
    2388023,
    "Message template language is being deleted",
    "Message template language is being deleted and can't be added. Consider creating a new message template in a different language, or wait 4 weeks before trying to create a template with this language again.",
  ],
  exists: [
    2388024,
    "Content in This Language Already Exists",
    "There is already content in this language for this template. You can create a new template and try again.",
  ],
  notEditable: [
    2388039,
    "Message template status can't be changed",
    "The status for this message template can't be changed. You can only delete or add templates.",
  ],
  tooLong: [2388040, "Character limit exceeded", "A field of the message template exceeds its character limit."],
  noExample: [
    2388043,
    'Message template "components" param is missing expected field(s)',
    "A component is missing expected field(s) (example)",
  ],
  name: [
    2388046,
    "Name Format is Incorrect",
    "The message template name can only have lowercase letters and underscores.",
  ],
  header: [
    2388047,
    "Message header format is incorrect",
    "The message header can't have any new lines, formatting characters, emojis or asterisks, and at most one variable.",
  ],
  button: [
    2388060,
    "Button format is incorrect",
    "Buttons can't have any variables, newlines, emojis or formatting characters.",
  ],
  body: [
    2388072,
    "Message body format is incorrect",
    "The message body has variables or line breaks that are not allowed.",
  ],
  footer: [2388073, "Message footer format is incorrect", "The message footer can't have any variables or new lines."],
  ratio: [
    2388293,
    "Parameters words ratio exceeds limit",
    "This template has too many variables for its length. Reduce the number of variables or increase the message length.",
  ],
  edges: [2388299, "Leading or trailing params not allowed", "Variables can't be at the start or end of the template."],
  notFound: [2593002, "Message Template Not Found", "The message template wasn't found."],
} as const satisfies Record<string, readonly [subcode: number, title: string, message: string]>;

/** A refusal with its subcode; `message`: more precise than the table. */
export const refused = (why: keyof typeof REFUSALS, message?: string): GraphError => {
  const [subcode, title, usual] = REFUSALS[why];
  return new GraphError(100, { subcode, message: "Invalid parameter", user: { title, message: message ?? usual } });
};

/** A refusal that has no subcode of its own. */
export const refusedParameter = (message: string): GraphError =>
  new GraphError(100, { message: "Invalid parameter", user: { title: "Invalid parameter", message } });

/** The refusal of a header's file that no resumable upload gave, or that has another kind. */
export const refusedHandle = (): GraphError =>
  new GraphError(131009, {
    subcode: 2494102,
    message: "Invalid parameter",
    user: {
      title: "Uploaded media handle is invalid",
      message: "The uploaded media handle is invalid. Please double check the handle or upload another media.",
    },
  });
