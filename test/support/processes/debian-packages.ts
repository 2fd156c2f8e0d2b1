import { type Architecture, basePackages } from "../../../scripts/release/base.ts";
import { newestPins } from "../../../scripts/release/newest-base.ts";

/**
 * The packages of Debian for an image: the pinned ones or, if they can no longer be fetched, today's. A release takes
 * only the pinned ones.
 */
export const debianPackages = async (architecture: Architecture): Promise<string[]> => {
  try {
    return await basePackages(architecture);
  } catch (thrown) {
    console.log(`${String(thrown)}\nThis test takes today's packages instead.`);
    return basePackages(architecture, await newestPins(architecture));
  }
};
