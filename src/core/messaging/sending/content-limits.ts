import type { SendLimits } from "../../../contract/capabilities.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import type { TenantId } from "../../../kernel/ids.ts";
import { codePoints, issue } from "../../../kernel/schema.ts";
import { essenceOf, familyOf, isTypeTaken, registeredType, UNKNOWN_TYPE } from "../../../kernel/texts/media-types.ts";
import { openKept } from "../../media/kept.ts";
import type { MessagingEnv } from "../env.ts";

/**
 * Refuses a text or caption that the network does not take.
 * @throws AppError CAPTION_TOO_LARGE with the field, the limit and what was given
 */
export const checkTexts = (
  content: object,
  { textMaxChars, textMaxBytes, captionMaxChars, captionMaxBytes }: SendLimits,
): void => {
  const { text = "", caption = "" } = content as { text?: string; caption?: string }; // the schema has been checked
  checkText("text", text, { maxChars: textMaxChars, maxBytes: textMaxBytes });
  checkText("caption", caption, { maxChars: captionMaxChars, maxBytes: captionMaxBytes });
};

type Most = { maxChars: number | undefined; maxBytes: number | undefined };

const checkText = (field: "text" | "caption", text: string, { maxChars, maxBytes }: Most): void => {
  const [chars, bytes] = [codePoints(text), Buffer.byteLength(text)];
  if (maxChars !== undefined && chars > maxChars)
    throw new AppError("CAPTION_TOO_LARGE", {
      message: `The ${field} has ${chars} characters; this network takes at most ${maxChars}.`,
      details: { chars, maxChars, field },
    });
  if (maxBytes !== undefined && bytes > maxBytes)
    throw new AppError("CAPTION_TOO_LARGE", {
      message: `The ${field} has ${bytes} bytes; this network takes at most ${maxBytes}.`,
      details: { bytes, maxBytes, field },
    });
};

const checkType = (path: string, type: string, { mimeTypes }: SendLimits): void => {
  if (mimeTypes !== undefined && !isTypeTaken(type, mimeTypes))
    throw invalid(issue(path, "format", `is ${essenceOf(type)}; this network takes ${mimeTypes.join(", ")}`));
};

/** The families of types whose files are what they say. */
const PLAIN_FAMILIES: ReadonlySet<string> = new Set(["image", "video", "audio", "text"]);

/**
 * Refuses a link by the type that the client says its file has, if that is of another family, such as a page in place
 * of a picture. The file's own type decides when it is sent: many clients say `application/…` or an old name.
 * @throws AppError VALIDATION
 */
export const checkDeclaredType = (content: object, limits: SendLimits): void => {
  const { mimeType, mediaHandle } = content as { mimeType?: string; mediaHandle?: string }; // the schema has been checked
  if (mimeType === undefined || mediaHandle !== undefined) return;
  const family = familyOf(essenceOf(registeredType(mimeType)));
  const isOfFamily = limits.mimeTypes?.some((taken) => familyOf(taken) === family) ?? true;
  if (PLAIN_FAMILIES.has(family) && !isOfFamily) checkType("content.mimeType", mimeType, limits);
};

type KeptContent = { tenantId: TenantId; handle: string; content: object; limits: SendLimits };

/**
 * Refuses a kept file by its size and by the type that its bytes show, or else by the type that the client says.
 * @throws AppError VALIDATION
 */
export const checkKeptFile = async (
  env: MessagingEnv,
  { tenantId, handle, content, limits }: KeptContent,
): Promise<void> => {
  const { maxFileBytes, mimeTypes } = limits;
  if (maxFileBytes === undefined && mimeTypes === undefined) return;
  const file = await openKept(env, tenantId, handle);
  if (!file) return; // it was deleted meanwhile, which the write that accepts the message refuses
  const { mimeType } = content as { mimeType?: string }; // the schema has been checked
  if (maxFileBytes !== undefined && file.sizeBytes > maxFileBytes)
    throw invalid(
      issue(
        "content.mediaHandle",
        "maximum",
        `names a file of ${file.sizeBytes} bytes; this network takes at most ${maxFileBytes}`,
      ),
    );
  checkType("content.mediaHandle", file.contentType ?? mimeType ?? UNKNOWN_TYPE, limits);
};
