import { Type } from "@sinclair/typebox";
import type { ChannelId } from "../kernel/ids.ts";
import { OneOf } from "../kernel/schema.ts";
import { versioned } from "../kernel/versioned.ts";
import { commonQueue } from "../store/tables/queues.ts";

// The common parts of the definitions of jobs. Payloads are ids, and data that is not on disk elsewhere.
// kernel/versioned.ts has the rule: a released form never changes. To change a payload, add a version with `next`;
// `npm run payloads` stores a text of each version for the test that reads them all.

export const id = <Id extends string = string>() => Type.Unsafe<Id>(Type.String({ minLength: 1 }));
export const environment = OneOf(["live", "test"]);

/** The payload of a job without parameters. */
export const NOTHING = versioned(Type.Object({}));
/** The payload of a job about one channel. */
export const CHANNEL = versioned(Type.Object({ channelId: id<ChannelId>() }));

/** Work without a waiting caller, in the one queue that all slices share. */
export const HOUSEKEEPING = { concurrencyLimit: 4, queue: () => commonQueue("housekeeping") };
