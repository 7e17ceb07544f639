// The options that name the hosting service and its token.
import { type Command, Option } from 'commander'
// Not from settings.ts, which would load what queue and journal need: `bellhop check` starts without.
import { service } from '../settings/service.ts'

export interface ConnectionFlags {
  serviceUrl?: string
  serviceToken?: string
  serviceTokenKind?: string
  proxy?: string
  caFile?: string
}

export function withService(command: Command): Command {
  for (const { flag, doc, variable } of Object.values(service))
    command.addOption(new Option(`${flag} <value>`, doc).env(variable))
  return command
}
