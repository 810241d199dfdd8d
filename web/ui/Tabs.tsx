import { Tabs as ChakraTabs } from '@chakra-ui/react';
import type { ReactNode } from 'react';

import styles from './Tabs.module.css';

interface Tab {
  readonly name: string;
  readonly label: string;
  readonly content: ReactNode;
}

export function Tabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  return (
    <ChakraTabs.Root defaultValue={tabs[0]?.name ?? null} lazyMount>
      <ChakraTabs.List className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <ChakraTabs.Trigger key={tab.name} value={tab.name} className={styles.tab}>
            {tab.label}
          </ChakraTabs.Trigger>
        ))}
      </ChakraTabs.List>
      {tabs.map((tab) => (
        <ChakraTabs.Content key={tab.name} value={tab.name} className={styles.content}>
          {tab.content}
        </ChakraTabs.Content>
      ))}
    </ChakraTabs.Root>
  );
}
