import { deepEqual, equal, ok } from "node:assert/strict";
import type { Content } from "../contract/content/content.ts";
import { eventIssues } from "../contract/event-shapes.ts";
import { issueLine } from "../contract/outcome-shapes.ts";
import { issuesOf } from "../kernel/schema.ts";
import { TEXT } from "./bench.ts";
import type { Law } from "./laws.ts";
import { CONTENTS } from "./samples.ts";

// The laws of what a send may have besides its content, and of people who want no messages.

/** The signature of a link to a kept file: who has it can fetch the file. */
const SIGNATURE = "c2lnbmF0dXJlIG9mIHRoZSBsaW5r";
const SENT_FILE = `https://recado.example.com/gateway/sent-files/0198a000-1111-4222-8333-444455556666?file=0&exp=1&sig=${SIGNATURE}`;

/** The samples that are one file, with the link of a kept file. */
const LINKED = CONTENTS.flatMap(({ type, content }) =>
  "mediaUrl" in content ? [{ type, content: { ...content, mediaUrl: SENT_FILE } } as Content] : [],
);

export const SEND_LAWS: readonly Law[] = [
  {
    title:
      "law 12: the declared options of a send are taken all at once, or refused where the network has no such option",
    isFor: ({ hasOptions }) => hasOptions,
    async hold({ pupil, plugin, connect, link, order }) {
      const { options = {} } = pupil;
      const declared = Object.keys((plugin.options?.["properties"] ?? {}) as object);
      deepEqual(Object.keys(options).toSorted(), declared.toSorted(), "the options of the set-up");
      if (plugin.options) deepEqual(issuesOf(plugin.options, options), []);
      await connect();
      const outcome = await link.send({ ...(await order()), options });
      const isWithoutOption = !outcome.ok && outcome.kind === "refused" && outcome.code === "UPSTREAM_UNSUPPORTED";
      ok(
        outcome.ok || isWithoutOption,
        `a send with its options: ${outcome.ok ? "" : `${outcome.code} ${outcome.reason}`}`,
      );
    },
  },
  {
    title: "laws 11 and 12: the link of a kept file is taken, and is nowhere but in the request",
    isFor: ({ getsLinks }) => getsLinks,
    async hold({ pupil, plugin, connect, host, link, order }) {
      await connect();
      const outcomes: unknown[] = [];
      const linked = LINKED.filter(({ type }) => plugin.capabilities.send[type] !== undefined);
      for (const content of linked) {
        const outcome = await link.send(await order(content));
        ok(outcome.ok, `${content.type} by a link: ${outcome.ok ? "" : `${outcome.code} ${outcome.reason}`}`);
        outcomes.push(outcome);
      }
      await pupil.makeUnreachable?.();
      for (const content of linked) outcomes.push(await link.send(await order(content)));
      const output = JSON.stringify([host.reports, host.events, outcomes, host.logLines]);
      ok(!output.includes(SIGNATURE), "the link of a kept file is in a report, an event, an outcome or the log");
    },
  },
  {
    title: "law 4: a send to a person who opted out is refused as RECIPIENT_OPTED_OUT, and not tried again",
    isFor: ({ refusesOptedOut }) => refusesOptedOut,
    async hold({ pupil, connect, link, order }) {
      await connect();
      const outcome = await link.send(await order(TEXT, await pupil.refuseOptedOut?.()));
      const { kind, code } = outcome.ok ? { kind: "ok", code: "" } : outcome;
      deepEqual({ kind, code }, { kind: "refused", code: "RECIPIENT_OPTED_OUT" });
    },
  },
  {
    title: "law 8: an opt-out is reported as consent of a named person, under the same id every time",
    isFor: ({ reportsOptOuts }) => reportsOptOuts,
    async hold({ consents }) {
      const events = await consents();
      deepEqual(events.map(eventIssues).map(issueLine).filter(Boolean), []);
      ok(
        events.some(({ state }) => state === "opted_out"),
        "the set-up's optOut brings no event consent with opted_out",
      );
      const ids = events.map(({ nativeId }) => nativeId);
      equal(new Set(ids).size, ids.length, "two events have one nativeId");
      deepEqual(
        (await consents()).map(({ nativeId }) => nativeId),
        ids,
        "the ids of the same events, read again",
      );
    },
  },
];
