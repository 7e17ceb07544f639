// The options that choose the rules, and the rules that they choose.
import { type Command, Option } from 'commander'
import type { Client } from '../../client/create-client.ts'
import type { Mode } from '../../rules/types.ts'
import { connect, projectNamed } from '../service/connect.ts'
import type { ConnectionFlags } from '../service/service-options.ts'
import type { Setting } from '../settings/setting.ts'
import { settings } from '../settings/settings.ts'
import type { FindLastGood } from './last-good.ts'
import { type RulesFor, rulesFromFiles, rulesInForce } from './rules-for.ts'

export interface RuleFlags extends ConnectionFlags {
  rules?: string[]
  rulesFolder: string
  offLabel: string
  mode: Mode
}

const option = (flag: string, { doc, variable, default: standard }: Setting<unknown>) =>
  new Option(flag, doc).env(variable).default(standard)

export const rulesFolderOption = () => option('--rules-folder <dir>', settings.rulesFolder)
export const modeOption = () => option('--mode <mode>', settings.mode).choices(['act', 'observe', 'off'])

export function withRules(command: Command): Command {
  return command
    .option('--rules <file...>', 'use these rule files instead of the project’s and the operator’s')
    .addOption(rulesFolderOption())
    .addOption(option('--off-label <label>', settings.offLabel))
    .addOption(modeOption())
}

/** Finds the project by id or path, and its rules. Throws UserError for broken given files, before any call. */
export async function openProject(
  named: string,
  { rules, rulesFolder, mode, ...flags }: RuleFlags,
  lastGood?: FindLastGood,
): Promise<RulesFor & { client: Client; project: number; path?: string }> {
  const given = rules === undefined ? undefined : await rulesFromFiles(rules)
  const client = connect(flags)
  const { project, path } = await projectNamed(client, named)
  const inForce =
    given === undefined
      ? await rulesInForce(client, { project, folder: rulesFolder, mode }, lastGood)
      : { files: given, problems: [] }
  return { client, project, path, ...inForce }
}
