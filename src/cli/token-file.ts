// The service's token as every command reads it: given itself, or out of a file, which may be replaced while the bot runs.
import { bothSet } from './config.ts'
import { readSecretFile } from './secret-files.ts'
import { apiToken } from './setting-texts.ts'
import { UserError } from './user-error.ts'

export interface TokenHearer {
  onChange: (token: string) => void
  onProblem: (reason: string) => void
}

/** Gives the token as it is now; the file's where one is named. Throws UserError where both are given, or the file cannot be used. */
export function serviceToken(given: { serviceToken: string; serviceTokenFile: string }, hearer: TokenHearer): () => string {
  const { serviceToken: token, serviceTokenFile: path } = given
  if (path === '') return () => token
  if (token !== '') throw new UserError(bothSet('BELLHOP_SERVICE_TOKEN'), { exitCode: 2 })
  return openTokenFile(path, hearer)
}

/**
 * Gives the token as it is now, the last good one while the file cannot be read. Reads the file before each request, so that it need not be told of a change. `onChange` hears of each new token before it is used, `onProblem` once
 * of a file that cannot be used any more. Throws UserError when it cannot be used at the start.
 */
export function openTokenFile(path: string, { onChange, onProblem }: TokenHearer): () => string {
  let last = readSecretFile(path, apiToken)
  if (!last.ok) throw new UserError(`BELLHOP_SERVICE_TOKEN_FILE: ${last.reason}`, { exitCode: 2 })
  let token = last.secret
  onChange(token)
  return () => {
    const now = readSecretFile(path, apiToken)
    if (!now.ok) {
      if (last.ok) onProblem(now.reason)
    } else if (now.secret !== token) {
      token = now.secret
      onChange(token)
    }
    last = now
    return token
  }
}
