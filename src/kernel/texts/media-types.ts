/** A media type without its parameters, such as `text/html`. */
export const essenceOf = (contentType: string): string => (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();

/** The first half of a media type, such as `image`. */
export const familyOf = (mimeType: string): string => essenceOf(mimeType).split("/", 1)[0] ?? "";

/** Whether a type is that of a picture, film or sound. */
export const isPlayable = (mimeType: string): boolean => /^(?:image|audio|video)$/.test(familyOf(mimeType));

/** TABLE: other names that programs have for registered types. Networks refuse these, or phones do not play them. */
const REGISTERED: ReadonlyMap<string, string> = new Map([
  ["audio/x-m4a", "audio/mp4"],
  ["audio/m4a", "audio/mp4"],
  ["audio/mp3", "audio/mpeg"],
  ["audio/x-mp3", "audio/mpeg"],
  ["audio/x-wav", "audio/wav"],
  ["audio/wave", "audio/wav"],
  ["audio/x-flac", "audio/flac"],
  ["image/jpg", "image/jpeg"],
  ["image/pjpeg", "image/jpeg"],
]);

/** A media type by its registered name, as networks know it; another type stays as it is, with its parameters. */
export const registeredType = (contentType: string): string => REGISTERED.get(essenceOf(contentType)) ?? contentType;

const MEDIA_TYPE =
  /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}(\s*;\s*[\w-]+=("[^"\\\r\n]*"|[\w!#$&^.+,-]+))*$/i;
/** Whether a text is a media type as headers have them (https://www.rfc-editor.org/rfc/rfc9110#name-media-type). */
export const isMediaType = (text: string): boolean => MEDIA_TYPE.test(text);

/** The type of a file that nobody knows. */
export const UNKNOWN_TYPE = "application/octet-stream";

/**
 * Whether a file of this type is among the taken types, such as `image/png` or `audio/*`. A type that says nothing is:
 * a client may call a file anything.
 */
export const isTypeTaken = (type: string, taken: readonly string[]): boolean => {
  const essence = essenceOf(registeredType(type));
  return (
    essence === UNKNOWN_TYPE ||
    !isMediaType(essence) ||
    taken.some((one) => one === essence || one === `${familyOf(essence)}/*`)
  );
};

/** The type of workbooks in the old format of Excel; on Windows also that of CSV. */
export const EXCEL = "application/vnd.ms-excel";

/** TABLE: the file name ending of each type of document. */
const DOCUMENT_ENDINGS: ReadonlyMap<string, string> = new Map([
  ["text/plain", "txt"],
  ["text/markdown", "md"],
  ["text/x-markdown", "md"],
  ["text/html", "html"],
  ["application/xhtml+xml", "html"],
  ["text/csv", "csv"],
  ["text/x-csv", "csv"],
  ["text/comma-separated-values", "csv"],
  ["application/csv", "csv"],
  ["text/tab-separated-values", "csv"],
  ["application/json", "json"],
  ["text/json", "json"],
  ["application/pdf", "pdf"],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"],
  ["application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"],
  ["application/vnd.oasis.opendocument.text", "odt"],
  ["application/vnd.oasis.opendocument.spreadsheet", "ods"],
  ["application/vnd.oasis.opendocument.presentation", "odp"],
]);

/** The ending of a document's type. Undefined for a type whose text cannot be read. */
export const documentEndingOf = (contentType: string): string | undefined => {
  const essence = essenceOf(contentType);
  return DOCUMENT_ENDINGS.get(essence) ?? (essence.endsWith("+json") ? "json" : undefined);
};
