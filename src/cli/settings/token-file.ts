// The service token in a file that may change while the bot runs.
import { UsageError } from '../user-error.ts'
import { readSecretFile } from './secret-files.ts'
import { TOKEN_FILE } from './service.ts'
import { apiToken } from './setting-values.ts'

interface TokenListener {
  onChange: (token: string) => void
  onProblem: (reason: string) => void
}

/**
 * Reads the file at each request; uses the previous token while the file is unusable. Calls `onChange` with each new
 * token before its use, and `onProblem` once the file becomes unusable. Throws UsageError if it is unusable at start.
 */
export function openTokenFile(path: string, { onChange, onProblem }: TokenListener): () => string {
  let last = readSecretFile(path, apiToken)
  if (!last.ok) throw new UsageError(`${TOKEN_FILE}: ${last.reason}`)
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
