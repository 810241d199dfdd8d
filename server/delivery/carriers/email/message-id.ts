import type { Config } from '../../../config.ts';
import { keyedHash } from '../../../platform/crypto.ts';
import { messageIdOf } from '../../../platform/mail/outgoing-mail.ts';

/** How many bytes of a Message-ID say whose the mail is. */
const BYTES = 8;
/** `<uuid.company@host>`, and as it was before mails said whose they are: `<uuid@host>`. */
const MESSAGE_ID = /^<(?<uuid>[0-9a-f-]{36})\.(?<company>[0-9a-f]{16})@/;

type Keeper = Pick<Config, 'secretKey'>;

/**
 * The Message-ID of a delivery (DEL-12). It says whose the delivery is, to us: what comes back is then looked for
 * where that company's rows are. To others it is random, as its uuid is: a number would say how many
 * companies there are.
 */
export function messageIdOfDelivery(
  config: Pick<Config, 'secretKey' | 'publicUrl'>,
  { companyId, uuid }: { readonly companyId: number; readonly uuid: string },
): string {
  const company = Buffer.alloc(BYTES);
  company.writeBigUInt64BE(BigInt(companyId));
  const hidden = covered(config, uuid, company).toString('hex');
  return messageIdOf(`${uuid}.${hidden}`, config);
}

/**
 * The company in a Message-ID. Null for one of an older version or of another SECRET_KEY. Anybody can make
 * one up: the delivery that it leads to must have that very Message-ID.
 */
export function companyInMessageId(config: Keeper, messageId: string): number | null {
  const { uuid, company } = MESSAGE_ID.exec(messageId)?.groups ?? {};
  if (uuid === undefined || company === undefined) return null;
  const companyId = Number(covered(config, uuid, Buffer.from(company, 'hex')).readBigUInt64BE());
  return Number.isSafeInteger(companyId) ? companyId : null;
}

/** Covers what is there, and uncovers what was covered: no two mails have one uuid. */
function covered({ secretKey }: Keeper, uuid: string, bytes: Buffer): Buffer {
  const cover = keyedHash(secretKey, 'message-id', uuid);
  return Buffer.from(bytes.map((byte, index) => byte ^ (cover[index] ?? 0)));
}
