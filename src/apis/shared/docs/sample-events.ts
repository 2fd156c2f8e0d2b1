import type { Audience } from "../../../core/events/audience.ts";
import { SAMPLES } from "../../../core/events/definitions/index.ts";
import { CHANNEL_ID } from "../../../core/events/definitions/samples.ts";

/**
 * An audience's `sample`: the first sample of a domain event that it renders as an event of that type. Without a given
 * channel it names a channel that does not exist.
 */
export const sampleBy =
  (render: Audience["render"]): Audience["sample"] =>
  (published, type) =>
    SAMPLES.map((domainEvent) =>
      render({ ...published, channelId: published.channelId ?? CHANNEL_ID, domainEvent }),
    ).find((rendered) => rendered?.type === type);
