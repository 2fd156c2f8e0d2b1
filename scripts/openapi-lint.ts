// Lints the committed descriptions with two linters of others: Redocly's `recommended` rules and Spectral's `oas`.
//   bun scripts/openapi-lint.ts      exit code 1 for any error or warning that is not in IGNORED
import { join, resolve } from "node:path";
import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from "@redocly/openapi-core";
import spectralCore, { type RulesetDefinition } from "@stoplight/spectral-core";
import spectralRules from "@stoplight/spectral-rulesets";

const root = resolve(import.meta.dir, "..");

type Finding = { rule: string; at: string; message: string };

/** TABLE: the exceptions to the rules, which are right here. At most 8 lines. */
const IGNORED: readonly { rule: string; at: RegExp; because: string }[] = [
  { rule: "operation-description", at: /./, because: "a summary that says everything is not repeated" },
  { rule: "no-ambiguous-paths", at: /./, because: "a literal segment goes before a parameter, as in the router" },
  { rule: "operation-2xx-response", at: /(media|recording)/, because: "the answer is a redirect to the file" },
  { rule: "operation-4xx-response", at: /(health|versao|origin)/, because: "what reads nothing refuses nothing" },
  { rule: "no-server-example.com", at: /./, because: "the server is the reader's own; the snapshot is of the default" },
  {
    rule: "oas3-valid-schema-example",
    at: /examples.0.components/,
    because: "a field of the network is named example",
  },
  { rule: "no-unused-components", at: /(Gateway|Platform)Event$/, because: "for handlers of all events of an API" },
  { rule: "oas3-unused-component", at: /(Gateway|Platform)Event$/, because: "for handlers of all events of an API" },
];

const isIgnored = ({ rule, at }: Finding): boolean => IGNORED.some((one) => one.rule === rule && one.at.test(at));

const byRedocly = async (path: string, text: string): Promise<Finding[]> => {
  const problems = await lintDocument({
    document: makeDocumentFromString(text, path),
    config: await createConfig({ extends: ["recommended"] }),
    externalRefResolver: new BaseResolver(),
  });
  return problems.map(({ ruleId, message, location }) => ({ rule: ruleId, at: location[0]?.pointer ?? "", message }));
};

const bySpectral = async (text: string): Promise<Finding[]> => {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [spectralRules.oas as RulesetDefinition] }); // a value of another version of its types
  const found = await spectral.run(JSON.parse(text) as Record<string, unknown>);
  return found.map(({ code, message, path }) => ({ rule: String(code), at: `#/${path.join("/")}`, message }));
};

let faults = 0;
for (const api of ["platform", "gateway"]) {
  const path = join(root, `test/snapshots/openapi.${api}.json`);
  const text = await Bun.file(path).text();
  const findings = [...(await byRedocly(path, text)), ...(await bySpectral(text))].filter((one) => !isIgnored(one));
  faults += findings.length;
  for (const { rule, at, message } of findings) console.error(`openapi.${api}.json ${at}: ${message} (${rule})`);
}
if (faults > 0) process.exit(1);
