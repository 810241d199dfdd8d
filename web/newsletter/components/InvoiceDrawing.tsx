import styles from './InvoiceDrawing.module.css';

const LINES = [
  { left: 150, amount: '12 500,00', top: 250 },
  { left: 108, amount: '3 200,00', top: 286 },
  { left: 176, amount: '890,00', top: 322 },
];

/** An invoice on the desk, for the eye alone. */
export function InvoiceDrawing() {
  return (
    <figure className={styles.drawing} aria-hidden="true">
      <svg viewBox="0 0 420 540" className={styles.paper}>
        <rect x="20" y="14" width="380" height="512" rx="14" fill="#fff" />
        <rect x="56" y="56" width="36" height="36" rx="9" fill="#1d5c4a" />
        <path
          d="M69 83V65h12M69 74h9"
          fill="none"
          stroke="#fff"
          strokeWidth="3.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
        <text x="364" y="82" textAnchor="end" className={styles.title}>
          Faktura 1042
        </text>
        <g fill="#e5e1d8">
          <rect x="56" y="128" width="120" height="8" rx="4" />
          <rect x="56" y="146" width="88" height="8" rx="4" />
          <rect x="56" y="164" width="104" height="8" rx="4" />
          <rect x="264" y="128" width="100" height="8" rx="4" />
          <rect x="292" y="146" width="72" height="8" rx="4" />
        </g>
        <path d="M56 218h308" stroke="#e5e1d8" />
        {LINES.map((line) => (
          <g key={line.top}>
            <rect x="56" y={line.top - 8} width={line.left} height="8" rx="4" fill="#cfcabf" />
            <text x="364" y={line.top} textAnchor="end" className={styles.amount}>
              {line.amount}
            </text>
          </g>
        ))}
        <path d="M56 350h308" stroke="#e5e1d8" />
        <text x="56" y="386" className={styles.label}>
          Å betale
        </text>
        <text x="364" y="388" textAnchor="end" className={styles.total}>
          20 737,50
        </text>
        <g transform="translate(56 430)">
          <rect width="112" height="44" rx="22" fill="#e2f3e6" />
          <path
            d="m20 22 5 5 9-10"
            fill="none"
            stroke="#1b6b3a"
            strokeWidth="2.5"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
          <text x="44" y="28" className={styles.paid}>
            Betalt
          </text>
        </g>
      </svg>
    </figure>
  );
}
