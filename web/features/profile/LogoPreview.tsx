import { formatOrgNumber } from '../../../domain/parties.ts';
import type { Profile } from '../../../domain/profile/profile.schema.ts';
import { logoAddress } from './profile.api.ts';
import styles from './LogoCard.module.css';

/** The head of an invoice with the logo. */
export function LogoPreview({ logo, profile }: { logo: string; profile: Profile }) {
  const { companyName, orgNumber, billingAddress1, billingPostalCode, billingCity } = profile;
  const place = [billingPostalCode, billingCity].filter(Boolean).join(' ');
  const number = orgNumber === null ? null : `Org.nr ${formatOrgNumber(orgNumber)}`;
  return (
    <div className={styles.paper}>
      <div className={styles.left}>
        <span className={styles.box}>
          <img key={logo} className={styles.logo} src={logoAddress(logo)} alt="Logoen din" />
        </span>
        <span className={styles.heading} aria-hidden="true">
          FAKTURA
        </span>
      </div>
      <div className={styles.seller} aria-hidden="true">
        <strong>{companyName ?? 'Bedriften din'}</strong>
        {[billingAddress1, place, number].filter(Boolean).map((line) => (
          <span key={line}>{line}</span>
        ))}
      </div>
    </div>
  );
}
