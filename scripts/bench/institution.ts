import type { LoadResult } from "./load.ts";
import {
  type Account,
  newAccount,
  newInstitution,
  newSite,
  type Phone,
  type Recado,
  serve,
  startGraph,
} from "./recado.ts";
import { type Figure, ms, perSecond, type Section } from "./report.ts";
import { bodyFor, load, type Pace, pausedPhone } from "./sends.ts";

const ROUNDS = 3;
const STRANGERS = 100_000;

/** An account whose sends are accepted and stay queued. */
type Sender = { account: Account; phone: Phone };
type Accepted = { perSecond: number; p50: number; p99: number; cpuMs: number };

const accept = async (
  { child, port }: Recado,
  { account, phone }: Sender,
  pace: Pace,
  to: { start?: string; variants?: number } = {},
): Promise<Accepted> => {
  const before = child.cpuMs();
  const order = {
    port,
    path: "/gateway/v1/messages",
    headers: { "x-api-key": account.key },
    body: bodyFor(phone.id, to.start),
  };
  const result: LoadResult = await load({
    ...order,
    ...pace,
    ...(to.variants === undefined ? {} : { variants: to.variants }),
  });
  return { ...result, cpuMs: ((child.cpuMs() - before) / result.count) * (pace.runMs / (pace.warmUpMs + pace.runMs)) };
};

const middle = (rounds: readonly Accepted[]): Accepted => {
  const sorted = rounds.toSorted((one, other) => one.perSecond - other.perSecond);
  const found = sorted[Math.floor(sorted.length / 2)];
  if (!found) throw new Error("nothing was measured");
  return found;
};

const textOf = ({ perSecond: rate, p50, p99, cpuMs }: Accepted): string =>
  `${perSecond(rate)}; p50 ${ms(p50)}, p99 ${ms(p99)}; ${ms(cpuMs)} of processor each`;

/** The cost of an institution's conversations: each of its sends is part of a conversation with a contact. */
export const institutionSection = async (pace: Pace): Promise<Section> => {
  const graph = await startGraph();
  const site = newSite(graph);
  Object.assign(site.settings, { RECADO_PLATFORM_DEFAULT_PLAN: "ENTERPRISE" });
  const recado = await serve(site);
  const senderOf = async (account: Account): Promise<Sender> => ({
    account,
    phone: await pausedPhone({ site, recado, account }),
  });
  const alone = await senderOf(await newAccount(recado));
  const institution = await senderOf(await newInstitution(recado));
  const rounds: { alone: Accepted[]; known: Accepted[] } = { alone: [], known: [] };
  for (let n = 0; n < ROUNDS; n++) {
    rounds.alone.push(await accept(recado, alone, pace));
    rounds.known.push(await accept(recado, institution, pace));
  }
  const first = await accept(recado, institution, { ...pace, warmUpMs: 0 }, { start: "55119800", variants: STRANGERS });
  await Promise.all([recado.child.stop(), graph.child.stop()]);
  const [ofAccount, ofInstitution] = [middle(rounds.alone), middle(rounds.known)];
  const besideAccount = (what: string, accepted: Accepted): Figure => ({
    what,
    value: textOf(accepted),
    yardstick: `an account of the gateway alone ${perSecond(ofAccount.perSecond)}`,
    ratio: accepted.perSecond / ofAccount.perSecond,
  });
  return {
    title: "Sends of an institution: contacts and conversations",
    figures: [
      { what: "accepted, delivery paused, for an account of the gateway alone", value: textOf(ofAccount) },
      besideAccount("the same for an institution, to 1,000 contacts with whom a conversation is open", ofInstitution),
      besideAccount(
        "the same to people who were never written to: each a new contact, a new conversation and their events",
        first,
      ),
    ],
    notes: [
      `All through POST /gateway/v1/messages over 64 connections. The middle one of ${ROUNDS} rounds that take turns: ${rounds.alone.map(({ perSecond: rate }) => perSecond(rate)).join(", ")} beside ${rounds.known.map(({ perSecond: rate }) => perSecond(rate)).join(", ")}.`,
    ],
  };
};
