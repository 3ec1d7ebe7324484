import { Component, type ReactNode } from 'react';
import { Problem } from './problem.js';

/** Shows a bug of a part of the page, or a script that cannot be loaded, in place of the part. */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Problem error={error} retry={() => location.reload()} />;
  }
}
