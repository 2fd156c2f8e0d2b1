import { type Static, Type } from "@sinclair/typebox";
import type { Joined } from "../../core/joining.ts";
import { IDS, Id } from "./fields.ts";

/** The rows that a join has moved, or would move. */
export const JoinedView = Type.Object(
  {
    dryRun: Type.Boolean({ description: "True if nothing was done" }),
    accountId: Type.String({ description: "The account; a record of it stays", examples: [IDS.account] }),
    institutionId: Type.String({
      description: "The institution, which has everything of the account now",
      examples: [IDS.institution],
    }),
    phones: Type.Array(
      Type.Object(
        {
          id: Id("The phone's id"),
          label: Type.String({ description: "The account's name for the phone", examples: ["Loja Centro"] }),
        },
        { title: "JoinedPhone", description: "A phone of the account, which keeps its id" },
      ),
      { description: "The phones of the account" },
    ),
    keys: Type.Integer({ description: "API keys, which stay valid" }),
    webhooks: Type.Integer({ description: "Webhooks, which go on" }),
    contacts: Type.Integer({ description: "Contacts of the account" }),
    mergedContacts: Type.Integer({
      description: "Contacts that both had: the institution's contact stays, with its id",
    }),
    conversations: Type.Integer({ description: "How many conversations the account had" }),
    messages: Type.Integer({
      description: "Messages to and from its phones, counted up to 100,000; they follow within minutes",
      examples: [120],
    }),
    rows: Type.Integer({ description: "Everything that moves immediately, without the history", examples: [42] }),
  },
  { title: "JoinedAccount" },
);

export const joinedView = (
  { moved, phones, accountId, institutionId, messages, mergedContacts }: Joined,
  dryRun: boolean,
): Static<typeof JoinedView> => {
  const { api_keys: keys = 0, subscriptions: webhooks = 0, contacts = 0, conversations = 0 } = moved;
  return {
    dryRun,
    accountId,
    institutionId,
    phones,
    keys,
    webhooks,
    contacts,
    mergedContacts,
    conversations,
    messages,
    rows: Object.values(moved).reduce((sum, n) => sum + n, 0),
  };
};
