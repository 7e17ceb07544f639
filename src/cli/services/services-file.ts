// The file of BELLHOP_SERVICES: several hosting services, each with address, token, secrets and limits.
import * as z from 'zod'
import { withoutUndefined } from '../../admin/api/inputs.ts'
import { readYaml } from '../../rules/language/yaml/yaml-text.ts'
import { problemAt, problemsOf, textProblem } from '../output/yaml-problems.ts'
import { type Environment, readAs, secretPlace, textAt } from '../settings/secret-place.ts'
import type { Setting } from '../settings/setting.ts'
import { type Config, settings } from '../settings/settings.ts'

export type ReadServices = { ok: true; services: Config[] } | { ok: false; problems: string[] }

/**
 * The file's settings of each service, with `common` as defaults. Problems are `FILE:LINE:COLUMN: place: …`, without secrets.
 * No two services may share a name or a hook secret.
 */
export function readServices(
  text: string,
  given: { file: string; common: Config; environment: Environment },
): ReadServices {
  const { file, common, environment } = given
  const read = readYaml(text)
  if (!read.ok) return { ok: false, problems: read.problems.map((each) => textProblem(each, file)) }
  const where = { yaml: read.yaml, file }
  const checked = documentOf(environment).safeParse(read.yaml.value ?? {})
  if (!checked.success) return { ok: false, problems: problemsOf(checked.error, where) }
  const services = checked.data.services.map(
    ({ token, hook_secret = [], signing_secret = [], hook_master_key = [], ...entry }) => ({
      ...common,
      ...{ serviceName: entry.name, serviceUrl: entry.url, serviceToken: '', serviceTokenFile: '', ...token },
      ...{ hookSecrets: hook_secret, signingSecrets: signing_secret, hookMasterKeys: hook_master_key },
      ...withoutUndefined({
        ...{
          serviceTokenKind: entry.token_kind,
          proxy: entry.proxy,
          caFile: entry.ca_file,
          hooksUrl: entry.hooks_url,
          rulesFolder: entry.rules,
          mode: entry.mode,
        },
        ...{ newRuleLimit: entry.new_rule_limit, offLabel: entry.off_label, concurrency: entry.concurrency },
        ...{ sweepEveryMs: entry.sweep_every, sweepCalls: entry.sweep_calls },
      }),
    }),
  )
  const problems = services.flatMap((each, at) =>
    wrongIn(each, services.slice(0, at)).map(([key, message]) => problemAt(['services', at, key], message, where)),
  )
  return problems.length > 0 ? { ok: false, problems } : { ok: true, services }
}

/** Problems by key that need more than one field. */
function wrongIn(service: Config, before: readonly Config[]): [string, string][] {
  const wrong: [string, string][] = []
  // Case-insensitive, as addresses and people are.
  const isTaken = before.some(({ serviceName }) => serviceName.toLowerCase() === service.serviceName.toLowerCase())
  if (isTaken) wrong.push(['name', 'expected a name of its own'])
  const others = new Set(before.flatMap(secretsOf))
  for (const [key, secrets] of Object.entries(hookKeys))
    if (secrets(service).some((each) => others.has(each))) wrong.push([key, 'expected a secret of its own'])
  if (service.only !== 'worker' && secretsOf(service).length === 0)
    wrong.push([
      'name',
      `expected ${Object.keys(hookKeys).join(', ')} next to it: without a secret anyone could send deliveries`,
    ])
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
    'expected up to 100 letters, digits, dots and dashes, not only digits, for /hooks/<name>',
  )
function documentOf(environment: Environment) {
  const secret = <T>(of: Setting<T>) =>
    secretPlace.transform((where, context) => readAs(of, textAt(where, environment), context)).optional()
  const entry = z.strictObject({
    name,
    url: plain(settings.serviceUrl),
    token: secretPlace.transform((where, context) => {
      // The file is read before each request.
      const text = textAt(where, environment)
      const token = readAs(settings.serviceToken, text, context)
      return where.file === undefined ? { serviceToken: token } : { serviceTokenFile: where.file }
    }),
    hook_secret: secret(settings.hookSecrets),
    signing_secret: secret(settings.signingSecrets),
    hook_master_key: secret(settings.hookMasterKeys),
    token_kind: plain(settings.serviceTokenKind).optional(),
    proxy: plain(settings.proxy)
      .refine(
        (text) => !text.includes('@'),
        'expected an address without a password: for one, write environment and set HTTPS_PROXY',
      )
      .optional(),
    ca_file: plain(settings.caFile).optional(),
    hooks_url: plain(settings.hooksUrl).optional(),
    rules: plain(settings.rulesFolder).optional(),
    mode: plain(settings.mode).optional(),
    new_rule_limit: plain(settings.newRuleLimit).optional(),
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
