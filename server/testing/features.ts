/** FEATURES where a test does not say. With TEST_FEATURES=all the suite runs with everything on. */
export const TEST_FEATURES = process.env['TEST_FEATURES'] ?? '';

/** Everything on that is off by default. Nobody answers where the access point and the name server are. */
export const EVERYTHING_ON = {
  FEATURES: 'all',
  ACCESS_POINT: 'phoss-ap',
  ACCESS_POINT_URL: 'http://127.0.0.1:9',
  ACCESS_POINT_TOKEN: 'a token of the tests',
  PEPPOL_DNS: '127.0.0.1:9',
} as const;
