import { type Static, Type } from "@sinclair/typebox";
import type { FallbackInput } from "../../../core/messaging/fallback/fallback-input.ts";
import { FALLBACK_STATUSES, type FallbackOf } from "../../../core/messaging/read.ts";
import { described, Nullable, OneOf, Uuid } from "../../../kernel/schema.ts";
import {
  FALLBACK_TERMS,
  FallbackReason,
  FallbackRefusal,
  fallbackInput,
  fallbackTerms,
} from "../../shared/fallback-terms.ts";
import { IDS } from "../../shared/fields.ts";
import { toView } from "../../shared/view.ts";

/** The fallback that a send may name. */
export const FallbackBody = Type.Object(
  {
    phoneId: { ...Uuid(), description: "Another phone, which sends the template, such as an official number" },
    ...FALLBACK_TERMS,
  },
  { title: "SendFallback", description: "The template that another phone sends if this phone does not get through" },
);

/** A send without its phone, as the core takes it. */
export const withFallback = <Given extends { fallback?: Static<typeof FallbackBody> }>({
  fallback,
  ...rest
}: Given) => ({
  ...rest,
  ...(fallback ? { fallback: fallbackInput(fallback.phoneId, fallback) } : {}),
});

const bodyOf = (fallback: FallbackInput) => ({ phoneId: fallback.channelId, ...fallbackTerms(fallback) });

/** The payload of a stored send, as it was given. */
export const payloadView = ({ fallback, ...rest }: Record<string, unknown>) => ({
  ...rest,
  ...(fallback ? { fallback: bodyOf(fallback as FallbackInput) } : {}), // stored as it was checked
});

export const FallbackView = Type.Object(
  {
    phoneId: Type.String({ description: "The phone that sends the template", examples: [IDS.phone] }),
    status: OneOf(FALLBACK_STATUSES, { title: "FallbackStatus", description: "The progress of the fallback" }),
    reason: described(Nullable(FallbackReason), "Why a template replaces the message; null if no reason is known"),
    mayHaveArrived: Type.Boolean({
      description: "Whether the first message may still have arrived",
      examples: [false],
    }),
    messageId: Nullable(
      Type.String({ description: "The message with the template; null before it is sent", examples: [IDS.message] }),
    ),
    error: described(Nullable(FallbackRefusal), "Why no template was sent; null if nothing failed"),
    decidedAt: Nullable(
      Type.String({
        format: "date-time",
        description: "When it was decided; null while it waits",
        examples: ["2026-11-22T12:10:00.000Z"],
      }),
    ),
  },
  { title: "Fallback" },
);

/** The fallback of a message, and the message that it replaces. A message without them has neither field. */
export const FALLBACK_FIELDS = {
  fallback: Type.Optional(
    described(
      Type.Unsafe<Static<typeof FallbackView>>({
        ...FallbackView,
        description: "The progress of the send's `fallback`; absent for a send without one",
      }),
      "The fallback of the message; absent without one",
    ),
  ),
  fallbackOf: Type.Optional(
    Type.String({
      description: "The message in whose place this one was sent; absent for any other",
      examples: ["01a206e9-2b09-4001-a47f-b2fc2b02b021"],
    }),
  ),
};

const fallbackView = (own: NonNullable<FallbackOf["own"]>) =>
  toView(FallbackView, own, {
    phoneId: own.channelId,
    mayHaveArrived: own.isUncertain,
    messageId: own.secondId,
    error: own.errorCode === null ? null : { code: own.errorCode, message: own.errorMessage ?? "" },
  });

export const fallbackFields = ({ own, firstId }: FallbackOf) => ({
  ...(own ? { fallback: fallbackView(own) } : {}),
  ...(firstId === null ? {} : { fallbackOf: firstId }),
});
