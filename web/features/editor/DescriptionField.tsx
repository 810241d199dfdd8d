import { useFormContext, useWatch } from 'react-hook-form';

import { classNames } from '../../lib/class-names.ts';
import {
  Combobox,
  ComboboxGroup,
  ComboboxInput,
  ComboboxList,
  ComboboxOption,
} from '../../ui/Combobox.tsx';
import { Field } from '../../ui/Field.tsx';
import fieldStyles from '../../ui/Field.module.css';
import { errorAt, fieldProps } from '../../forms/Form.tsx';
import { useKeepFocus } from '../../ui/useKeepFocus.ts';
import type { FormWithLines, LinePath } from '../invoice/draft-lines.ts';
import styles from './DescriptionField.module.css';
import { useLineProposals, type LineValues } from './useLineProposals.ts';

interface DescriptionFieldProps {
  readonly path: LinePath;
  readonly locked: boolean;
  readonly className: string | undefined;
  readonly onChosen: (values: LineValues) => void;
}

/** A line's description. Proposes products and earlier lines while the user types. */
export function DescriptionField({ path, locked, className, onChosen }: DescriptionFieldProps) {
  const form = useFormContext<FormWithLines>();
  const { error, onChange, onBlur, ...registered } = fieldProps(form, `${path}.description`);
  const product = useWatch({ control: form.control, name: `${path}.productNumber` });
  const { hasProducts, groups, write, close } = useLineProposals();
  const isOpen = groups.length > 0;
  // Another description may still be of the product, an empty one is not.
  const forgetProduct = () => {
    form.setValue(`${path}.productNumber`, null, { shouldDirty: true });
    form.clearErrors(`${path}.productNumber`);
  };
  return (
    <Field
      label="Beskrivelse"
      required
      error={error ?? errorAt(form.formState.errors, `${path}.productNumber`)}
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
