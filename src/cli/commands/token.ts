// `bellhop token rotate`: a new service token, by the service's own rotation, into the token file.
import { Command } from 'commander'
import { formatOption, plain, printAs } from '../output/terminal-text.ts'
import { connect } from '../service/connect.ts'
import { rotateToken } from '../service/rotate-token.ts'
import { type ConnectionFlags, withService } from '../service/service-options.ts'
import { TOKEN_FILE } from '../settings/service.ts'
import { settings } from '../settings/settings.ts'
import { UsageError } from '../user-error.ts'

interface Flags extends ConnectionFlags {
  expiresAt?: string
  format: 'text' | 'json'
}

const about = `
The service makes the new token and refuses the old one from then on (GitLab 16.10 and later; personal, project and group access tokens
with the scope api or self_rotate). The file is replaced in one step and keeps its owner. A running Bellhop that reads the file continues
with the new token: restart nothing. The token is never printed.

Without --expires-at the new token lasts as long as the present one was made for, a year at most.

Exit codes: 0 rotated, 1 not (the message says whether the old token still works), 2 wrong usage.

Example:
  $ BELLHOP_SERVICE_TOKEN_FILE=/etc/bellhop/token bellhop token rotate`

export function token(): Command {
  const rotate = withService(new Command('rotate'))
    .description('replace the service token, in its file')
    .option('--expires-at <date>', 'last until this date (YYYY-MM-DD)')
    .addOption(formatOption())
    .addHelpText('after', about)
    .action(run)
  return new Command().addCommand(rotate)
}

async function run(flags: Flags): Promise<void> {
  const { expiresAt, format } = flags
  const file = process.env[TOKEN_FILE] ?? ''
  if (expiresAt !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(expiresAt))
    throw new UsageError(`Expected a date such as 2027-01-31, found ${JSON.stringify(expiresAt)}.`)
  if (file === '')
    throw new UsageError(
      `${TOKEN_FILE} is missing: the new token is written into that file, and is not printed. Write the present token into a file for Bellhop alone (chmod 600), and name it there in place of ${settings.serviceToken.variable}.`,
    )
  const rotated = await rotateToken(connect(flags), { file, expiresAt })
  printAs(format, rotated, () => [plain(`${file} has the new token. ${untilText(rotated.expires_at)}`)])
}

const untilText = (date: string | null) =>
  date === null ? 'The service tells no expiry date.' : `It expires on ${date} (UTC).`
