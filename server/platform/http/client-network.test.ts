import { expect, test } from 'vitest';

import { networkOf, siteOf } from './client-network.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['192.0.2.7:50123', '192.0.2.7'],
  ['[2001:db8:1:2::5]:50123', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::5]', '2001:db8:1:2::/64'],
  ['[::ffff:192.0.2.7]:50123', '192.0.2.7'],
  ['not an address', 'not an address'],
])('%s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2::5', '2001:db8:1::/48'],
  ['2001:db8:1:ffff::5', '2001:db8:1::/48'],
  ['2001:db8:2:2::5', '2001:db8:2::/48'],
])('the site of %s is %s', (address, site) => {
  expect(siteOf(address)).toBe(site);
});
