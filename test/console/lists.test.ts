import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { foundIn } from "../../src/console/web/parts/forms/search-options.ts";

const WEB = resolve(import.meta.dir, "../../src/console/web");

/** What may cut a list: one page of an answer, a limit, the beginning of an array. */
const CUTS = /\.page\(\)|toArray\(\{ limit|\.slice\(0, ?(?:[A-Z][A-Z_]+|\d+)\)(?!\.toLowerCase)/g;
/** What shows the rest of it, or says that there is more. */
const SAYS = /\bPager\b|\buseEndless\b|\bInSteps\b|\bNewestOnly\b|nextCursor|\.more\(|isCut/;
/** The part that shows the way to the next page, unless the answer is called whole. */
const isShownByPages = (source: string): boolean => /<List(?:Page)?$/m.test(source) && !/\bwholeList\b/.test(source);

/** TABLE: files that cut something and say nothing, with the reason. */
const SILENT: Readonly<Record<string, string>> = {
  "parts/forms/local-time.ts": "the minutes of a time",
  "parts/phones/pairing.tsx": "half of a code",
  "parts/phones/phone-choice.tsx": "the longest search",
  "parts/forms/search-options.ts": "the choice counts the others",
  "pages/accounts/edit.tsx": "the API has no pages: all plans",
  "pages/accounts/keys.tsx": "the API has no pages: all keys",
  "pages/agents/add-document.tsx": "the name of a file",
  "pages/agents/agent.tsx": "the agent of one phone",
  "pages/agents/http-tools.tsx": "an agent has at most ten tools",
  "pages/agents/knowledge.tsx": "the API has no pages: all documents",
  "pages/api/description.ts": "the first of several forms",
  "pages/audit/entries.tsx": "the beginning of an id",
  "pages/batches/columns.tsx": "samples of a column",
  "pages/batches/hand-over.ts": "the others are handed over afterwards",
  "pages/batches/mapping.ts": "samples of a file",
  "pages/batches/number-column.ts": "samples of a file",
  "pages/batches/sending.tsx": "the name of a batch",
  "pages/agents/trial-runs.tsx": "the API has no pages: all runs",
  "pages/billing/ledger.tsx": "the month of a time",
  "pages/billing/own.tsx": "the API has no pages: all invoices, and the months that the title names",
  "pages/billing/plans.tsx": "the API has no pages: all plans",
  "pages/inbox/history/content.tsx": "the API has no pages: all templates; the words of a quote",
  "pages/inbox/details.tsx": "the last turns of an agent: its page has the others",
  "pages/inbox/new-message.tsx": "the message that was just sent is among the newest",
  "pages/inbox/composer/template-dialog.tsx": "the API has no pages: all templates",
  "pages/messages/filters.ts": "the longest search",
  "pages/messages/said.ts": "words, with an ellipsis",
  "pages/messages/timeline.tsx": "the beginning of an id",
  "pages/move-in/page.tsx": "the name of a phone",
  "pages/overview/range.ts": "the fullest limits: the account has the others",
  "pages/overview/waiting.tsx": "the newest chats: the inbox has the others, and leads there",
  "pages/phones/programs/cloud.tsx": "the API has no pages: all tokens",
  "parts/messages/template-phones.ts": "one phone of a type speaks for all of it",
  "parts/phones/kind-fields.tsx": "a server has few kinds of phones",
  "pages/phones/share.tsx": "the API has no pages: all links",
  "pages/system/adapters.tsx": "the API has no pages: all adapters; the beginning of a hash",
  "pages/system/backups.tsx": "the API has no pages: all backups",
  "pages/system/licences.tsx": "the API has no pages: all licences",
  "pages/system/machine.tsx": "the API has no pages: all nodes; the beginning of an id",
  "pages/system/settings.tsx": "the API has no pages: all settings",
  "pages/system/troubles.tsx": "the API has no pages: all troubles",
  "pages/team/operators.tsx": "the API has no pages: all operators",
  "pages/team/page.tsx": "the API has no pages: all members",
  "pages/webhooks/detail.tsx": "the health of one webhook",
  "pages/webhooks/health.tsx": "the newest attempts, as a picture",
};

test("no list is cut in silence: it has pages, says that there is more, or a reason stands in the table", async () => {
  const silent: string[] = [];
  for (const path of new Bun.Glob("**/*.{ts,tsx}").scanSync(WEB)) {
    const source = await Bun.file(`${WEB}/${path}`).text();
    if (CUTS.test(source) && !SAYS.test(source) && !isShownByPages(source)) silent.push(path);
    CUTS.lastIndex = 0;
  }
  expect(silent.toSorted()).toEqual(Object.keys(SILENT).toSorted());
});

test("filters, states and pages of a list come from its one part: no page draws its own", async () => {
  const own: string[] = [];
  for (const path of new Bun.Glob("pages/**/*.tsx").scanSync(WEB))
    if (/<(?:Filters|Pager)\b/.test(await Bun.file(`${WEB}/${path}`).text())) own.push(path);
  expect(own).toEqual([]);
});

test("a choice among many is found by parts of its name, however accented; what is left out is counted", () => {
  const options = Array.from({ length: 600 }, (_, index) => [String(index), `Loja São João ${index}`] as const);
  expect(foundIn(options, "joao 599")).toEqual({ found: [["599", "Loja São João 599"]], more: 0 });
  expect(foundIn(options, "").more).toBe(550);
  expect(foundIn(options, "nobody")).toEqual({ found: [], more: 0 });
});
