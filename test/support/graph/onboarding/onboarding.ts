import { type FlowClient, flowClient } from "../flows/client.ts";
import { moveFlow, notify } from "../flows/flow.ts";
import type { Flow, State } from "../state.ts";
import type { Delivery, Webhooks } from "../webhooks/webhooks.ts";
import { type Coexistence, createCoexistence } from "./coexistence.ts";
import { decideName } from "./display-name.ts";
import type { NameDecision, SignupCodeSeed } from "./seeds.ts";
import { addSignupCode } from "./signup.ts";

/** The controls for tests of signup, the business app, names and flows. */
export type Onboarding = {
  /** A code of embedded signup, good once and for 30 seconds; with it the app and its secret are known. */
  addSignupCode(seed: SignupCodeSeed): void;
  readonly coexistence: Coexistence;
  /** The review of the display name that was asked for: a webhook `phone_number_name_update`. Throws when none was. */
  decideName(decision: NameDecision): Promise<Delivery>;
  /** Every flow by its id. */
  readonly flows: ReadonlyMap<string, Flow>;
  /** Meta blocks, throttles or releases a flow: a webhook `flows`. Throws for an unknown one. */
  moveFlow(id: string, status: Flow["status"]): Promise<Delivery>;
  /** A user's phone with a flow of the number open. */
  flowClient(phoneNumberId: string): FlowClient;
};

export const createOnboarding = (state: State, webhooks: Webhooks): Onboarding => ({
  addSignupCode: (seed) => addSignupCode(state, seed),
  coexistence: createCoexistence(state, webhooks),
  decideName: (decision) => decideName(state, webhooks, decision),
  flows: state.flows,
  async moveFlow(id, status) {
    const flow = state.flows.get(id);
    if (!flow) throw new Error(`there is no flow ${id}`);
    const [delivery] = await notify(webhooks, [moveFlow(state, flow, status)]);
    if (!delivery) throw new Error("nothing was sent");
    return delivery;
  },
  flowClient: (phoneNumberId) => flowClient(state, webhooks, phoneNumberId),
});
