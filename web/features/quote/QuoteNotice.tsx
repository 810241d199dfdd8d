import { formatDate, todayInOslo } from '../../../domain/date.ts';
import { readableEmail } from '../../../domain/email.ts';
import type { Quote } from '../../../domain/quote/quote.schema.ts';
import { showDay } from '../../lib/date-text.ts';
import { paths } from '../../lib/paths.ts';
import { ButtonAnchor } from '../../ui/Button.tsx';
import { FileIcon } from '../../ui/icons.tsx';
import { Alert } from '../../ui/Surface.tsx';

/** How a quote stands and what that means, above everything else (QUO-72). */
export function QuoteNotice({ quote }: { quote: Quote }) {
  return (
    <>
      <NotArrived quote={quote} />
      <Standing quote={quote} />
      <CustomerGone quote={quote} />
    </>
  );
}

function Standing({ quote }: { quote: Quote }) {
  const { state, customerName, validUntil } = quote;
  const lastDay = formatDate(validUntil);
  switch (state) {
    case 'DRAFT':
      return <OfDraft quote={quote} />;
    case 'SENT':
      return (
        <Alert title={`Venter på svar fra ${customerName}`}>
          Kunden kan svare på nettet til og med {lastDay}.
        </Alert>
      );
    case 'EXPIRED':
      return (
        <Alert tone="warning" title={`Tilbudet gikk ut ${lastDay}`}>
          Kunden kan ikke svare lenger. Lag en ny versjon med ny dato, eller marker det som godtatt
          hvis kunden har sagt ja.
        </Alert>
      );
    case 'DECLINED':
      return (
        <Alert tone="warning" title={`Avslått${dayText(quote)}`}>
          <AnswerNote quote={quote} />
        </Alert>
      );
    case 'WITHDRAWN':
      return <Alert>Tilbudet er trukket tilbake, og kan ikke godtas.</Alert>;
    default:
      return (
        <Alert
          tone="success"
          title={`Godtatt av ${quote.answeredBy ?? customerName}${dayText(quote)}`}
          action={
            <ButtonAnchor href={paths.quotePdf(quote.uuid, 'confirmation/')} icon={<FileIcon />}>
              Vis ordrebekreftelse
            </ButtonAnchor>
          }
        >
          <AnswerNote quote={quote} />
        </Alert>
      );
  }
}

function dayText({ answeredAt }: Quote): string {
  return answeredAt === null ? '' : ` ${showDay(answeredAt)}`;
}

function AnswerNote({ quote: { answerNote, answeredHow } }: { quote: Quote }) {
  return (
    <>
      {answeredHow === 'LINK' ? 'Kunden svarte på nettet.' : 'Registrert for hånd.'}
      {answerNote === null ? null : <p className="lines">«{answerNote}»</p>}
    </>
  );
}

const OF_SENT = {
  SENT: 'Kunden kan svare på den som er sendt, til du sender denne.',
  EXPIRED: 'Den som er sendt, har gått ut.',
  DECLINED: 'Den som er sendt, ble avslått.',
} as const;

function OfDraft({ quote }: { quote: Quote }) {
  const { revision, sentRevision, sentState, validUntil, grossAmount } = quote;
  return (
    <>
      {sentRevision === null || sentState === null ? null : (
        <Alert title={`Utkast til versjon ${revision}`}>{OF_SENT[sentState]}</Alert>
      )}
      {validUntil < todayInOslo() ? (
        <Alert tone="warning" title="Datoen er passert">
          Tilbudet er gyldig til og med {formatDate(validUntil)}, og kan ikke sendes slik.
        </Alert>
      ) : null}
      {grossAmount < 0 ? (
        <Alert tone="warning" title="Summen er negativ">
          Et tilbud der kunden skal ha penger, kan ikke sendes.
        </Alert>
      ) : null}
    </>
  );
}

/** A further version is for the customer that the quote has. */
function CustomerGone({ quote: { customerNumber, customerName, state } }: { quote: Quote }) {
  if (customerNumber !== null || (state !== 'EXPIRED' && state !== 'DECLINED')) return null;
  return (
    <Alert title={`${customerName} er slettet`}>
      Det kan ikke lages en ny versjon. Kopier tilbudet til en annen kunde i stedet.
    </Alert>
  );
}

/** The latest mail did not arrive. */
function NotArrived({ quote: { deliveries, state } }: { quote: Quote }) {
  const [last] = deliveries;
  if (last?.status !== 'FAILED' || state === 'WITHDRAWN') return null;
  const to = last.recipients.map(({ address }) => readableEmail(address)).join(', ');
  return (
    <Alert tone="error" title={`E-posten til ${to} kom ikke fram`}>
      {last.failureReason}
    </Alert>
  );
}
