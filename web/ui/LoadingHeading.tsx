/** The h1 while a screen loads, so that screen readers always find one. */
export function LoadingHeading() {
  return <h1 className="visually-hidden">Laster</h1>;
}
