import { useEffect, useEffectEvent, useState } from 'react';

import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { Card } from '../../ui/Surface.tsx';
import { bytesOf, UnreadableFile } from './file-text.ts';
import type { Found, ImportKind, ListedRow, Words } from './import-kind.ts';
import { readList, type Source } from './useList.ts';
import fieldStyles from '../../ui/Field.module.css';
import styles from './Import.module.css';

interface SourceCardProps<R extends ListedRow, F extends Found> {
  readonly kind: ImportKind<R, F>;
  readonly onSource: (source: Source) => void;
}

export function SourceCard<R extends ListedRow, F extends Found>(props: SourceCardProps<R, F>) {
  const { kind, onSource } = props;
  const { words } = kind;
  const [fault, setFault] = useState<string | null>(null);
  const [text, setText] = useState('');
  const take = (source: Source) => {
    try {
      readList(kind.columns, source);
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
        Lagre listen fra {words.programs} som CSV.
      </FileDrop>
      <Card heading="Eller lim inn fra et regneark">
        <p className="note lead" id="paste-help">
          Merk cellene i regnearket, gjerne med overskriftene, og kopier dem. {words.oneOf}{' '}
          {words.one} på hver rad.
        </p>
        <textarea
          className={`note ${fieldStyles.input} ${styles.paste}`}
          aria-label="Rader fra et regneark"
          aria-describedby="paste-help"
          rows={5}
          spellCheck={false}
          placeholder={words.example}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button disabled={text.trim() === ''} onClick={() => paste(text)}>
          Les radene
        </Button>
      </Card>
      <FactsCard words={words} />
    </>
  );
}

function FactsCard({ words }: { words: Words }) {
  return (
    <Card heading="Dette leser vi">
      <ul className={`stack gap-2 note ${styles.facts}`}>
        {words.facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
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
