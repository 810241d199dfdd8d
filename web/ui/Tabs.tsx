import { Activity, useId, useState, type KeyboardEvent, type ReactNode } from 'react';

import styles from './Tabs.module.css';

interface Tab {
  readonly name: string;
  readonly label: string;
  readonly content: ReactNode;
}

/** Tabs of which the arrow keys, Home and End choose another. What is typed in a hidden one stays. */
export function Tabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const choose = (event: KeyboardEvent<HTMLElement>) => {
    const places = { ArrowLeft: chosen - 1, ArrowRight: chosen + 1, Home: 0, End: -1 };
    const place = places[event.key as keyof typeof places];
    if (place === undefined) return;
    event.preventDefault();
    const next = (place + tabs.length) % tabs.length;
    setChosen(next);
    event.currentTarget.parentElement?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div className="stack gap-4">
      <div role="tablist" aria-label={label} className={styles.list}>
        {tabs.map((tab, index) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}${tab.name}`}
            aria-controls={`${id}${tab.name}-panel`}
            aria-selected={index === chosen}
            tabIndex={index === chosen ? 0 : -1}
            className={styles.tab}
            onClick={() => setChosen(index)}
            onKeyDown={choose}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab, index) => (
        <Activity key={tab.name} mode={index === chosen ? 'visible' : 'hidden'}>
          <div role="tabpanel" id={`${id}${tab.name}-panel`} aria-labelledby={`${id}${tab.name}`}>
            {tab.content}
          </div>
        </Activity>
      ))}
    </div>
  );
}
