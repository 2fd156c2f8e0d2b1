import { invalid } from "../../kernel/errors.ts";
import { isUuid } from "../../kernel/ids.ts";
import { issue } from "../../kernel/schema.ts";
import { FILE_HANDLE_PREFIX } from "../../kernel/texts/file-names.ts";

// The ids of messages, files and templates in this API hold our own ids, so that no table is needed to find them again.

/** The digits under which clients know a number. A phone whose network has no numbers is known by its id. */
export const displayNumberOf = (
  { displayNumber, numberId }: { displayNumber: string | null; numberId: string },
  phoneNumber: string | null,
): string => displayNumber ?? phoneNumber ?? numberId;

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll("-", ""), "hex");
const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

const MESSAGE = /^wamid\.([A-Za-z0-9_-]{22})$/;

/** The id of a message as this API shows it: `wamid.` and our id in base64url. Another id stays unchanged. */
export const wamidOf = (messageId: string): string =>
  isUuid(messageId) ? `wamid.${bytesOf(messageId).toString("base64url")}` : messageId;

/** Our id of a message; undefined for a text that is not such an id of this API. */
export const messageIdOf = (wamid: string): string | undefined => {
  const coded = MESSAGE.exec(wamid)?.[1];
  if (coded === undefined) return undefined;
  const bytes = Buffer.from(coded, "base64url");
  return bytes.toString("base64url") === coded ? uuidOf(bytes.toString("hex")) : undefined;
};

/** `received`: a file that came with a message. `kept`: a file that was uploaded to be sent, by its handle. */
export type MediaRef = { is: "received"; mediaId: string } | { is: "kept"; handle: string };

/** A digit for each, then the id as a number: ids of the network are digits too. */
const DIGIT = { received: "1", kept: "2", template: "3" } as const;
const CODED = /^([123])(\d{39})$/;
const MAX = 2n ** 128n;
const UUID_LENGTH = 36;

const digitsOf = (uuid: string): string =>
  BigInt(`0x${uuid.replaceAll("-", "")}`)
    .toString()
    .padStart(39, "0");

/** The id of a file as this API shows it. */
export const mediaIdOf = (media: MediaRef): string =>
  media.is === "received"
    ? DIGIT.received + digitsOf(media.mediaId)
    : DIGIT.kept + digitsOf(media.handle.slice(FILE_HANDLE_PREFIX.length).slice(0, UUID_LENGTH)); // the rest names a phone

/** The first digit of an id, and our id in it; undefined for a text that is not such an id of this API. */
const coded = (id: string): { digit: string; uuid: string } | undefined => {
  const [, digit, digits] = CODED.exec(id) ?? [];
  const number = digits === undefined ? MAX : BigInt(digits);
  return digit === undefined || number >= MAX
    ? undefined
    : { digit, uuid: uuidOf(number.toString(16).padStart(32, "0")) };
};

/** The file of an id; undefined for another text. */
export const mediaOfId = (id: string): MediaRef | undefined => {
  const found = coded(id);
  if (found?.digit === DIGIT.received) return { is: "received", mediaId: found.uuid };
  return found?.digit === DIGIT.kept ? { is: "kept", handle: FILE_HANDLE_PREFIX + found.uuid } : undefined;
};

/** The handle of an uploaded file. @throws AppError VALIDATION for the id of anything else */
export const handleOf = (id: string, path: string): string => {
  const media = mediaOfId(id);
  if (media?.is === "kept") return media.handle;
  throw invalid(issue(path, "format", "is not the id of a file that was uploaded to be sent"));
};

/** The id of a template as this API shows it. */
export const templateIdOf = (templateId: string): string => DIGIT.template + digitsOf(templateId);

/** Our id of a template; undefined for another text. */
export const ownTemplateIdOf = (id: string): string | undefined => {
  const found = coded(id);
  return found?.digit === DIGIT.template ? found.uuid : undefined;
};
