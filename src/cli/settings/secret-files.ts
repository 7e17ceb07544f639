// Reads secrets from files, as container platforms provide them: X_FILE names a file in place of the secret setting X.
import { readFileSync } from 'node:fs'
import { UsageError } from '../user-error.ts'
import { bothSet } from './config.ts'
import type { Setting } from './setting.ts'
import { trimmed } from './setting-values.ts'
import { settings } from './settings.ts'

/** The service token's file is a setting of its own, because it is read again while the bot runs. */
export function fileVariable({ variable, secret, insteadOf }: Setting<unknown>): string | undefined {
  return secret === true && insteadOf === undefined ? `${variable}_FILE` : undefined
}

/** Replaces the file variables in the environment by the secrets. Throws UsageError without the secret. */
export function readSecretFiles(environment: Record<string, string | undefined>): void {
  for (const each of Object.values<Setting<unknown>>(settings)) {
    const name = fileVariable(each)
    const path = name === undefined ? undefined : environment[name]
    if (name === undefined || path === undefined) continue
    delete environment[name]
    if (path === '') continue
    if (environment[each.variable]) throw new UsageError(bothSet(each.variable))
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
