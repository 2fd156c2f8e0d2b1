import { Type } from "@sinclair/typebox";
import { OneOf, Text } from "../../../../src/kernel/schema.ts";
import { FlowRequest, FlowTrouble } from "../flows/client.ts";
import type { Graph } from "../index.ts";
import { type Operation, operation } from "../operations.ts";
import { FLOW_STATUSES } from "../state.ts";
import { ContactsOrder, EchoOrder, HistoryOrder, NameDecision, SignupCodeSeed } from "./seeds.ts";

const strict = { additionalProperties: false } as const;
const optional = Type.Optional;
const NumberName = Type.Object({ phoneNumberId: Text(1, 64) }, strict);
const FlowMove = Type.Object({ id: Text(1, 64), status: OneOf(FLOW_STATUSES) }, strict);
const Exchange = Type.Object(
  { phoneNumberId: Text(1, 64), url: Text(1, 2048), request: FlowRequest, trouble: optional(FlowTrouble) },
  strict,
);

/** The operations of signup, the business app, names and flows. */
export const onboardingOperations = (graph: Graph): Record<string, Operation> => ({
  "signup/codes": operation(SignupCodeSeed, (seed) => graph.addSignupCode(seed)),
  "coexistence/contacts": operation(ContactsOrder, (order) => graph.coexistence.contacts(order)),
  "coexistence/history": operation(HistoryOrder, (order) => graph.coexistence.history(order)),
  "coexistence/history/media": operation(NumberName, ({ phoneNumberId }) =>
    graph.coexistence.historyMedia(phoneNumberId),
  ),
  "coexistence/history/decline": operation(NumberName, ({ phoneNumberId }) =>
    graph.coexistence.declineHistory(phoneNumberId),
  ),
  "coexistence/echo": operation(EchoOrder, (order) => graph.coexistence.echo(order)),
  "names/decide": operation(NameDecision, (decision) => graph.decideName(decision)),
  "flows/move": operation(FlowMove, ({ id, status }) => graph.moveFlow(id, status)),
  "flows/exchange": operation(Exchange, ({ phoneNumberId, url, request, trouble }) =>
    graph.flowClient(phoneNumberId).exchange(url, request, trouble),
  ),
});
