import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';

import styles from './Button.module.css';
import { classNames } from '../lib/class-names.ts';
import { Spinner } from './Spinner.tsx';
import { useKeepFocus } from './useKeepFocus.ts';

interface Look {
  /** At most one primary button per screen; 'danger' for actions that cannot be undone. */
  readonly variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly icon?: ReactNode;
  /** Full width on a phone, as a larger touch target. */
  readonly wide?: boolean;
}

function lookOf({ variant = 'secondary', wide = false }: Look, className?: string): string {
  return classNames(styles.button, styles[variant], wide && styles.wide, className);
}

export interface ButtonProps
  extends Omit<ComponentProps<'button'>, 'type' | 'onFocus' | 'onBlur'>, Look {
  readonly type?: 'button' | 'submit';
  /** Turned off by `aria-disabled`, so that the button keeps the focus and tells why it is off. */
  readonly disabled?: boolean;
  /** While the request runs, the button ignores clicks and keeps the focus; one with a text shows a spinner. */
  readonly pending?: boolean;
}

export function Button({ variant, icon, wide, className, children, ...rest }: ButtonProps) {
  return (
    <PlainButton {...rest} className={lookOf({ variant, wide }, className)}>
      {rest.pending ? <Spinner size={18} /> : icon}
      <span>{children}</span>
    </PlainButton>
  );
}

function PlainButton({ disabled, pending, type, onClick, ...rest }: Omit<ButtonProps, keyof Look>) {
  const isOff = disabled || pending;
  const keepFocus = useKeepFocus();
  return (
    <button
      {...rest}
      {...keepFocus}
      type={type === 'submit' ? 'submit' : 'button'}
      onClick={isOff ? doNothing : onClick}
      aria-disabled={isOff || undefined}
      aria-busy={pending || undefined}
    />
  );
}

function doNothing(event: MouseEvent): void {
  event.preventDefault();
}

/** The button that submits a form, below its fields. */
export function SubmitButton(props: Omit<ButtonProps, 'type' | 'variant' | 'wide'>) {
  return (
    <div>
      <Button {...props} type="submit" variant="primary" wide />
    </div>
  );
}

interface ButtonLinkProps extends Look {
  readonly to: string;
  readonly children: ReactNode;
  /** Shown as a disabled button, because a link has no disabled state. */
  readonly disabled?: boolean;
}

export function ButtonLink({ to, children, disabled = false, ...look }: ButtonLinkProps) {
  if (disabled) {
    return (
      <Button {...look} disabled>
        {children}
      </Button>
    );
  }
  return (
    <Link to={to} className={lookOf(look)}>
      {look.icon}
      <span>{children}</span>
    </Link>
  );
}

/** A link to a document from the server, in a new tab. */
export function ButtonAnchor(props: Look & { href: string; children: ReactNode }) {
  const { href, children, ...look } = props;
  return (
    <a href={href} target="_blank" rel="noreferrer" className={lookOf(look)}>
      {look.icon}
      <span>{children}</span>
    </a>
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'type' | 'aria-label' | keyof Look> {
  readonly label: string;
  readonly icon: ReactNode;
}

export function IconButton({ label, icon, className, ...rest }: IconButtonProps) {
  return (
    <PlainButton
      {...rest}
      aria-label={label}
      title={label}
      className={classNames(styles.iconButton, className)}
    >
      {icon}
    </PlainButton>
  );
}

interface IconLinkProps {
  readonly to: string;
  readonly label: string;
  readonly icon: ReactNode;
  /** Shown as a disabled button, because a link has no disabled state. */
  readonly disabled?: boolean;
}

export function IconLink({ disabled = false, ...props }: IconLinkProps) {
  if (disabled) return <IconButton label={props.label} icon={props.icon} disabled />;
  return (
    <Link to={props.to} aria-label={props.label} title={props.label} className={styles.iconButton}>
      {props.icon}
    </Link>
  );
}

export function IconAnchor(props: { href: string; label: string; icon: ReactNode }) {
  return (
    <a
      href={props.href}
      target="_blank"
      rel="noreferrer"
      aria-label={props.label}
      title={props.label}
      className={styles.iconButton}
    >
      {props.icon}
    </a>
  );
}
