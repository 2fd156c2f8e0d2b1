import { Type } from "@sinclair/typebox";
import type { PasskeyAssertion } from "../../contract/abilities/pairing.ts";
import { invalid } from "../../kernel/errors.ts";
import { described, issue, issuesOf, OneOf } from "../../kernel/schema.ts";
import { isRecord } from "../../kernel/texts/json.ts";

/** Far more than any authenticator makes, and the maximum that the network should get. */
const Bytes = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: "^[A-Za-z0-9_-]+$",
    description: "must be base64url",
    examples: ["Zm9v"],
  });

/** The result of `PublicKeyCredential.toJSON()` for an assertion; its other fields are not passed on. */
export const Assertion = Type.Object(
  {
    id: Bytes(2048),
    rawId: Bytes(2048),
    type: OneOf(["public-key"], { description: "Always `public-key`" }),
    response: described(
      Type.Object({
        clientDataJSON: Bytes(8192),
        authenticatorData: Bytes(4096),
        signature: Bytes(4096),
        userHandle: Type.Optional(
          described(
            Type.Union([Bytes(1024), Type.Null(), Type.Literal("")]),
            "The user's handle; null or empty if the key gives none",
          ),
        ),
      }),
      "The answer of the owner's passkey",
    ),
  },
  { title: "PasskeyAssertion" },
);

/** The assertion in a client's JSON, reduced to the fields for the network. @throws AppError VALIDATION */
export const assertionIn = (value: unknown): PasskeyAssertion => {
  const issues = issuesOf(Assertion, value, "assertion");
  if (issues.length > 0) throw invalid(...issues);
  if (!isRecord(value) || !isRecord(value["response"])) throw invalid(issue("assertion", "type", "must be an object"));
  const { id, rawId, type, response } = value as PasskeyAssertion; // the shape has been checked
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    id,
    rawId,
    type,
    response: { clientDataJSON, authenticatorData, signature, ...(userHandle ? { userHandle } : {}) },
  };
};
