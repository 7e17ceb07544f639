// The settings of one hosting service, where the file of BELLHOP_SERVICES names several.
import { readConfig } from '../config.ts'
import { type Config, settings } from '../settings.ts'
import { UserError } from '../user-error.ts'
import { configOfEach } from './config-of-each.ts'

export interface ChosenService {
  config: Config
  /** Its name, where it is one of several. */
  service?: string
}

/** The settings of the service that is named, or of the only one. Throws UserError where that is not clear. */
export async function chosenService(common: Config, name: string | undefined): Promise<ChosenService> {
  const all = await configOfEach(common, process.env)
  const found = name === undefined && all.length === 1 ? all[0] : all.find(({ serviceName }) => serviceName === name)
  if (found !== undefined) return { config: found, ...(all.length === 1 ? {} : { service: found.serviceName }) }
  if (common.services === '')
    throw new UserError(`There is no service "${name}": --service is for several, which the file of ${settings.services.variable} names.`, {
      exitCode: 2,
    })
  const names = all.map(({ serviceName }) => serviceName).join(', ')
  const problem = name === undefined ? 'Which hosting service is meant?' : `There is no service "${name}" in ${common.services}.`
  throw new UserError(`${problem} Say it by --service: ${names}.`, { exitCode: 2 })
}

/** What the file says of the service that is named, as the options are called that say the same of one service alone. Throws UserError. */
export async function flagsOfChosen(services: string, name: string | undefined): Promise<Record<string, string | undefined>> {
  const read = readConfig(process.env, { services })
  if (!read.ok) throw new UserError(read.problems.join('\n'), { exitCode: 2 })
  return flagsOf(await chosenService(read.config, name))
}

function flagsOf({ config, service }: ChosenService): Record<string, string | undefined> {
  return {
    ...{ service, serviceUrl: config.serviceUrl, proxy: config.proxy || undefined, caFile: config.caFile },
    ...{ rulesFolder: config.rulesFolder, mode: config.mode },
    ...{ serviceToken: config.serviceToken, serviceTokenFile: config.serviceTokenFile },
    ...{ hookSecret: config.hookSecrets.join(), signingSecret: config.signingSecrets.join(), hookMasterKey: config.hookMasterKeys.join() },
    ...(config.hooksUrl === '' ? {} : { url: config.hooksUrl }),
  }
}
