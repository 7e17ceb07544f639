// The options that say by which rules a command judges, and the rules that they mean.
import { type Command, Option } from 'commander'
import type { Mode } from '../../rules/types.ts'
import type { ConnectionFlags } from '../services/service-options.ts'
import type { Setting } from '../settings/setting.ts'
import { settings } from '../settings.ts'
import { type Connection, connect, projectId } from './connect.ts'
import { type RulesFor, rulesFromFiles, rulesInForce } from './rules-for.ts'

export interface RuleFlags extends ConnectionFlags {
  rules?: string[]
  rulesFolder: string
  offLabel: string
  mode: Mode
}

export interface Project extends Connection, RulesFor {
  project: number
}

const option = (flag: string, { doc, variable, default: standard }: Setting<unknown>) =>
  new Option(flag, doc).env(variable).default(standard)

/** The options that say which rules are judged by. */
export function withRules(command: Command): Command {
  return command
    .option('--rules <file...>', 'use these rule files in place of the project’s and the operator’s')
    .addOption(option('--rules-folder <dir>', settings.rulesFolder))
    .addOption(option('--off-label <label>', settings.offLabel))
    .addOption(option('--mode <mode>', settings.mode).choices(['act', 'observe', 'off']))
}

/** The project of that id or path on its service, with the rules to judge by. Throws UserError for files that cannot be used before anything is read. */
export async function openProject(named: string, { rules, rulesFolder, mode, ...flags }: RuleFlags): Promise<Project> {
  const given = rules === undefined ? undefined : await rulesFromFiles(rules)
  const { client, service } = connect(flags)
  const project = await projectId(client, named)
  const inForce =
    given === undefined ? await rulesInForce(client, { service, project, folder: rulesFolder, mode }) : { files: given, problems: [] }
  return { client, service, project, ...inForce }
}
