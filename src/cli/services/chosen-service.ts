// Which hosting service a command is about, where the file of BELLHOP_SERVICES names several.
import { type Command, Option } from 'commander'
import { readConfig } from '../config.ts'
import type { Setting } from '../settings/setting.ts'
import { type Config, settings } from '../settings.ts'
import { UserError } from '../user-error.ts'
import { configOfEach } from './config-of-each.ts'

export interface ServicesFlags {
  services?: string
  service?: string
}

const file: Setting<unknown> = settings.services

/** The options that say which service; the command's other flags are the chosen one's where there is such a file. */
export function withServices(command: Command): Command {
  return withServiceName(command.addOption(new Option(`${file.flag} <file>`, file.doc).env(file.variable))).hook(
    'preAction',
    async (_asked, running) => {
      const { services = '', service } = running.opts<ServicesFlags>()
      if (services === '') return
      const read = readConfig(process.env, { services })
      if (!read.ok) throw new UserError(read.problems.join('\n'), { exitCode: 2 })
      const chosen = await chosenService(read.config, service)
      for (const [flag, value] of Object.entries(flagsOf(chosen))) running.setOptionValue(flag, value)
    },
  )
}

export function withServiceName(command: Command): Command {
  return command.option('--service <name>', 'which hosting service, where Bellhop works for several')
}

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
  const names = all.map(({ serviceName }) => serviceName).join(', ')
  const problem = name === undefined ? 'Which hosting service is meant?' : `There is no service "${name}" in ${common.services}.`
  throw new UserError(`${problem} Say it by --service: ${names}.`, { exitCode: 2 })
}

/** As the options are called that say the same of one service alone. */
function flagsOf({ config, service }: ChosenService): Record<string, string | undefined> {
  return {
    ...{ service, serviceUrl: config.serviceUrl, proxy: config.proxy || undefined, caFile: config.caFile },
    ...{ rulesFolder: config.rulesFolder, mode: config.mode },
    ...{ serviceToken: config.serviceToken, serviceTokenFile: config.serviceTokenFile },
    ...{ hookSecret: config.hookSecrets.join(), signingSecret: config.signingSecrets.join(), hookMasterKey: config.hookMasterKeys.join() },
    ...(config.hooksUrl === '' ? {} : { url: config.hooksUrl }),
  }
}
