// The file of BELLHOP_SERVICES: the hosting services that one process works for, each with its address, token, secrets and limits (docs/decisions/0025).
import * as z from 'zod'
import { withoutUndefined } from '../../admin/inputs.ts'
import { readYaml } from '../../rules/yaml-text.ts'
import { readSecretFile } from '../secret-files.ts'
import { trimmed } from '../setting-texts.ts'
import type { Setting } from '../settings/setting.ts'
import { type Config, settings } from '../settings.ts'
import { problemAt, problemsOf, textProblem } from '../yaml-problems.ts'

type Environment = Record<string, string | undefined>

export type ReadServices = { ok: true; services: Config[] } | { ok: false; problems: string[] }

/**
 * The settings of each service: what the file says of it, and else what `common` says. Each problem is `FILE:LINE:COLUMN: place: …` and shows no
 * secret. Two services may share neither name nor secret of hooks: what one knows must open no other.
 */
export function readServices(text: string, given: { file: string; common: Config; environment: Environment }): ReadServices {
  const { file, common, environment } = given
  const read = readYaml(text)
  if (!read.ok) return { ok: false, problems: read.problems.map((each) => textProblem(each, file)) }
  const where = { yaml: read.yaml, file }
  const checked = documentOf(environment).safeParse(read.yaml.value ?? {})
  if (!checked.success) return { ok: false, problems: problemsOf(checked.error, where) }
  const services = checked.data.services.map(({ token, hook_secret = [], signing_secret = [], hook_master_key = [], ...entry }) => ({
    ...common,
    ...{ serviceName: entry.name, serviceUrl: entry.url, serviceToken: '', serviceTokenFile: '', ...token },
    ...{ hookSecrets: hook_secret, signingSecrets: signing_secret, hookMasterKeys: hook_master_key },
    ...withoutUndefined({
      ...{ proxy: entry.proxy, caFile: entry.ca_file, hooksUrl: entry.hooks_url, rulesFolder: entry.rules, mode: entry.mode },
      ...{ brake: entry.brake, offLabel: entry.off_label, concurrency: entry.concurrency },
      ...{ sweepEveryMs: entry.sweep_every, sweepCalls: entry.sweep_calls },
    }),
  }))
  const problems = services.flatMap((each, at) =>
    wrongIn(each, services.slice(0, at)).map(([key, message]) => problemAt(['services', at, key], message, where)),
  )
  return problems.length > 0 ? { ok: false, problems } : { ok: true, services }
}

/** What one entry alone cannot tell, by its keys. */
function wrongIn(service: Config, before: readonly Config[]): [string, string][] {
  const wrong: [string, string][] = []
  // In logs, metrics and addresses two that differ in case alone would be mistaken for each other.
  const isTaken = before.some(({ serviceName }) => serviceName.toLowerCase() === service.serviceName.toLowerCase())
  if (isTaken) wrong.push(['name', 'expected a name that no other service has'])
  const others = new Set(before.flatMap(secretsOf))
  for (const [key, secrets] of Object.entries(hookKeys))
    if (secrets(service).some((each) => others.has(each))) wrong.push([key, 'expected a secret that no other service has'])
  if (service.only !== 'worker' && secretsOf(service).length === 0)
    wrong.push(['name', `expected ${Object.keys(hookKeys).join(', ')} or several beside it: a hook without a secret lets anyone in`])
  return wrong
}

const hookKeys = {
  hook_secret: ({ hookSecrets }: Config) => hookSecrets,
  signing_secret: ({ signingSecrets }: Config) => signingSecrets,
  hook_master_key: ({ hookMasterKeys }: Config) => hookMasterKeys,
}
const secretsOf = (service: Config) => Object.values(hookKeys).flatMap((of) => of(service))

const name = z
  .string('expected a name')
  .regex(
    /^(?!\d+$)[A-Za-z0-9.-]{1,100}$/,
    'expected up to 100 letters, digits, dots and dashes, and not digits alone, as it stands in /hooks/<name>',
  )
const word = z.string('expected a text').min(1, 'expected a text').optional()
const place = z
  .strictObject({ file: word, variable: word }, 'expected { file: PATH } or { variable: NAME }')
  .refine(({ file, variable }) => (file === undefined) !== (variable === undefined), 'expected { file: PATH } or { variable: NAME }')

function documentOf(environment: Environment) {
  const secret = <T>(of: Setting<T>) => place.transform((where, context) => readAs(of, textAt(where, environment), context)).optional()
  const entry = z.strictObject({
    name,
    url: plain(settings.serviceUrl),
    token: place.transform((where, context) => {
      // A file is read again before each request.
      const text = textAt(where, environment)
      const token = readAs(settings.serviceToken, text, context)
      return where.file === undefined ? { serviceToken: token } : { serviceTokenFile: where.file }
    }),
    hook_secret: secret(settings.hookSecrets),
    signing_secret: secret(settings.signingSecrets),
    hook_master_key: secret(settings.hookMasterKeys),
    proxy: plain(settings.proxy)
      .refine((text) => !text.includes('@'), 'expected an address without a password: with one, say environment here, and set HTTPS_PROXY')
      .optional(),
    ca_file: plain(settings.caFile).optional(),
    hooks_url: plain(settings.hooksUrl).optional(),
    rules: plain(settings.rulesFolder).optional(),
    mode: plain(settings.mode).optional(),
    brake: plain(settings.brake).optional(),
    off_label: plain(settings.offLabel).optional(),
    concurrency: plain(settings.concurrency).optional(),
    sweep_every: plain(settings.sweepEveryMs).optional(),
    sweep_calls: plain(settings.sweepCalls).optional(),
  })
  return z.strictObject({
    version: z.literal(1, 'expected the version 1'),
    services: z.array(entry, 'expected a list of services').min(1, 'expected at least one service'),
  })
}

const plain = <T>(of: Setting<T>) =>
  z
    .union([z.string(), z.number()], 'expected a text')
    .transform((value, context) => readAs(of, { ok: true, secret: String(value) }, context))

type Found = ReturnType<typeof readSecretFile>

/** Reads it as the setting is read; never shown, as it may be a secret. */
function readAs<T>(of: Setting<T>, found: Found, context: z.RefinementCtx): T {
  if (!found.ok) {
    context.addIssue(found.reason)
    return z.NEVER
  }
  try {
    return of.read(found.secret)
  } catch (error) {
    context.addIssue(`expected ${error instanceof Error ? error.message : 'another value'}`)
    return z.NEVER
  }
}

function textAt({ file = '', variable }: z.output<typeof place>, environment: Environment): Found {
  if (variable === undefined) return readSecretFile(file, trimmed)
  const secret = environment[variable]
  return secret ? { ok: true, secret } : { ok: false, reason: `expected the secret in the variable ${variable}, which is not set` }
}
