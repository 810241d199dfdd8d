// Loaded into the product's process before the product (--import): leads what goes to the public address
// of the stand-in for Peppol's publisher to where it listens, since the product asks public addresses alone.

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
