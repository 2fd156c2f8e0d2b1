import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { contentIssues } from "../contract/content/content.ts";
import { eventIssues } from "../contract/event-shapes.ts";
import type { ChannelEvent } from "../contract/events.ts";
import { CREDENTIAL_FAILURES } from "../contract/outcome.ts";
import { issueLine, operationOutcomeIssues, reportIssues, sendOutcomeIssues } from "../contract/outcome-shapes.ts";
import { answerIssues } from "../contract/webhook-shapes.ts";
import { HOUR_MS } from "../kernel/clock.ts";
import { issuesOf } from "../kernel/schema.ts";
import { type Bench, TEXT, type Traits } from "./bench.ts";
import { ownTimeFaults } from "./own-time.ts";
import { promisesIn } from "./promised-operations.ts";
import { nextTurn } from "./recording-host.ts";
import { CONTENTS, SAMPLES } from "./samples.ts";
import { SEND_LAWS } from "./send-laws.ts";

/** One law of plugins/README.md, as far as it can be tested. `hold` throws if the adapter breaks it. */
export type Law = { title: string; isFor?(traits: Traits): boolean; hold(bench: Bench, traits: Traits): Promise<void> };

/** Fields of events that hold the network's ids, for the core only. */
const NATIVE_FIELDS = ["key", "quotedProviderMessageId", "nativeId"];

/** The longest text that both APIs take. */
const LONGEST_TEXT = 4096;

const keysOf = (events: readonly ChannelEvent[]): string[] =>
  events.flatMap((event) => ("key" in event && event.key !== undefined ? [event.key] : []));

const hasOk = (outcome: unknown): boolean => typeof (outcome as { ok?: unknown } | undefined)?.ok === "boolean";

/** Fails with the outcome's code and reason if it is not `ok`. */
const accepted = (outcome: { ok: boolean; code?: string; reason?: string } | undefined, what: string): void =>
  ok(outcome?.ok === true, `${what}: ${outcome?.code ?? "no outcome"} ${outcome?.reason ?? ""}`);

/** TABLE: the laws. The repository's tests and `recado plugin test` run this list. */
export const LAWS: readonly Law[] = [
  {
    title: "law 1: open does no I/O, sets no timer and says nothing",
    async hold({ host }) {
      await nextTurn();
      const { touches, reports, events } = host;
      const did = { touches, timers: host.clock.pendingTimers, reports, events };
      deepEqual(did, { touches: 0, timers: 0, reports: [], events: [] });
    },
  },
  {
    title: "law 2: connect never throws, and its result is reported",
    async hold({ connect, host, link }) {
      await connect();
      const { phoneNumber, profile = {} } = host.reports.at(-1) ?? {};
      const isNamed =
        /^\d{6,15}$/.test(phoneNumber ?? "") ||
        Object.values(profile).some((value) => typeof value === "string" && value !== "");
      ok(isNamed, "the report of CONNECTED names the owner: a phoneNumber of 6 to 15 digits, or a text in profile");
      link.connect();
      await host.settled();
      equal(host.state, "CONNECTED");
    },
  },
  {
    title: "law 2: without a readable vault or a reachable upstream, connect neither throws nor reports CONNECTED",
    isFor: ({ hasUpstream }) => hasUpstream,
    async hold({ pupil, host, link }) {
      await pupil.makeUnreachable?.();
      link.connect();
      await host.settled();
      ok(host.touches > 0, "connect uses neither the vault nor the network");
      host.breakVault();
      link.connect();
      await host.settled();
      deepEqual(
        host.reports.filter(({ state }) => state === "CONNECTED"),
        [],
      );
    },
  },
  {
    title: "law 3: close is idempotent, and nothing is reported, emitted or tried after it",
    async hold({ host, link, order }, { hasUpstream }) {
      const answers = host.holdAnswers();
      if (hasUpstream) {
        link.connect();
        await answers.met;
      } else await link.send(await order());
      await Promise.all([link.close(), link.close()]);
      await link.close();
      const counts = [host.reports.length, host.events.length];
      answers.pass();
      await host.settled();
      const { touches } = host;
      host.clock.advance(HOUR_MS);
      await host.settled();
      deepEqual([host.reports.length, host.events.length], counts, "reports and events after close");
      equal(host.touches, touches, "uses of the vault or the network after close");
      equal(host.clock.pendingTimers, 0, "timers that wait after close");
    },
  },
  {
    title: "law 4: send never throws, whatever is broken",
    async hold({ pupil, host, link, order }, { hasUpstream }) {
      await pupil.makeUnreachable?.();
      const unreachable = await link.send(await order());
      equal(unreachable.ok ? "ok" : unreachable.kind, hasUpstream ? "retry" : "ok");
      host.breakVault();
      ok(hasOk(await link.send(await order())));
      await link.close();
      ok(hasOk(await link.send(await order())));
    },
  },
  {
    title: "law 4: operate never throws either",
    async hold({ pupil, host, link, promisedOperations }) {
      const promised = await promisedOperations();
      await pupil.makeUnreachable?.();
      for (const operation of promised) ok(hasOk(await link.operate?.(operation)));
      host.breakVault();
      for (const operation of promised) ok(hasOk(await link.operate?.(operation)));
      await link.close();
      for (const operation of promised) ok(hasOk(await link.operate?.(operation)));
    },
  },
  {
    title:
      "law 4: a refused token is said: a send waits for new credentials, and connect reports TOKEN_EXPIRED with why",
    isFor: ({ refusesToken }) => refusesToken,
    async hold({ pupil, connect, host, link, order }) {
      await connect();
      await pupil.refuseToken?.();
      const outcome = await link.send(await order());
      const { kind, code } = outcome.ok ? { kind: "ok", code: "" as const } : outcome;
      equal(kind, "retry", "the outcome of a send whose token is refused");
      ok(code !== "" && CREDENTIAL_FAILURES.has(code), `the code of such a send is ${code}, not CREDENTIALS_REFUSED`);
      link.connect();
      await host.until(() => host.reports.at(-1)?.state === "TOKEN_EXPIRED");
      notEqual(host.reports.at(-1)?.reason ?? "", "", "the report of TOKEN_EXPIRED says why");
    },
  },
  {
    title: "law 5: a send whose bytes may have left and whose answer never came is unknown",
    async hold({ pupil, connect, link, order }) {
      await connect();
      const outcome = await link.send(await order(TEXT, await pupil.makeUnknowable()));
      const { ok: isOk, kind, code } = outcome.ok ? { ok: true, kind: "", code: "" } : outcome;
      deepEqual({ isOk, kind, code }, { isOk: false, kind: "unknown", code: "OUTCOME_UNKNOWN" });
    },
  },
  {
    title: "law 6: the key exists before the send exactly where the plugin declares choosesMessageIds",
    async hold({ plugin, connect, link, order }) {
      equal(link.providerMessageIdFor !== undefined, plugin.capabilities.choosesMessageIds);
      await connect();
      const first = await order();
      const outcome = await link.send(first);
      if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.reason}`);
      if (!link.providerMessageIdFor) return notEqual(outcome.key, "");
      equal(first.key, outcome.key);
      deepEqual(await link.send(first), outcome);
      equal(new Set(["one", "other", "one"].map(link.providerMessageIdFor)).size, 2);
    },
  },
  {
    title: "law 7: no event is acknowledged before it is on disk, and the next one waits for it",
    isFor: ({ linkEmits }) => linkEmits,
    async hold({ pupil, host, link }) {
      host.hold();
      await pupil.provoke?.(link, host);
      await nextTurn();
      equal(host.openEmits, 1);
      equal(pupil.acknowledged?.() ?? 0, 0);
      host.release();
      await host.until(() => host.events.length > 1);
    },
  },
  {
    title: "law 7: the receiver only reads, so that its caller acknowledges after the commit",
    isFor: ({ hasReceiver }) => hasReceiver,
    async hold({ parsed, host }) {
      ok((await parsed()).length > 1, "the webhook of the set-up, one request or a list, has fewer than two events");
      await nextTurn();
      deepEqual(
        { touches: host.touches, events: host.events, timers: host.clock.pendingTimers },
        { touches: 0, events: [], timers: 0 },
      );
    },
  },
  {
    title: "a receiver verifies the very bytes and refuses others",
    isFor: ({ hasReceiver }) => hasReceiver,
    async hold({ samples, receiver, host }) {
      ok(receiver.isConfigured, "the receiver is not configured");
      const bare = { headers: new Headers(), url: host.webhookUrl, query: new URLSearchParams() };
      for (const [place, sample] of samples.entries()) {
        const { rawBody, expiresAfterMs } = sample;
        equal(await receiver.takes(sample), true, `request ${place + 1} of the set-up is refused`);
        equal(await receiver.takes(sample, bare), false, "a request without headers and query is taken");
        const longer = { rawBody: Buffer.concat([Buffer.from(rawBody), Buffer.from(" ")]) };
        if (receiver.coversBody(sample))
          equal(await receiver.takes(sample, longer), false, "a body with one byte more is taken");
        if (expiresAfterMs === undefined) continue;
        const late = { receivedAt: host.clock.now() + expiresAfterMs };
        equal(await receiver.takes(sample, late), false, `the request is taken again after ${expiresAfterMs} ms`);
      }
    },
  },
  {
    title: "a receiver answers its network's handshake and no other, and its answers have the form of the contract",
    isFor: ({ hasReceiver }) => hasReceiver,
    async hold({ samples, receiver }) {
      for (const sample of samples) deepEqual(answerIssues(await receiver.answer(sample)), []);
      const handshake = samples.map((sample) => sample.handshake).find((given) => given !== undefined);
      if (!receiver.hasHandshake) return;
      ok(handshake, "the webhook of the set-up has no handshake, and the adapter has one");
      const { query, wrongQuery } = handshake;
      deepEqual([await receiver.answers(query), await receiver.answers(wrongQuery)], [true, false]);
    },
  },
  {
    title: "law 8: the same native event has the same key every time",
    isFor: (traits) => traits.hasReceiver || traits.linkEmits,
    async hold({ inbound }) {
      const keys = keysOf(await inbound());
      ok(keys.length > 1, "the set-up brings fewer than two events with keys");
      deepEqual(keysOf(await inbound()), keys);
    },
  },
  {
    title: "law 9: the order of a chat's events is the order in which they are handed over",
    async hold({ samples, parsed, inbound }) {
      const keys = samples.flatMap((sample) => sample.keys);
      if (samples.length > 0) deepEqual(keysOf(await parsed()), keys);
      const times = (await inbound()).map(({ at }) => at);
      deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
    },
  },
  {
    title: "law 10: time and randomness come from the host alone",
    async hold({ folder }) {
      deepEqual(ownTimeFaults(folder), []);
    },
  },
  {
    title: "laws 11 and 14: no secret leaves the vault, and logs hold no message text and no whole number",
    async hold({ pupil, connect, host, link, order, promisedOperations }) {
      await connect();
      const outcomes: unknown[] = [
        await link.send(await order()),
        await link.send(await order(TEXT, await pupil.makeUnknowable())),
      ];
      for (const operation of await promisedOperations()) outcomes.push(await link.operate?.(operation));
      await pupil.makeUnreachable?.();
      outcomes.push(await link.send(await order()));
      link.connect();
      await host.settled();
      host.breakVault();
      outcomes.push(await link.send(await order()));
      const output = JSON.stringify([host.reports, host.events, outcomes, host.logLines]);
      pupil.secrets.forEach((secret, place) =>
        ok(!output.includes(secret), `secret number ${place + 1} is in a report, an event, an outcome or the log`),
      );
      const logged = host.logLines.join("");
      ok(!logged.includes(SAMPLES.text.text.slice(0, 8)), "the log holds the text of a message");
      ok(!logged.includes(pupil.recipient), "the log holds a whole recipient");
    },
  },
  {
    title: "law 12: every declared content type is accepted, and the credentials have the declared form",
    async hold({ pupil, plugin, connect, link, order, wrongRecipients }) {
      await connect();
      const { capabilities, credentials } = plugin;
      const promised = CONTENTS.filter(({ type }) => capabilities.send[type] !== undefined);
      equal(promised.length, Object.keys(capabilities.send).length, "capabilities.send names an unknown type");
      for (const sample of promised) {
        deepEqual(
          contentIssues(sample.type, sample.content, () => true),
          [],
        );
        accepted(await link.send(await order(sample)), sample.type);
      }
      if (credentials) deepEqual(issuesOf(credentials, pupil.vault), []);
      equal(
        link.templates !== undefined,
        capabilities.templates,
        "templates is there exactly where capabilities.templates",
      );
      equal(
        link.lookup !== undefined,
        capabilities.lookups ?? false,
        "lookup is there exactly where capabilities.lookups",
      );
      equal(
        link.media?.uploads !== undefined,
        capabilities.mediaHandles ?? false,
        "media.uploads is there exactly where capabilities.mediaHandles",
      );
      equal(
        link.handover !== undefined,
        plugin.network.sharesConversations ?? false,
        "handover is there exactly where network.sharesConversations",
      );
      for (const to of wrongRecipients)
        equal((await plugin.address(to)).ok, false, `address takes ${JSON.stringify(to)}`);
    },
  },
  {
    title: "law 12: a text as long as the declared limit is accepted",
    async hold({ plugin, connect, link, order }) {
      const limits = plugin.capabilities.send.text;
      if (!limits) return;
      const { textMaxChars = LONGEST_TEXT, textMaxBytes = LONGEST_TEXT } = limits;
      const text = "a".repeat(Math.min(LONGEST_TEXT, textMaxChars, textMaxBytes));
      await connect();
      accepted(
        await link.send(await order({ type: "text", content: { text } })),
        `a text of ${text.length} characters`,
      );
    },
  },
  {
    title:
      "law 12: declared operations are done, or refused where the network has no such call; else there is no operate",
    async hold({ plugin, connect, link, promisedOperations }) {
      const { operations } = plugin.capabilities;
      equal(
        link.operate !== undefined,
        Object.keys(operations).some((name) => name !== "forward"),
      );
      await connect();
      const promised = await promisedOperations();
      equal(promised.length, promisesIn(operations), "operations that could be tried");
      for (const operation of promised) {
        const outcome = await link.operate?.(operation);
        const isWithoutCall =
          outcome?.ok === false && outcome.kind === "refused" && outcome.code === "UPSTREAM_UNSUPPORTED";
        if (!isWithoutCall) accepted(outcome, operation.name);
      }
    },
  },
  {
    title: "law 13: native ids stay out of what customers see",
    isFor: (traits) => traits.hasReceiver || traits.linkEmits,
    async hold({ inbound }) {
      const events = await inbound();
      ok(events.length > 1, "the set-up brings fewer than two events");
      const shown = JSON.stringify(events, (field, value: unknown) =>
        NATIVE_FIELDS.includes(field) ? undefined : value,
      );
      const nativeIds = events
        .flatMap((event) =>
          event.kind === "received"
            ? [
                event.key,
                event.quotedProviderMessageId,
                ...[event, ...(event.furtherParts ?? [])].map(({ media }) => media?.nativeId),
              ]
            : keysOf([event]),
        )
        .filter((id) => id !== undefined);
      deepEqual(
        nativeIds.filter((id) => shown.includes(id)),
        [],
      );
    },
  },
  {
    title: "law 15: reports, events and outcomes have the shapes of the contract",
    async hold({ connect, host, link, order, inbound, promisedOperations }) {
      await connect();
      deepEqual(host.reports.map(reportIssues).map(issueLine).filter(Boolean), []);
      deepEqual((await inbound()).map(eventIssues).map(issueLine).filter(Boolean), []);
      equal(issueLine(sendOutcomeIssues(await link.send(await order()))), "");
      for (const operation of await promisedOperations())
        equal(issueLine(operationOutcomeIssues(await link.operate?.(operation))), "");
    },
  },
  ...SEND_LAWS,
];
