import { formatDate, formatInstant } from '../date.ts';
import { formatOrgNumber } from '../parties.ts';
import {
  judgedOn,
  money,
  number,
  text,
  type Cell,
  type Counted,
  type Table,
  type TableSource,
} from './table.ts';

/** The version of the tables. A column that is added or changed gives the next one. */
const VERSION = '1';

/** Tells what the other sheets have, once they were read. */
export function aboutSheet(source: TableSource, counts: ReadonlyMap<string, Counted>): Table {
  return {
    name: 'Om',
    columns: [
      text('Opplysning', 26),
      text('Verdi', 60),
      number('Rader'),
      text('Summert', 12),
      money('Sum'),
    ],
    async *rows() {
      const said = aboutExport(source).map(([name, value]): Cell[] => [
        name,
        value,
        null,
        null,
        null,
      ]);
      const counted = [...counts.values()].map(({ name, count, summed, sum }): Cell[] => [
        `Ark: ${name}`,
        null,
        count,
        summed,
        sum,
      ]);
      yield [...said, ...counted];
    },
  };
}

function aboutExport(source: TableSource): [string, string][] {
  const { seller, scope, madeAt, madeBy } = source;
  const { from, to, ranges, filter } = scope;
  const begin = from === null ? 'Fra første dag' : formatDate(from);
  const period = ranges
    ? `Det som ikke er med i tidligere eksporter, til og med ${formatDate(to)}`
    : `${begin} til og med ${formatDate(to)}`;
  return [
    ['Firma', seller.name],
    ['Organisasjonsnummer', formatOrgNumber(seller.orgNumber)],
    ['Periode', period],
    ['Grunnlag', 'Fakturaer og kreditnotaer etter fakturadato, innbetalinger etter betalingsdato'],
    ['Status og rest', `Slik de er ${formatDate(judgedOn(source))}`],
    [
      'Fritatt, Utenfor loven',
      'Fritatt har også omvendt avgiftsplikt; Utenfor loven har også salg fra den som ikke er mva-registrert',
    ],
    [
      'Innbetalinger',
      'En innbetaling står der den er plassert nå. Mulige kopier er ikke med før de er plassert',
    ],
    ...(filter
      ? [
          [
            'Utvalg',
            'Bare fakturaene i listen. Innbetalinger, Kundespesifikasjon og Åpne poster har alt',
          ] as [string, string],
        ]
      : []),
    ['Laget', `${formatInstant(madeAt)} av ${madeBy}, med Faktur (tabeller versjon ${VERSION})`],
    ['Merk', 'Dette er salg og innbetalinger fra Faktur, ikke et fullstendig regnskap'],
  ];
}
