// The options that say which hosting service a command is about, and who asks; what reads them is loaded when it is used.
import { type Command, Option } from 'commander'
import type { Setting } from '../settings/setting.ts'
import { settings } from '../settings.ts'

export interface ServicesFlags {
  services?: string
  service?: string
}

export interface ConnectionFlags extends ServicesFlags {
  serviceUrl?: string
  serviceToken?: string
  serviceTokenFile?: string
  proxy?: string
  caFile?: string
}

const option = ({ flag, doc, variable }: Setting<unknown>, value = 'value') => new Option(`${flag} <${value}>`, doc).env(variable)

/** Address and token of a service, or its name where a file names several; of a command that only `asks` it at times. */
export function withService(command: Command, asks?: (running: Command) => boolean): Command {
  return [settings.serviceUrl, settings.serviceToken, settings.serviceTokenFile, settings.proxy, settings.caFile].reduce(
    (all: Command, each: Setting<unknown>) => all.addOption(option(each)),
    withServices(command, asks),
  )
}

/** The command's other flags are the chosen service's where there is such a file, and the command `asks` a service at all. */
export function withServices(command: Command, asks: (running: Command) => boolean = () => true): Command {
  return withServiceName(command.addOption(option(settings.services, 'file'))).hook('preAction', async (_asked, running) => {
    const { services = '', service } = running.opts<ServicesFlags>()
    if (services === '' || !asks(running)) return
    const { flagsOfChosen } = await import('./chosen-service.ts')
    for (const [flag, value] of Object.entries(await flagsOfChosen(services, service))) running.setOptionValue(flag, value)
  })
}

export function withServiceName(command: Command): Command {
  return command.option('--service <name>', 'which hosting service, where Bellhop works for several')
}
