/** The required programs, with the Debian package of each. */
export const SWIFT_PROGRAMS: Readonly<Record<string, string>> = {
  'swift-proxy-server': 'swift-proxy',
  'swift-account-server': 'swift-account',
  'swift-container-server': 'swift-container',
  'swift-object-server': 'swift-object',
  memcached: 'memcached',
};
