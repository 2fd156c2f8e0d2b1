import { expect, test } from "bun:test";
import { receivedBy, rowsOf } from "../../../support/customers/customer.ts";
import { useCustomer } from "../../../support/use-world.ts";
import { realTime, untilTrue } from "../../../support/waiting.ts";

const { w, c } = useCustomer();

const MESSAGES = 400;
const USUAL = 8;
const MOST = 64;
/** Longer than an endpoint takes that needs no more places. */
const SLOW_MS = 25;

const waiting = async (): Promise<number | undefined> =>
  (
    await rowsOf<{ n: number }>(
      w,
      "SELECT count(*) AS n FROM deliveries JOIN events ON seq = event_seq WHERE channel_id = ?1 AND status = 'PENDING'",
      [c.phone.id],
    )
  )[0]?.n;

const morePlaces = async (): Promise<string | undefined> => {
  await w.advance(10_000); // figures are kept for some seconds
  return /^recado_delivery_more_places (\d+)$/m.exec(await (await fetch(`${w.app.url}/metrics`)).text())?.[1];
};

let people = 5_511_970_000_000;
/** From people of whom each writes once, so that no order is to be kept. */
const flood = (count: number) =>
  w.graph.inbound.batch(
    Array.from({ length: count }, () => ({
      kind: "text",
      to: c.phone.phoneNumberId,
      from: String(people++),
      text: `message ${people}`,
    })),
  );

test("an endpoint that answers late gets up to 64 deliveries at once, each one time, and 8 after a failure", async () => {
  const held: ((answer: Response) => void)[] = [];
  c.hook.reply(() => new Promise((resolve) => held.push(resolve)));
  for (let from = 0; from < MESSAGES; from += 100) await flood(100);
  await untilTrue(async () => held.length === USUAL && (await waiting()) === MESSAGES);
  w.clock.advance(1000); // those that wait have waited for a place
  let [most, answered] = [USUAL, 0];
  while (answered < MESSAGES - MOST) {
    await realTime(SLOW_MS);
    most = Math.max(most, held.length);
    const before = held.length;
    held.shift()?.(new Response("ok"));
    answered++;
    await untilTrue(() => held.length >= Math.min(before, MOST));
  }
  expect(most).toBe(MOST);
  for (const answer of held.splice(0)) answer(new Response("ok"));
  await untilTrue(() => c.hook.arrived.length === MESSAGES);
  for (const answer of held.splice(0)) answer(new Response("ok"));
  c.hook.reply(() => new Response("ok"));
  await w.settle();
  expect(new Set(receivedBy(c.hook).map(({ content }) => content.text)).size).toBe(MESSAGES);
  expect(c.hook.arrived.length).toBe(MESSAGES);
  expect(await morePlaces()).toBe("56");

  c.hook.reply(() => new Response("no", { status: 500 }));
  await flood(1);
  await w.settle();
  expect(await morePlaces()).toBe("0");
}, 120_000);
