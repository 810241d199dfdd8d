import { useEffect, useEffectEvent, useState } from 'react';

import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { Card } from '../../ui/Surface.tsx';
import { bytesOf, UnreadableFile } from './file-text.ts';
import { readList, type Source } from './useList.ts';
import fieldStyles from '../../ui/Field.module.css';
import styles from './Import.module.css';

export function SourceCard({ onSource }: { onSource: (source: Source) => void }) {
  const [fault, setFault] = useState<string | null>(null);
  const [text, setText] = useState('');
  const take = (source: Source) => {
    try {
      readList(source);
      onSource(source);
    } catch (error) {
      setFault(describe(source.name, error));
    }
  };
  const takeFiles = async ([file, ...others]: readonly File[]) => {
    if (!file) return;
    if (others.length > 0) {
      setFault('Velg én fil om gangen.');
      return;
    }
    try {
      take({ name: file.name, content: await bytesOf(file) });
    } catch (error) {
      setFault(describe(file.name, error));
    }
  };
  const paste = (content: string) => take({ name: 'Det du limte inn', content });
  usePaste(paste);
  return (
    <>
      {fault === null ? null : (
        <div role="alert">
          <Alert tone="error" title="Listen kan ikke leses">
            {fault}
          </Alert>
        </div>
      )}
      <FileDrop
        title="Slipp en CSV-fil her"
        label="Velg fil"
        accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
        onFiles={(files) => void takeFiles(files)}
      >
        Lagre listen fra Excel, Google Regneark eller medlemssystemet som CSV.
      </FileDrop>
      <Card heading="Eller lim inn fra et regneark">
        <p className="note lead" id="paste-help">
          Merk cellene i regnearket, gjerne med overskriftene, og kopier dem. Én kunde på hver rad.
        </p>
        <textarea
          className={`note ${fieldStyles.input} ${styles.paste}`}
          aria-label="Rader fra et regneark"
          aria-describedby="paste-help"
          rows={5}
          spellCheck={false}
          placeholder={'Navn\tE-post\nKari Dal\tkari@example.no'}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button disabled={text.trim() === ''} onClick={() => paste(text)}>
          Les radene
        </Button>
      </Card>
      <FactsCard />
    </>
  );
}

function FactsCard() {
  return (
    <Card heading="Dette leser vi">
      <ul className={`stack gap-2 note ${styles.facts}`}>
        <li>
          Kolonner for navn, e-post, telefon, organisasjonsnummer, kundenummer og adresse. Du ser og
          endrer hva som er hva før noe lagres.
        </li>
        <li>
          Også land, kontaktperson, e-post for fakturaer (flere i samme celle skilles med komma),
          referanse, dager til forfall, leveringsmetode (Ingen, E-post eller EHF) og privatperson
          (ja eller nei).
        </li>
        <li>
          Kunder du har fra før, kjennes igjen på kundenummer, ellers på organisasjonsnummer eller
          e-post.
        </li>
        <li>Inntil 10 000 rader om gangen. Enten lagres alle, eller ingen.</li>
      </ul>
    </Card>
  );
}

function describe(name: string, error: unknown): string {
  if (error instanceof UnreadableFile) return `${name}: ${error.message}`;
  throw error;
}

/** Handles text pasted anywhere on the screen except into a field. */
function usePaste(onText: (text: string) => void): void {
  const take = useEffectEvent(onText);
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const isField = event.target instanceof Element && event.target.closest('input, select');
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (isField || text.trim() === '') return;
      event.preventDefault();
      take(text);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
}
