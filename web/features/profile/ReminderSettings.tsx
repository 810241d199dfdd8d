import { useQuery } from '@tanstack/react-query';

import { Badge } from '../../ui/Badge.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { Card, Skeleton } from '../../ui/Surface.tsx';
import { reminderSettingsQuery } from './profile.api.ts';
import styles from './ReminderSettings.module.css';
import { ReminderSettingsForm } from './ReminderSettingsForm.tsx';

/** The settings for reminders of overdue invoices. */
export function ReminderSettingsCard() {
  const query = useQuery(reminderSettingsQuery);
  return (
    <Card
      heading="Purringer"
      aside={
        query.data ? (
          <Badge tone={query.data.automatic ? 'green' : 'gray'}>
            {query.data.automatic ? 'Automatisk' : 'For hånd'}
          </Badge>
        ) : null
      }
    >
      <p className={styles.lead}>
        Slik minner du kunder på fakturaer som ikke er betalt. Faktur holder seg til det loven
        tillater, og bruker satsene som gjelder den dagen purringen sendes.
      </p>
      <Fetched query={query} pending={<Skeleton height="420px" />}>
        {(settings) => <ReminderSettingsForm settings={settings} />}
      </Fetched>
    </Card>
  );
}
