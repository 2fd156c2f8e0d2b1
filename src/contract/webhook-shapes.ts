import { Type } from "@sinclair/typebox";
import { type Issue, issuesOf, OneOf } from "../kernel/schema.ts";
import { ANSWER_TYPES, MAX_ANSWER_CHARS } from "./webhooks.ts";

const Answer = Type.Object({
  status: Type.Optional(Type.Integer({ minimum: 200, maximum: 299 })),
  contentType: Type.Optional(OneOf([...ANSWER_TYPES])),
  body: Type.String({ maxLength: MAX_ANSWER_CHARS }),
});
const Handshake = Type.Object({ token: Type.String(), isOperators: Type.Boolean(), answer: Answer });

/** Why a value is no answer to a webhook; empty for `undefined`, which stands for the usual answer. */
export const answerIssues = (value: unknown): readonly Issue[] => (value === undefined ? [] : issuesOf(Answer, value));

/** Why a value is no handshake; empty for `undefined`. */
export const handshakeIssues = (value: unknown): readonly Issue[] =>
  value === undefined ? [] : issuesOf(Handshake, value);
