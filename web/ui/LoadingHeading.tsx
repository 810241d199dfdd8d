/** The h1 of a screen that is not loaded yet, so that screen readers always find one. */
export function LoadingHeading() {
  return <h1 className="visually-hidden">Laster</h1>;
}
