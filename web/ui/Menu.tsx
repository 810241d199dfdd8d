import { Menu as ArkMenu } from '@ark-ui/react/menu';
import type { ReactNode } from 'react';

import { CheckIcon } from './icons.tsx';
import styles from './Menu.module.css';

interface MenuProps {
  /** The button's accessible name. */
  readonly label: string;
  readonly className: string;
  readonly items: readonly { readonly value: string; readonly text: string }[];
  readonly chosen: string;
  /** Called when another item is chosen. */
  readonly onChoose: (value: string) => void;
  /** On the button. */
  readonly children: ReactNode;
}

/** A button with a menu in which one item is chosen. */
export function Menu({ label, className, items, chosen, onChoose, children }: MenuProps) {
  return (
    <ArkMenu.Root positioning={{ placement: 'bottom-end' }} lazyMount unmountOnExit>
      <ArkMenu.Trigger className={className} aria-label={label} title={label}>
        {children}
      </ArkMenu.Trigger>
      <ArkMenu.Positioner>
        <ArkMenu.Content className={`floating ${styles.content}`}>
          <ArkMenu.RadioItemGroup
            value={chosen}
            onValueChange={({ value }) => {
              if (value !== chosen) onChoose(value);
            }}
          >
            {items.map(({ value, text }) => (
              <ArkMenu.RadioItem key={value} value={value} className={`row between ${styles.item}`}>
                <ArkMenu.ItemText>{text}</ArkMenu.ItemText>
                <ArkMenu.ItemIndicator>
                  <CheckIcon />
                </ArkMenu.ItemIndicator>
              </ArkMenu.RadioItem>
            ))}
          </ArkMenu.RadioItemGroup>
        </ArkMenu.Content>
      </ArkMenu.Positioner>
    </ArkMenu.Root>
  );
}
