import { expect, test } from "bun:test";
import { cloudFields } from "../../../../src/apis/cloud/render/index.ts";
import { evolutionNames } from "../../../../src/apis/evolution/webhooks/render.ts";
import { documentedViews } from "../../../../src/apis/gateway/events/event-views.ts";
import { gatewayAudience } from "../../../../src/apis/gateway/events/render.ts";
import { platformAudience } from "../../../../src/apis/platform/events/render.ts";
import { wahaNames } from "../../../../src/apis/waha/events/render.ts";
import type { Audience } from "../../../../src/core/events/audience.ts";
import { DEFINITIONS, EVENT_TYPES, type EventType, samplesOf } from "../../../../src/core/events/definitions/index.ts";
import { PUBLISHED } from "../../../../src/core/events/definitions/samples.ts";

const typesTo = (addressee: string): EventType[] =>
  EVENT_TYPES.filter((type) => DEFINITIONS[type].publishedTo.some((to) => to === addressee));

const renderedBy = ({ render }: Audience): EventType[] =>
  EVENT_TYPES.filter((type) => samplesOf(type).some((domainEvent) => render({ ...PUBLISHED, domainEvent })));

test("the gateway publishes every event that accounts get, and no other", () => {
  expect(renderedBy(gatewayAudience(() => documentedViews("")))).toEqual(typesTo("accounts"));
});

test("the platform publishes every event that institutions get, and no other", () => {
  expect(renderedBy(platformAudience(() => ""))).toEqual(typesTo("institutions"));
});

test("an API of apps shows every event that apps get, and no other", () => {
  const shown = EVENT_TYPES.filter(
    (type) => [...evolutionNames(type), ...wahaNames(type), ...cloudFields(type)].length > 0,
  );
  expect(shown).toEqual(typesTo("apps"));
});
