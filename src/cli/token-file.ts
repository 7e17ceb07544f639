// The service's token out of a file, which may be replaced while the bot runs.
import { readFileSync } from 'node:fs'
import { apiToken } from './setting-texts.ts'
import { UserError } from './user-error.ts'

/**
 * Gives the token as it is now, the last good one while the file cannot be read. Reads the file before each request, so that it need not be told of a change. `onChange` hears of each new token before it is used, `onProblem` once
 * of a file that cannot be used any more. Throws UserError when it cannot be used at the start.
 */
export function openTokenFile(
  path: string,
  { onChange, onProblem }: { onChange: (token: string) => void; onProblem: (reason: string) => void },
): () => string {
  let last = read(path)
  if (!last.ok) throw new UserError(`BELLHOP_SERVICE_TOKEN_FILE: ${last.reason}`, { exitCode: 2 })
  let { token } = last
  onChange(token)
  return () => {
    const now = read(path)
    if (!now.ok) {
      if (last.ok) onProblem(now.reason)
    } else if (now.token !== token) {
      token = now.token
      onChange(token)
    }
    last = now
    return token
  }
}

/** The reason never quotes what is in the file. */
function read(path: string): { ok: true; token: string } | { ok: false; reason: string } {
  try {
    return { ok: true, token: apiToken(readFileSync(path, 'utf8')) }
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read'
    return { ok: false, reason: `expected a file with the token, but of ${path}: ${why}` }
  }
}
