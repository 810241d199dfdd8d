import { PageHeading } from '../../ui/Page.tsx';
import { LogoMark } from '../../ui/icons.tsx';
import { InvoiceDrawing } from '../components/InvoiceDrawing.tsx';
import { NewsletterForm } from '../components/NewsletterForm.tsx';
import styles from './LandingPage.module.css';

export function LandingPage() {
  return (
    <div className={styles.landing}>
      <title>Faktur – fakturaer, enkelt</title>
      <div className={styles.words}>
        <LogoMark size={56} />
        <PageHeading className={styles.heading ?? ''}>
          <span className={styles.together}>Fakturaer –</span> enkelt.
        </PageHeading>
        <p className={styles.lead}>
          Skriv fakturaen, send den på e-post og se når den er betalt. Laget for små bedrifter som
          heller vil gjøre jobben sin.
        </p>
        <NewsletterForm />
      </div>
      <InvoiceDrawing />
    </div>
  );
}
