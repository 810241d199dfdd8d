import { useQuery } from '@tanstack/react-query';

import { LoadFailure } from '../../ui/Alert.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Card, Skeleton } from '../../ui/Surface.tsx';
import { reminderSettingsQuery } from '../reminder-settings.queries.ts';
import styles from './ReminderSettings.module.css';
import { ReminderSettingsForm } from './ReminderSettingsForm.tsx';

/** How customers who have not paid are reminded. */
export function ReminderSettingsCard() {
  const { data: settings, isError, refetch } = useQuery(reminderSettingsQuery);
  return (
    <Card
      heading="Purringer"
      aside={
        settings === undefined ? null : (
          <Badge tone={settings.automatic ? 'green' : 'gray'}>
            {settings.automatic ? 'Automatisk' : 'For hånd'}
          </Badge>
        )
      }
    >
      <p className={styles.lead}>
        Slik minner du kunder på fakturaer som ikke er betalt. Faktur holder seg til det loven
        tillater, og bruker satsene som gjelder den dagen purringen sendes.
      </p>
      {settings === undefined ? (
        isError ? (
          <LoadFailure onRetry={() => void refetch()} />
        ) : (
          <Skeleton height="420px" />
        )
      ) : (
        <ReminderSettingsForm settings={settings} />
      )}
    </Card>
  );
}
