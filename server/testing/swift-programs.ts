/** What has to be on the machine, and the Debian package that brings it. */
export const SWIFT_PROGRAMS: Readonly<Record<string, string>> = {
  'swift-proxy-server': 'swift-proxy',
  'swift-account-server': 'swift-account',
  'swift-container-server': 'swift-container',
  'swift-object-server': 'swift-object',
  memcached: 'memcached',
};
