import { Component, type ReactNode } from 'react';

import { Button } from '../ui/Button.tsx';
import styles from './ErrorBoundary.module.css';

interface Props {
  readonly pathname: string;
  readonly children: ReactNode;
}

interface State {
  readonly failed: boolean;
  /** The screen that the failure belongs to. */
  readonly pathname: string;
}

/**
 * A screen that breaks takes only itself down. Also reached when a screen's code cannot be loaded,
 * after a new version was put up or without a connection: loading the page again mends both.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false, pathname: this.props.pathname };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  // A key would do the same, but would also throw every screen away before the next one is here.
  static getDerivedStateFromProps({ pathname }: Props, state: State): State | null {
    return pathname === state.pathname ? null : { failed: false, pathname };
  }

  // React has caught the error, and error reports are made of what nobody catches.
  override componentDidCatch(error: unknown): void {
    window.reportError(error);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className={styles.failure} role="alert">
        <title>Noe gikk galt – Faktur</title>
        <h1 lang="en">An error has occurred</h1>
        <p>Siden kunne ikke vises. Last den på nytt for å prøve igjen.</p>
        <Button variant="primary" onClick={() => window.location.reload()}>
          Last siden på nytt
        </Button>
      </div>
    );
  }
}
