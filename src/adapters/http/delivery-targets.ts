import type { DeliveryTarget } from "../../contract/ports/delivery-target.ts";

/**
 * One target for the URLs of all these targets, by their schemes. The first target gets any other URL, and refuses it.
 * @throws Error when two targets have one scheme
 */
export const deliveryTargets = (first: DeliveryTarget, ...others: readonly DeliveryTarget[]): DeliveryTarget => {
  const byScheme = new Map<string, DeliveryTarget>();
  for (const target of [first, ...others]) {
    for (const scheme of target.schemes) {
      if (byScheme.has(scheme)) throw new Error(`two delivery targets have the scheme ${scheme}`);
      byScheme.set(scheme, target);
    }
  }
  const targetOf = (url: string): DeliveryTarget => {
    const scheme = URL.canParse(url) ? new URL(url).protocol : "";
    return byScheme.get(scheme) ?? first;
  };
  return {
    schemes: [...byScheme.keys()],
    refusalOf: (url) => targetOf(url).refusalOf(url),
    send: (delivery) => targetOf(delivery.url).send(delivery),
    close() {
      for (const target of [first, ...others]) target.close();
    },
  };
};
