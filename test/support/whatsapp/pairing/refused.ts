/** The phone would not link what it was shown. */
export class RefusedByPhone extends Error {}
