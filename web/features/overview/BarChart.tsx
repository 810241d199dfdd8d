import { formatSum } from '../../../domain/money.ts';
import styles from './BarChart.module.css';

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Drawn paler before the bar, such as the value of the year before. */
  readonly before?: number;
}

const HEIGHT = 100;
/** So few bars are not wider than those of more. */
const PLACES_MIN = 6;
/** A share of the width of a place, which is 1. */
const WIDTH = 0.36;

/** Bars for those who see them; the table beside it has the same numbers. */
export function BarChart({ bars }: { bars: readonly Bar[] }) {
  const values = bars.flatMap(({ value, before = 0 }) => [value, before]);
  const top = Math.max(0, ...values);
  const bottom = Math.min(0, ...values);
  const places = Math.max(bars.length, PLACES_MIN);
  const scale = HEIGHT / (top - bottom || 1);
  const zero = top * scale;
  const draw = (value: number, x: number, width: number, isBefore = false) => (
    <rect
      x={x}
      y={value < 0 ? zero : zero - value * scale}
      width={width}
      height={Math.abs(value) * scale}
      fill={isBefore ? 'var(--accent-line)' : 'var(--accent)'}
    />
  );
  return (
    <div aria-hidden="true">
      <p className="aside numeric">{top > 0 ? formatSum(top) : null}</p>
      <svg
        width="100%"
        height="200"
        viewBox={`0 0 ${places} ${HEIGHT}`}
        preserveAspectRatio="none"
        overflow="visible"
      >
        {bars.map(({ label, value, before }, index) =>
          before === undefined ? (
            <g key={label}>{draw(value, index + 0.2, 0.6)}</g>
          ) : (
            <g key={label}>
              {draw(before, index + 0.5 - WIDTH, WIDTH, true)}
              {draw(value, index + 0.5, WIDTH)}
            </g>
          ),
        )}
        {[0, zero].map((y) => (
          <line
            key={y}
            x2={places}
            y1={y}
            y2={y}
            stroke={y === zero ? 'var(--line-strong)' : 'var(--line)'}
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      <div
        className={`aside ${styles.labels}`}
        style={{ gridTemplateColumns: `repeat(${places}, minmax(0, 1fr))` }}
      >
        {bars.map(({ label }) => (
          <span key={label}>{label}</span>
        ))}
      </div>
    </div>
  );
}
