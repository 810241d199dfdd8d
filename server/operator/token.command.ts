import { readableEmail } from '../../domain/email.ts';
import { createApiToken } from '../account/session.service.ts';
import { listApiTokens, revokeApiToken } from '../account/token.repository.ts';
import { companyOf } from './company-of.ts';
import { commandOf, noAccount, OperatorError, readEmail, TEXT, UsageError } from './command.ts';

const DEFAULT_NAME = 'API';
/** Short enough for one line of `list`. */
const NAME_MAX = 100;

/** Manages personal tokens for programs that use the API in a user's name. */
export const tokenCommand = commandOf({
  usage: `npm run token -- create EMAIL [--name NAME] [--company UUID]
                                              make a token for the company; it is shown this once
npm run token -- list EMAIL                   the tokens of an account
npm run token -- revoke ID                    end a token, at once

With FEATURES=integrations users make tokens of their own, with scopes and a last day, at /profile/integrations/.`,

  options: { name: TEXT, company: TEXT },
  actions: {
    async create(context, { word, options }, output) {
      const name = readName(options.name);
      const { companyId, email } = await companyOf(
        context.db,
        { word, company: options.company },
        false,
      );
      const created = await createApiToken(context, { companyId, email, name });
      if (!created) throw noAccount(email);
      output.line(`Token ${created.id} of ${readableEmail(email)} (${name}), shown this once:`);
      output.line('');
      output.line(created.token);
      output.line('');
      output.line('A program sends it as the header  Authorization: Bearer <token>');
    },

    async list({ db }, { word }, output) {
      const email = readEmail(word);
      const tokens = await listApiTokens(db, email);
      if (!tokens) throw noAccount(email);
      if (tokens.length === 0) output.line(`${readableEmail(email)} has no tokens.`);
      for (const { id, name, createdAt, lastUsedAt } of tokens) {
        const use = lastUsedAt ? `used ${lastUsedAt.toISOString()} or later` : 'never used';
        output.line(`${id}  ${name}  made ${createdAt.toISOString()}, ${use}`);
      }
    },

    async revoke({ db }, { word: id = '' }, output) {
      if (!/^[1-9]\d{0,14}$/.test(id)) throw new UsageError('The number of a token is needed');
      if (!(await revokeApiToken(db, Number(id)))) {
        throw new OperatorError(`There is no token ${id}.`);
      }
      output.line(`Token ${id} works no more.`);
    },
  },
});

/** @throws UsageError for a name that would break the lines of `list` */
function readName(word: string | undefined): string {
  const name = (word ?? DEFAULT_NAME).trim();
  if (name === '' || name.length > NAME_MAX || /\p{Cc}/u.test(name)) {
    throw new UsageError(`A name has 1 to ${NAME_MAX} characters, and no line breaks`);
  }
  return name;
}
