// Where a YAML file of settings has a secret: in a file, or in a variable of the environment.
import * as z from 'zod'
import { readSecretFile } from './secret-files.ts'
import { expectation, type Setting } from './setting.ts'
import { trimmed } from './setting-values.ts'

export type Environment = Record<string, string | undefined>

const word = z.string('expected a text').min(1, 'expected a text').optional()

/** `{ file: PATH }` or `{ variable: NAME }`. */
export const secretPlace = z
  .strictObject({ file: word, variable: word }, 'expected { file: PATH } or { variable: NAME }')
  .refine(
    ({ file, variable }) => (file === undefined) !== (variable === undefined),
    'expected { file: PATH } or { variable: NAME }',
  )

type Found = ReturnType<typeof readSecretFile>

/** Parses it as the setting does; an issue never quotes it. */
export function readAs<T>(of: Pick<Setting<T>, 'read'>, found: Found, context: z.RefinementCtx): T {
  if (!found.ok) {
    context.addIssue(found.reason)
    return z.NEVER
  }
  try {
    return of.read(found.secret)
  } catch (error) {
    context.addIssue(expectation(error))
    return z.NEVER
  }
}

/** The secret there, or why there is none. */
export function textAt({ file = '', variable }: z.output<typeof secretPlace>, environment: Environment): Found {
  if (variable === undefined) return readSecretFile(file, trimmed)
  const secret = environment[variable]
  return secret
    ? { ok: true, secret }
    : { ok: false, reason: `expected the secret in the variable ${variable}, which is not set` }
}
