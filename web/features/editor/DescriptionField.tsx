import { useQuery } from '@tanstack/react-query';
import { useId, useState, type KeyboardEvent } from 'react';
import { useFormContext } from 'react-hook-form';

import type { LineProposal } from '../../../domain/invoice/invoice.endpoints.ts';
import { classNames } from '../../lib/class-names.ts';
import { Field } from '../../ui/Field.tsx';
import fieldStyles from '../../ui/Field.module.css';
import { fieldProps } from '../../forms/Form.tsx';
import { showKroner } from '../../lib/kroner.ts';
import { useDebounced } from '../../ui/SearchField.tsx';
import type { FormWithLines, LinePath } from '../invoice/draft-lines.ts';
import { lineProposalsQuery } from '../invoice/invoice.api.ts';
import { movedTo } from './proposal-choice.ts';
import styles from './DescriptionField.module.css';

/** The minimum length of a search text. */
const LEAST = 2;

interface DescriptionFieldProps {
  readonly path: LinePath;
  readonly locked: boolean;
  readonly className: string | undefined;
  readonly onChosen: (proposal: LineProposal) => void;
}

/** A line's description. Proposes earlier lines while the user types: a combobox (ARIA APG). */
export function DescriptionField({ path, locked, className, onChosen }: DescriptionFieldProps) {
  const form = useFormContext<FormWithLines>();
  const { error, onChange, onBlur, ...registered } = fieldProps(form, `${path}.description`);
  const listId = useId();
  const { proposals, active, isOpen, write, close, setActive } = useProposals();
  const choose = (proposal: LineProposal) => {
    close();
    onChosen(proposal);
  };
  const press = (event: KeyboardEvent) => {
    if (!isOpen) return;
    const moved = movedTo(event.key, active, proposals.length);
    const chosen = event.key === 'Enter' ? proposals[active] : undefined;
    if (moved !== undefined) setActive(moved);
    else if (chosen) choose(chosen);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  };
  return (
    <Field
      label="Beskrivelse"
      required
      error={error}
      className={classNames(styles.root, className)}
    >
      {(control) => (
        <>
          <input
            {...registered}
            {...control}
            type="text"
            autoComplete="off"
            className={fieldStyles.input}
            disabled={locked}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-activedescendant={isOpen && active >= 0 ? `${listId}-${active}` : undefined}
            onChange={(event) => {
              write(event.target.value);
              void onChange(event);
            }}
            onBlur={(event) => {
              close();
              void onBlur(event);
            }}
            onKeyDown={press}
          />
          <Proposals
            id={listId}
            proposals={isOpen ? proposals : []}
            active={active}
            onChoose={choose}
          />
        </>
      )}
    </Field>
  );
}

// HTML has no element for this: a datalist cannot fill in other fields. The input handles the keys.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events */

interface ProposalsProps {
  readonly id: string;
  readonly proposals: readonly LineProposal[];
  readonly active: number;
  readonly onChoose: (proposal: LineProposal) => void;
}

function Proposals({ id, proposals, active, onChoose }: ProposalsProps) {
  return (
    <div id={id} role="listbox" aria-label="Brukt før" className={styles.list}>
      {proposals.map((proposal, index) => (
        <div
          key={proposal.description}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={styles.option}
          // Keeps the focus in the field.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(proposal)}
        >
          <span className={styles.description}>{proposal.description}</span>
          <span className={styles.note}>
            {showKroner(proposal.netUnitAmount)} + {proposal.vatRatePercentage} %
          </span>
        </div>
      ))}
    </div>
  );
}

const NONE: readonly LineProposal[] = [];

/** Fetches proposals for text that the user types, not for text already in the field. */
function useProposals() {
  const [written, setWritten] = useState('');
  const [active, setActive] = useState(-1);
  const text = written.trim();
  const asked = useDebounced(text);
  const { data = NONE } = useQuery({
    ...lineProposalsQuery(asked),
    enabled: asked.length >= LEAST && asked === text,
  });
  const proposals = text.length >= LEAST && asked === text ? data : NONE;
  return {
    proposals,
    active,
    setActive,
    isOpen: proposals.length > 0,
    write: (next: string) => {
      setWritten(next);
      setActive(-1);
    },
    close: () => setWritten(''),
  };
}
