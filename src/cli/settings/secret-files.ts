// Reads secrets from files, as container platforms provide them: X_FILE names a file in place of the secret setting X.
import { readFileSync } from 'node:fs'
import { UsageError } from '../user-error.ts'
import { TOKEN_FILE } from './service.ts'
import { apiToken, type Setting, trimmed } from './setting.ts'
import { settings } from './settings.ts'

export function fileVariable({ variable, secret }: Setting<unknown>): string | undefined {
  return secret === true ? `${variable}_FILE` : undefined
}

/**
 * Replaces the file variables in the environment by the secrets; that of the service token stays as well. Throws
 * UsageError without the secret.
 */
export function readSecretFiles(environment: Record<string, string | undefined>): void {
  for (const each of Object.values<Setting<unknown>>(settings)) {
    const name = fileVariable(each)
    const path = name === undefined ? undefined : environment[name]
    if (name === undefined || path === undefined) continue
    if (name !== TOKEN_FILE) delete environment[name]
    if (path === '') continue
    if (environment[each.variable]) throw new UsageError(`${each.variable} and ${name} are both set. Set only one.`)
    const read = readSecretFile(path, trimmed)
    if (!read.ok) throw new UsageError(`${name}: ${read.reason}`)
    environment[each.variable] = read.secret
  }
}

/** The reason never quotes the file. */
export function readSecretFile(
  path: string,
  parse: (text: string) => string,
): { ok: true; secret: string } | { ok: false; reason: string } {
  try {
    return { ok: true, secret: parse(readFileSync(path, 'utf8')) }
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read'
    return { ok: false, reason: `expected a file with the secret, but ${path}: ${why}` }
  }
}

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
