// The service token, given directly or in a file that may change while the bot runs.
import { UsageError } from '../user-error.ts'
import { bothSet } from './config.ts'
import { readSecretFile } from './secret-files.ts'
import { apiToken } from './setting-values.ts'

export interface TokenListener {
  onChange: (token: string) => void
  onProblem: (reason: string) => void
}

/** Returns the present token. Throws UsageError where token and file are both given, or the file cannot be used. */
export function serviceToken(
  given: { serviceToken: string; serviceTokenFile: string },
  listener: TokenListener,
): () => string {
  const { serviceToken: token, serviceTokenFile: path } = given
  if (path === '') return () => token
  if (token !== '') throw new UsageError(bothSet('BELLHOP_SERVICE_TOKEN'))
  return openTokenFile(path, listener)
}

/**
 * Reads the file at each request and keeps the previous token while the file cannot be used. Calls `onChange` with each new
 * token before its use, and `onProblem` once when the file becomes unusable. Throws UsageError when it is unusable at the start.
 */
export function openTokenFile(path: string, { onChange, onProblem }: TokenListener): () => string {
  let last = readSecretFile(path, apiToken)
  if (!last.ok) throw new UsageError(`BELLHOP_SERVICE_TOKEN_FILE: ${last.reason}`)
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
