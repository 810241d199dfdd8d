import { useQuery } from '@tanstack/react-query';

import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { Fetched } from '../../ui/Fetched.tsx';
import { Card, Skeleton } from '../../ui/Surface.tsx';
import { previewQuery } from './recurring.api.ts';
import { DateTiles } from './DateTiles.tsx';

/** The next invoice dates. Nothing for a paused or ended assignment. */
export function NextDates({ assignment }: { assignment: Assignment }) {
  const { uuid, interval, day, firstDate, lastDate, occurrences, templateId } = assignment;
  const series = { uuid, interval, day, firstDate, lastDate, occurrences, templateId };
  const preview = useQuery({
    ...previewQuery(series, assignment.nextDate),
    enabled: assignment.state === 'ACTIVE',
  });
  if (assignment.state !== 'ACTIVE') return null;
  return (
    <Card heading="De neste datoene">
      <Fetched query={preview} pending={<Skeleton height="140px" />}>
        {({ periods }) => <DateTiles label="De neste datoene" periods={periods} />}
      </Fetched>
    </Card>
  );
}
