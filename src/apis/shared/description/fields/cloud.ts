/** What the gateway API says of the API that is compatible with the Cloud API. */
export const CLOUD_FIELDS = {};
