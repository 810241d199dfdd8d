/** FEATURES where a test does not say. With TEST_FEATURES=all the suite runs with everything on. */
export const TEST_FEATURES = process.env['TEST_FEATURES'] ?? '';
