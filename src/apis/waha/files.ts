import { type Static, Type } from "@sinclair/typebox";
import type { PictureSource } from "../../contract/abilities/groups.ts";
import { invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";
import { pictureSource } from "../shared/compatible/files.ts";
import type { WahaEnv } from "./env.ts";

/** A file as WAHA's clients give it: by its address, or in base64. */
export const FileBody = Type.Object({
  url: Type.Optional(Type.String({ minLength: 1 })),
  data: Type.Optional(Type.String({ minLength: 1 })),
  mimetype: Type.Optional(Type.String()),
  filename: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
export type GivenFile = Static<typeof FileBody>;

/** The text by which a file is given. @throws AppError VALIDATION unless it is given in exactly one way */
export const fileTextOf = ({ url, data }: GivenFile, field = "file"): string => {
  const given = url ?? data;
  if (given === undefined || (url !== undefined && data !== undefined))
    throw invalid(issue(field, "required", "must have exactly one of url and data"));
  return given;
};

/** The picture of a profile or group. @throws AppError VALIDATION, also for a forbidden address */
export const pictureIn = (
  env: Pick<WahaEnv, "http">,
  { field, file }: { field: string; file: GivenFile },
): NonNullable<PictureSource> => pictureSource(env, { field, file: fileTextOf(file, field) });
