import { type Static, Type } from "@sinclair/typebox";
import type { PictureSource } from "../../../contract/abilities/groups.ts";
import { publicUrlIssues } from "../../../contract/ports/public-url.ts";
import { invalid } from "../../../kernel/errors.ts";
import { described, issue, Url } from "../../../kernel/schema.ts";
import { base64Bytes } from "../../shared/http/base64.ts";
import type { GatewayEnv } from "../env.ts";

const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
/** In base64 a picture is a third longer. */
export const MAX_PICTURE_BODY_BYTES = Math.ceil((MAX_PICTURE_BYTES * 4) / 3) + 1024;

/** A picture by its address or in base64. */
export const PictureBody = Type.Object(
  {
    mediaUrl: Type.Optional(
      described(Url(), "A public HTTPS address of the file", "https://padaria-estrela.example/bolo.jpg"),
    ),
    base64: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_PICTURE_BODY_BYTES,
        description: "must be base64 of at most 5 MiB",
        examples: ["iVBORw0KGgo="],
      }),
    ),
  },
  { title: "Picture" },
);

/**
 * The picture of a body; `field`: its field, for refusals.
 * @throws AppError VALIDATION unless it names exactly one picture, at an allowed address
 */
export const pictureOf = (
  env: Pick<GatewayEnv, "http">,
  { mediaUrl, base64 }: Static<typeof PictureBody>,
  field?: string,
): NonNullable<PictureSource> => {
  const path = field === undefined ? "mediaUrl" : `${field}.mediaUrl`;
  if ((mediaUrl === undefined) === (base64 === undefined))
    throw invalid(issue(path, "required", "exactly one of mediaUrl and base64 is required"));
  if (mediaUrl === undefined)
    return { bytes: base64Bytes(field === undefined ? "base64" : `${field}.base64`, base64 ?? "") };
  const issues = publicUrlIssues(path, mediaUrl, env.http.isUrlAllowed);
  if (issues.length > 0) throw invalid(...issues);
  return { url: mediaUrl };
};
