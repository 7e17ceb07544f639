// The settings of one of several hosting services.
import { readConfig } from '../settings/config.ts'
import { type Config, settings } from '../settings/settings.ts'
import { UsageError } from '../user-error.ts'
import { configOfEach } from './config-of-each.ts'

export interface ChosenService {
  config: Config
  /** Its name, where it is one of several. */
  service?: string
}

/** Returns the named service's settings, or the only one's. Throws UsageError where ambiguous. */
export async function chosenService(common: Config, name: string | undefined): Promise<ChosenService> {
  const all = await configOfEach(common, process.env)
  const found = name === undefined && all.length === 1 ? all[0] : all.find(({ serviceName }) => serviceName === name)
  if (found !== undefined) return { config: found, ...(all.length === 1 ? {} : { service: found.serviceName }) }
  if (common.services === '')
    throw new UsageError(
      `There is no service "${name}": --service needs a file of several (${settings.services.variable}).`,
    )
  const names = all.map(({ serviceName }) => serviceName).join(', ')
  const problem =
    name === undefined
      ? 'Several hosting services are configured.'
      : `There is no service "${name}" in ${common.services}.`
  throw new UsageError(`${problem} Choose one with --service: ${names}.`)
}

/** The named service's settings as command options. Throws UsageError. */
export async function flagsOfChosen(
  services: string,
  name: string | undefined,
): Promise<Record<string, string | undefined>> {
  const read = readConfig(process.env, { services })
  if (!read.ok) throw new UsageError(read.problems.join('\n'))
  return flagsOf(await chosenService(read.config, name))
}

function flagsOf({ config, service }: ChosenService): Record<string, string | undefined> {
  return {
    ...{ service, serviceUrl: config.serviceUrl, proxy: config.proxy || undefined, caFile: config.caFile },
    ...{ rulesFolder: config.rulesFolder, mode: config.mode },
    ...{ serviceToken: config.serviceToken, serviceTokenFile: config.serviceTokenFile },
    serviceTokenKind: config.serviceTokenKind,
    ...{
      hookSecret: config.hookSecrets.join(),
      signingSecret: config.signingSecrets.join(),
      hookMasterKey: config.hookMasterKeys.join(),
    },
    ...(config.hooksUrl === '' ? {} : { url: config.hooksUrl }),
  }
}
