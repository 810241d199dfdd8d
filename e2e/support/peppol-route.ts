// Loaded into the product's process before the product (--import). Redirects requests from the public address of the
// fake Peppol publisher to its port on loopback, because the product only calls public addresses.

import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

const { PEPPOL_ROUTE_FROM: from, PEPPOL_ROUTE_PORT: port } = process.env;
const { request } = https;

https.request = ((options: https.RequestOptions, ...rest: []) =>
  request(
    options.host === from ? { ...options, host: '127.0.0.1', port } : options,
    ...rest,
  )) as typeof request;
syncBuiltinESMExports();
