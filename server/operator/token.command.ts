import { readableEmail } from '../../domain/email.ts';
import { createApiToken, listApiTokens, revokeApiToken } from '../account/api-token.service.ts';
import {
  noAccount,
  OperatorError,
  readAction,
  readEmail,
  unknownAction,
  UsageError,
  type Command,
  type OperatorContext,
  type Output,
} from './command.ts';

const DEFAULT_NAME = 'API';
/** Short enough for one line of `list`. */
const NAME_MAX = 100;

/** Manages personal tokens for programs that use the API in a user's name. */
export const tokenCommand: Command = {
  usage: `npm run token -- create EMAIL [--name NAME]   make a token; it is shown this once
npm run token -- list EMAIL                   the tokens of an account
npm run token -- revoke ID                    end a token, at once`,

  async run(context, args, output) {
    const { action, word, options } = readAction(args, ['name']);
    switch (action) {
      case 'create':
        return create(context, readEmail(word), readName(options.name), output);
      case 'list':
        return list(context, readEmail(word), output);
      case 'revoke':
        return revoke(context, word ?? '', output);
      default:
        throw unknownAction(action);
    }
  },
};

/** @throws UsageError for a name that would break the lines of `list` */
function readName(word: string | undefined): string {
  const name = (word ?? DEFAULT_NAME).trim();
  if (name === '' || name.length > NAME_MAX || /\p{Cc}/u.test(name)) {
    throw new UsageError(`A name has 1 to ${NAME_MAX} characters, and no line breaks`);
  }
  return name;
}

async function create(
  context: OperatorContext,
  email: string,
  name: string,
  output: Output,
): Promise<number> {
  const created = await createApiToken(context, email, name);
  if (!created) throw noAccount(email);
  output.line(`Token ${created.id} of ${readableEmail(email)} (${name}), shown this once:`);
  output.line('');
  output.line(created.token);
  output.line('');
  output.line('A program sends it as the header  Authorization: Bearer <token>');
  return 0;
}

async function list({ db }: OperatorContext, email: string, output: Output): Promise<number> {
  const tokens = await listApiTokens(db, email);
  if (!tokens) throw noAccount(email);
  if (tokens.length === 0) output.line(`${readableEmail(email)} has no tokens.`);
  for (const { id, name, createdAt, lastUsedAt } of tokens) {
    const use = lastUsedAt ? `used ${lastUsedAt.toISOString()} or later` : 'never used';
    output.line(`${id}  ${name}  made ${createdAt.toISOString()}, ${use}`);
  }
  return 0;
}

async function revoke({ db }: OperatorContext, id: string, output: Output): Promise<number> {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new UsageError('The number of a token is needed');
  if (!(await revokeApiToken(db, Number(id)))) {
    throw new OperatorError(`There is no token ${id}.`);
  }
  output.line(`Token ${id} works no more.`);
  return 0;
}
