import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FieldErrors } from 'react-hook-form';

import type { LineProposal } from '../../../domain/invoice/invoice.endpoints.ts';
import { errorAt } from '../../forms/Form.tsx';
import { classNames } from '../../lib/class-names.ts';
import { showKroner } from '../../lib/number-text.ts';
import {
  Combobox,
  ComboboxGroup,
  ComboboxInput,
  ComboboxList,
  ComboboxOption,
} from '../../ui/Combobox.tsx';
import { Field } from '../../ui/Field.tsx';
import fieldStyles from '../../ui/Field.module.css';
import { useDebounced } from '../../ui/SearchField.tsx';
import { useKeepFocus } from '../../ui/useKeepFocus.ts';
import { lineProposalsQuery } from '../invoice/invoice.api.ts';
import { useFeature } from '../session/session.api.ts';
import type { DraftLine, LineFormState, LinePath } from './draft-values.ts';
import styles from './DescriptionField.module.css';

/** Values for a line. Those that are absent, such as the rate of a product, stay as they are. */
export type LineValues = Pick<LineProposal, 'description' | 'netUnitAmount'> &
  Partial<LineProposal>;

interface DescriptionFieldProps {
  readonly form: LineFormState;
  readonly path: LinePath;
  readonly line: DraftLine;
  readonly errors: FieldErrors<DraftLine>;
  readonly locked: boolean;
  readonly className: string | undefined;
  readonly onChosen: (values: LineValues) => void;
}

/** A line's description. Proposes products and earlier lines while the user types. */
export function DescriptionField(props: DescriptionFieldProps) {
  const { form, path, line, errors, locked, className, onChosen } = props;
  const { onChange, onBlur, ...registered } = form.register(`${path}.description`);
  const product = line.productNumber;
  const { hasProducts, groups, isOpen, write, close } = useLineProposals();
  // Another description may still be of the product, an empty one is not.
  const forgetProduct = () => {
    form.setValue(`${path}.productNumber`, null, { shouldDirty: true });
    form.clearErrors(`${path}.productNumber`);
  };
  return (
    <Field
      label="Beskrivelse"
      required
      error={errorAt(errors, 'description') ?? errorAt(errors, 'productNumber')}
      hint={
        hasProducts && product ? (
          <ProductNumber number={product} locked={locked} onForget={forgetProduct} />
        ) : undefined
      }
      className={classNames(styles.root, className)}
    >
      {(control) => (
        <Combobox
          options={groups.flatMap(({ proposals }) => proposals)}
          keyOf={({ key }) => key}
          onChoose={({ values }) => {
            close();
            onChosen(values);
          }}
        >
          <ComboboxInput isOpen={isOpen}>
            <input
              {...registered}
              {...control}
              type="text"
              spellCheck
              enterKeyHint="next"
              className={fieldStyles.input}
              disabled={locked}
              onChange={(event) => {
                write(event.target.value);
                if (product && event.target.value === '') forgetProduct();
                void onChange(event);
              }}
              onBlur={(event) => {
                close();
                void onBlur(event);
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Escape' || !isOpen) return;
                close();
                event.preventDefault();
              }}
            />
          </ComboboxInput>
          <ComboboxList
            label={hasProducts ? 'Forslag' : 'Brukt før'}
            isPopup
            className={styles.list}
          >
            {groups.map(({ label, proposals }) => (
              <ComboboxGroup key={label} label={hasProducts ? label : undefined}>
                {proposals.map((proposal) => (
                  <ComboboxOption
                    key={proposal.key}
                    option={proposal}
                    name={proposal.name}
                    note={proposal.note}
                  />
                ))}
              </ComboboxGroup>
            ))}
          </ComboboxList>
        </Combobox>
      )}
    </Field>
  );
}

interface ProductNumberProps {
  readonly number: string;
  readonly locked: boolean;
  readonly onForget: () => void;
}

function ProductNumber({ number, locked, onForget }: ProductNumberProps) {
  const keepFocus = useKeepFocus();
  return (
    <>
      Produkt {number}{' '}
      {locked ? null : (
        <button
          type="button"
          className="link"
          aria-label={`Fjern produkt ${number}`}
          {...keepFocus}
          onClick={onForget}
        >
          Fjern
        </button>
      )}
    </>
  );
}

interface Proposal {
  readonly key: string;
  readonly name: string;
  readonly note: string;
  readonly values: LineValues;
}

const LEAST = 2;

/**
 * Products, with `products`, and earlier lines (PRD-17). Asked for by text that the user types, not by text already in
 * the field, and shown together, so that none moves when the others come.
 */
function useLineProposals() {
  const hasProducts = useFeature('products');
  const [written, setWritten] = useState('');
  const text = written.trim();
  const asked = useDebounced(text);
  const isSettled = text !== '' && asked === text;
  const lines = useQuery({
    ...lineProposalsQuery(asked),
    enabled: isSettled && asked.length >= LEAST,
  });
  const products = useQuery({
    queryKey: ['products', 'proposed', asked],
    queryFn: async ({ signal }) => {
      const { proposedProducts } = await import('../product/proposed-products.ts');
      return proposedProducts(asked, signal);
    },
    enabled: hasProducts && isSettled,
  });
  const isShown = isSettled && !isAwaited(lines) && !isAwaited(products);
  const groups = isShown ? groupsOf(products.data, lines.data, hasProducts) : [];
  const isOpen = groups.length > 0;
  return { hasProducts, groups, isOpen, write: setWritten, close: () => setWritten('') };
}

/** Whether a first answer may still come soon. */
function isAwaited(query: { readonly isLoading: boolean; readonly failureCount: number }): boolean {
  return query.isLoading && query.failureCount === 0;
}

function groupsOf(
  products: readonly Proposal[] = [],
  lines: readonly LineProposal[] = [],
  hasProducts: boolean,
): readonly { label: string; proposals: readonly Proposal[] }[] {
  // A product's line of before may have an older price.
  const others = lines.filter(
    ({ description }) => !products.some(({ values }) => values.description === description),
  );
  return [
    { label: 'Produkter', proposals: products },
    { label: 'Brukt før', proposals: others.map((line) => ofLine(line, hasProducts)) },
  ].filter(({ proposals }) => proposals.length > 0);
}

function ofLine(line: LineProposal, hasProducts: boolean): Proposal {
  return {
    key: encodeURIComponent(line.description),
    name: line.description,
    note: `${showKroner(line.netUnitAmount)} + ${line.vatRatePercentage} %`,
    values: hasProducts ? { ...line, productNumber: line.productNumber ?? null } : line,
  };
}
