import { Link } from 'react-router';

import { May } from '../session/Allowed.tsx';
import { unitName } from '../../../domain/invoice/unit-names.ts';
import { treatmentOf } from '../../../domain/vat-treatment.ts';
import type { Product } from '../../../domain/product/product.schema.ts';
import { countOf, showKroner } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { TagIcon, UploadIcon } from '../../ui/icons.tsx';
import { ListPage, useListSearch } from '../../ui/ListPage.tsx';
import { editColumn, type ListColumn } from '../../ui/ListTable.tsx';
import { PAGE_SIZE } from '../../ui/Pager.tsx';
import { useCan, useFeature } from '../session/session.api.ts';
import { useProducts } from './product.api.ts';

const NUMBER: ListColumn<Product> = {
  heading: 'Nummer',
  width: '128px',
  kind: 'below',
  numeric: true,
  outline: '32px',
  cell: ({ number }) => number,
};

const pathOf = ({ number }: Product) => paths.productEdit(encodeURIComponent(number));

const NAME: ListColumn<Product> = {
  heading: 'Navn',
  kind: 'main',
  outline: '180px',
  path: pathOf,
  cell: ({ name, active }) => (
    <>
      {name} {active ? null : <Badge tone="gray">Ikke i bruk</Badge>}
    </>
  ),
};

const UNIT: ListColumn<Product> = {
  heading: 'Enhet',
  width: '120px',
  outline: '48px',
  cell: ({ unit }) => (unit ? unitName(unit) : null),
};

const PRICE: ListColumn<Product> = {
  heading: 'Pris eks. mva.',
  width: '168px',
  align: 'end',
  kind: 'amount',
  outline: '80px',
  cell: ({ netPrice }) => showKroner(netPrice),
};

const VAT: ListColumn<Product> = {
  heading: 'Mva.',
  width: '220px',
  outline: '48px',
  cell: ({ vatTreatment }) => (vatTreatment ? treatmentOf(vatTreatment).label : null),
};

const ACTIONS = editColumn(pathOf, ({ name }) => name, 'Handlinger');

export function ProductListPage() {
  const units = useFeature('units');
  const vat = useFeature('vat');
  const search = useListSearch();
  const { products, total, count } = useProducts(search.query, search.page);
  // The last page may be gone, because its products were deleted.
  const pages = Math.max(1, Math.ceil((total ?? Infinity) / PAGE_SIZE));
  if (search.page > pages) search.setPage(pages);
  const canEdit = useCan('edit');
  return (
    <ListPage
      heading="Produkter"
      count={count === undefined ? undefined : countOf(count, 'produkt', 'produkter')}
      actions={
        <May permission="edit">
          <ButtonLink to={paths.productImport} icon={<UploadIcon />}>
            Importer
          </ButtonLink>
        </May>
      }
      create={{
        to: canEdit ? paths.productCreate : undefined,
        label: 'Nytt produkt',
        firstLabel: 'Opprett det første produktet',
      }}
      query={products}
      search={{
        ...search,
        label: 'Søk etter produkt',
        placeholder: 'Søk på navn eller nummer',
        what: 'produkter',
        isShown: count !== 0,
        total,
      }}
      columns={[NUMBER, NAME, ...(units ? [UNIT] : []), PRICE, ...(vat ? [VAT] : []), ACTIONS]}
      keyOf={({ number }) => number}
      short
      empty={{
        icon: <TagIcon />,
        title: 'Ingen produkter ennå',
        text: (
          <>
            Legg inn det du selger ofte, så får fakturaen tekst og pris når du velger det. Har du en
            prisliste fra før, kan du <Link to={paths.productImport}>importere den</Link>.
          </>
        ),
      }}
    />
  );
}
