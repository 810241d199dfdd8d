import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Organisation numbers known to the fake register, each with its own response. */
export const REGISTERED = {
  /** A company with a sub-unit. */
  withSubUnit: '923609016',
  /** A company without a sub-unit. */
  withoutSubUnit: '974760673',
  unknown: '123456785',
  deleted: '987654325',
  refused: '984851006',
  slow: '982463718',
  failing: '984661185',
} as const;

export interface BusinessRegister {
  /** The value for BUSINESS_REGISTER_URL. */
  readonly url: string;
  /** Holds requests until the returned function is called. */
  hold(): () => void;
  close(): Promise<void>;
}

const SUB_UNIT = {
  organisasjonsnummer: '973861778',
  navn: 'EKSEMPEL AVD OSLO',
  organisasjonsform: { kode: 'BEDR' },
  overordnetEnhet: REGISTERED.withSubUnit,
  beliggenhetsadresse: {
    land: 'Norge',
    landkode: 'NO',
    postnummer: '0155',
    poststed: 'OSLO',
    adresse: ['Dronning Eufemias gate 30', '4. etasje'],
    kommune: 'OSLO',
  },
};
const UNITS = [
  {
    organisasjonsnummer: REGISTERED.withoutSubUnit,
    navn: 'REGISTERENHETEN I BRØNNØYSUND',
    forretningsadresse: {
      land: 'Norge',
      landkode: 'NO',
      postnummer: '8910',
      poststed: 'BRØNNØYSUND',
      adresse: ['Havnegata 48'],
      kommune: 'BRØNNØY',
    },
    registrertIMvaregisteret: false,
    registrertIForetaksregisteret: false,
  },
  {
    organisasjonsnummer: REGISTERED.withSubUnit,
    navn: 'EKSEMPEL AS',
    forretningsadresse: {
      land: 'Norge',
      landkode: 'NO',
      postnummer: '5003',
      poststed: 'BERGEN',
      adresse: ['Strandgata 12'],
      kommune: 'BERGEN',
    },
    registrertIMvaregisteret: true,
    registrertIForetaksregisteret: true,
  },
];

/** Answers like Enhetsregisteret, including its failures. */
export async function openBusinessRegister(): Promise<BusinessRegister> {
  let held = Promise.resolve();
  const server = createServer((request, response) => {
    void held.then(() => answer(request.url ?? '/', response));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/enhetsregisteret/api`,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function answer(url: string, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, 'http://register');
  const parent = searchParams.get('overordnetEnhet');
  if (parent === null) answerUnit(pathname.split('/').at(-1) ?? '', response);
  else answerSubUnits(parent, response);
}

function answerSubUnits(orgNumber: string, response: ServerResponse): void {
  switch (orgNumber) {
    case REGISTERED.withSubUnit:
      send(response, 200, {
        _embedded: { underenheter: [SUB_UNIT] },
        page: { size: 20, totalElements: 1, totalPages: 1, number: 0 },
      });
      break;
    case REGISTERED.refused:
      send(response, 400, {
        status: 400,
        feilmelding: 'Feilaktig forespørsel',
        valideringsfeil: [{ feilmelding: 'Ugyldig verdi', parametere: ['overordnetEnhet'] }],
      });
      break;
    case REGISTERED.failing:
      response.destroy();
      break;
    case REGISTERED.slow:
      // No answer: the browser must time out without blocking the user.
      break;
    default:
      send(response, 200, { page: { size: 20, totalElements: 0, totalPages: 0, number: 0 } });
  }
}

function answerUnit(orgNumber: string, response: ServerResponse): void {
  const unit = UNITS.find(({ organisasjonsnummer }) => organisasjonsnummer === orgNumber);
  if (unit) send(response, 200, unit);
  else send(response, orgNumber === REGISTERED.deleted ? 410 : 404, {});
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'access-control-allow-origin': '*',
  });
  response.end(JSON.stringify(body));
}
