import type { CustomerImportResult } from '../../../domain/customer/customer-import.schema.ts';
import { paths } from '../../lib/paths.ts';
import { useIsProfileIncomplete } from '../profile/profile.api.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { countOf } from '../../lib/count.ts';
import { CheckCircleIcon } from '../../ui/icons.tsx';
import { Card, EmptyState } from '../../ui/Surface.tsx';
import styles from './Import.module.css';

interface ImportDoneProps {
  readonly result: CustomerImportResult;
  readonly onRestart: () => void;
}

/** The result of the import, and links to continue. */
export function ImportDone({ result, onRestart }: ImportDoneProps) {
  const { created, updated, known, groupUuid } = result;
  const incomplete = useIsProfileIncomplete();
  const changed = updated > 0 ? known.filter(({ changes }) => changes.length > 0).length : 0;
  const kept = known.length - changed;
  return (
    <div aria-live="polite">
      <Card>
        <EmptyState
          icon={<CheckCircleIcon size={28} />}
          title={`${countOf(created + known.length, 'kunde', 'kunder')} er importert!`}
          action={
            <div className={styles.ways}>
              <ButtonLink to={paths.customers} variant="primary">
                Se kundene
              </ButtonLink>
              {groupUuid === null ? null : (
                <>
                  <ButtonLink to={paths.invoiceCreateTo(groupUuid)} disabled={incomplete}>
                    Fakturer gruppen
                  </ButtonLink>
                  <ButtonLink to={paths.groupEdit(groupUuid)}>Åpne gruppen</ButtonLink>
                </>
              )}
              <Button variant="quiet" onClick={onRestart}>
                Importer flere
              </Button>
            </div>
          }
        >
          {countOf(created, 'ny', 'nye')}, {countOf(changed, 'oppdatert', 'oppdaterte')}
          {kept === 0 ? '' : ` og ${countOf(kept, 'uendret', 'uendrede')}`}.
          {groupUuid === null ? '' : ' Alle er i gruppen.'}
        </EmptyState>
      </Card>
    </div>
  );
}
