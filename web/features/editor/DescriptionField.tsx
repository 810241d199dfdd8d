import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';

import type { LineProposal } from '../../../domain/invoice/invoice.endpoints.ts';
import { classNames } from '../../lib/class-names.ts';
import { Combobox, ComboboxInput, ComboboxList, ComboboxOption } from '../../ui/Combobox.tsx';
import { Field } from '../../ui/Field.tsx';
import fieldStyles from '../../ui/Field.module.css';
import { fieldProps } from '../../forms/Form.tsx';
import { showKroner } from '../../lib/kroner.ts';
import { useDebounced } from '../../ui/SearchField.tsx';
import type { FormWithLines, LinePath } from '../invoice/draft-lines.ts';
import { lineProposalsQuery } from '../invoice/invoice.api.ts';
import styles from './DescriptionField.module.css';

const LEAST = 2;

interface DescriptionFieldProps {
  readonly path: LinePath;
  readonly locked: boolean;
  readonly className: string | undefined;
  readonly onChosen: (proposal: LineProposal) => void;
}

/** A line's description. Proposes earlier lines while the user types. */
export function DescriptionField({ path, locked, className, onChosen }: DescriptionFieldProps) {
  const form = useFormContext<FormWithLines>();
  const { error, onChange, onBlur, ...registered } = fieldProps(form, `${path}.description`);
  const { proposals, write, close } = useProposals();
  const isOpen = proposals.length > 0;
  return (
    <Field
      label="Beskrivelse"
      required
      error={error}
      className={classNames(styles.root, className)}
    >
      {(control) => (
        <Combobox
          options={proposals}
          keyOf={({ description }) => encodeURIComponent(description)}
          onChoose={(proposal) => {
            close();
            onChosen(proposal);
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
          <ComboboxList label="Brukt før" isPopup className={styles.list}>
            {proposals.map((proposal) => (
              <ComboboxOption
                key={proposal.description}
                option={proposal}
                name={proposal.description}
                note={`${showKroner(proposal.netUnitAmount)} + ${proposal.vatRatePercentage} %`}
              />
            ))}
          </ComboboxList>
        </Combobox>
      )}
    </Field>
  );
}

const NONE: readonly LineProposal[] = [];

/** Fetches proposals for text that the user types, not for text already in the field. */
function useProposals() {
  const [written, setWritten] = useState('');
  const text = written.trim();
  const asked = useDebounced(text);
  const { data = NONE } = useQuery({
    ...lineProposalsQuery(asked),
    enabled: asked.length >= LEAST && asked === text,
  });
  return {
    proposals: text.length >= LEAST && asked === text ? data : NONE,
    write: setWritten,
    close: () => setWritten(''),
  };
}
