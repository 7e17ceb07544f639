// The options that name the hosting service and its token.
import { type Command, Option } from 'commander'
import { settings } from '../settings/settings.ts'

export interface ConnectionFlags {
  serviceUrl?: string
  serviceToken?: string
  serviceTokenKind?: string
  proxy?: string
  caFile?: string
}

export function withService(command: Command): Command {
  const { serviceUrl, serviceToken, serviceTokenKind, proxy, caFile } = settings
  for (const { flag, doc, variable } of [serviceUrl, serviceToken, serviceTokenKind, proxy, caFile])
    command.addOption(new Option(`${flag} <value>`, doc).env(variable))
  return command
}
