import { Tabs as ArkTabs } from '@ark-ui/react/tabs';
import type { ReactNode } from 'react';

import styles from './Tabs.module.css';

interface Tab {
  readonly name: string;
  readonly label: string;
  readonly content: ReactNode;
}

export function Tabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  return (
    <ArkTabs.Root defaultValue={tabs[0]?.name ?? null} lazyMount>
      <ArkTabs.List className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <ArkTabs.Trigger key={tab.name} value={tab.name} className={styles.tab}>
            {tab.label}
          </ArkTabs.Trigger>
        ))}
      </ArkTabs.List>
      {tabs.map((tab) => (
        <ArkTabs.Content key={tab.name} value={tab.name} className={styles.content}>
          {tab.content}
        </ArkTabs.Content>
      ))}
    </ArkTabs.Root>
  );
}
