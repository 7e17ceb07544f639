// Secrets out of files, as container platforms hand them over: for every secret setting X, X_FILE may name a file in its place.
import { readFileSync } from 'node:fs'
import { bothSet } from './config.ts'
import { trimmed } from './setting-texts.ts'
import type { Setting } from './settings/setting.ts'
import { settings } from './settings.ts'
import { UserError } from './user-error.ts'

/** The variable that names a secret's file. The service token's is a setting of its own: that file is read again while the bot runs. */
export function fileVariable({ variable, secret, insteadOf }: Setting<unknown>): string | undefined {
  return secret === true && insteadOf === undefined ? `${variable}_FILE` : undefined
}

/** Puts the secrets into the environment in place of the names of their files. Throws UserError, which never says what is in a file. */
export function readSecretFiles(environment: Record<string, string | undefined>): void {
  for (const each of Object.values<Setting<unknown>>(settings)) {
    const name = fileVariable(each)
    const path = name === undefined ? undefined : environment[name]
    if (name === undefined || path === undefined) continue
    delete environment[name]
    if (path === '') continue
    if (environment[each.variable]) throw new UserError(bothSet(each.variable), { exitCode: 2 })
    const read = readSecretFile(path, trimmed)
    if (!read.ok) throw new UserError(`${name}: ${read.reason}`, { exitCode: 2 })
    environment[each.variable] = read.secret
  }
}

/** What is in the file now. The reason never quotes it. */
export function readSecretFile(
  path: string,
  parse: (text: string) => string,
): { ok: true; secret: string } | { ok: false; reason: string } {
  try {
    return { ok: true, secret: parse(readFileSync(path, 'utf8')) }
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read'
    return { ok: false, reason: `expected a file with the secret, but of ${path}: ${why}` }
  }
}
