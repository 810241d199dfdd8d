import { Component, type ReactNode } from 'react';

import { Button } from '../../ui/Button.tsx';
import styles from './ErrorBoundary.module.css';

interface Props {
  /** The navigation that led to the screen: the same link may help at the next press. */
  readonly navigation: string;
  readonly children: ReactNode;
}

interface State {
  readonly failed: boolean;
  /** The one that the failure belongs to. */
  readonly navigation: string;
}

/**
 * Shown instead of a screen that crashed, or whose code cannot be loaded because there is a new version or
 * no connection: a reload helps with both.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false, navigation: this.props.navigation };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  // A key would do the same, but would also remove a screen before the next one is loaded.
  static getDerivedStateFromProps({ navigation }: Props, state: State): State | null {
    return navigation === state.navigation ? null : { failed: false, navigation };
  }

  // React has caught the error, and only uncaught errors are reported.
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
