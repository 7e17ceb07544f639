// The options that choose the hosting service and its token.
import { type Command, Option } from 'commander'
import type { Setting } from '../settings/setting.ts'
import { settings } from '../settings/settings.ts'

export interface ServicesFlags {
  services?: string
  service?: string
}

export interface ConnectionFlags extends ServicesFlags {
  serviceUrl?: string
  serviceToken?: string
  serviceTokenFile?: string
  serviceTokenKind?: string
  proxy?: string
  caFile?: string
}

const option = ({ flag, doc, variable }: Setting<unknown>, value = 'value') =>
  new Option(`${flag} <${value}>`, doc).env(variable)

/** `asks` tells whether the command calls the service at all. */
export function withService(command: Command, asks?: (running: Command) => boolean): Command {
  return [
    settings.serviceUrl,
    settings.serviceToken,
    settings.serviceTokenFile,
    settings.serviceTokenKind,
    settings.proxy,
    settings.caFile,
  ].reduce((all: Command, each: Setting<unknown>) => all.addOption(option(each)), withServices(command, asks))
}

/** With a file of services, the chosen service's settings replace the flags. */
export function withServices(command: Command, asks: (running: Command) => boolean = () => true): Command {
  return withServiceName(command.addOption(option(settings.services, 'file'))).hook(
    'preAction',
    async (_asked, running) => {
      const { services = '', service } = running.opts<ServicesFlags>()
      if (services === '' || !asks(running)) return
      const { flagsOfChosen } = await import('./chosen-service.ts')
      for (const [flag, value] of Object.entries(await flagsOfChosen(services, service)))
        running.setOptionValue(flag, value)
    },
  )
}

export function withServiceName(command: Command): Command {
  return command.option('--service <name>', 'one of several hosting services')
}
