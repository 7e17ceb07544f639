// `bellhop import FILE`: writes rules that do what the configuration of another program does.
import { writeFile } from 'node:fs/promises'
import { Command, Option } from 'commander'
import { formatProblem } from '../../rules/language/documents/rule-document.ts'
import { count } from '../../rules/language/values/wording.ts'
import { readDocumentYaml, type YamlText } from '../../rules/language/yaml/yaml-text.ts'
import { importGitlabTriage } from '../import/gitlab-triage.ts'
import { type Imported, ruleFileOf } from '../import/imported.ts'
import { importMargeBot, optionsIn } from '../import/marge-bot.ts'
import { plain } from '../output/terminal-text.ts'
import { readText } from '../read-text.ts'
import { UserError } from '../user-error.ts'

interface Flags {
  output?: string
  force?: true
  user: string
}

const help = `
Reads policies of gitlab-triage (.triage-policies.yml), or options of marge-bot: its configuration file, or a file with its command
line. Prints rules that bellhop check accepts. What has no equal goes to standard error, each with FILE:LINE:COLUMN: a policy with a
condition without an equal is left out, as its rule would act on more.

Exit codes: 0 written, 1 nothing can be converted or the file has errors, 2 wrong usage.

Examples:
  $ bellhop import .triage-policies.yml --output .bellhop.yml
  $ bellhop import marge-bot.yml --user marge-bot`

export function importFrom(): Command {
  return new Command()
    .argument('<file>', 'the configuration of the other program')
    .option('--output <file>', 'write the rules to this file')
    .option('--force', 'overwrite an existing file')
    .addOption(new Option('--user <name>', 'marge-bot: whom merge requests are assigned to').default('bellhop'))
    .addHelpText('after', help)
    .action(run)
}

async function run(file: string, flags: Flags): Promise<void> {
  const { imported, yaml } = read(await readText(file), file, flags.user)
  const { count: converted, text, missing } = ruleFileOf(imported, yaml)
  const all = count(imported.policies, 'policy', 'policies')
  for (const { line, column, message } of missing)
    process.stderr.write(`${plain(`${file}:${line}:${column}: ${message}`)}\n`)
  if (converted === 0) throw new UserError(`${file}: none of ${all} can be converted.`)
  if (flags.output === undefined) process.stdout.write(text)
  else await write(flags.output, text, flags)
  const total = `${converted} of ${all} converted`
  process.stderr.write(`bellhop: ${total}${missing.length === 0 ? '' : `, ${count(missing.length, 'remark')}`}.\n`)
}

/** Throws UserError with the first problem. */
function read(text: string, file: string, user: string): { imported: Imported; yaml: YamlText } {
  const line = optionsIn(text)
  const document = readDocumentYaml(text, file)
  const yaml = document.ok ? document.yaml : undefined
  const ofFile = yaml && (importGitlabTriage(yaml.value) ?? importMargeBot(yaml.value, user))
  if (yaml !== undefined && ofFile !== undefined) return { imported: ofFile, yaml }
  const ofLine = line && importMargeBot(line.value, user)
  if (line !== undefined && ofLine !== undefined) return { imported: ofLine, yaml: linesOf(text, line.places) }
  const [problem] = document.ok ? [] : document.problems
  const what = 'expected resource_rules of gitlab-triage, or options of marge-bot'
  throw new UserError(problem === undefined ? `${file}:1:1: ${what}` : formatProblem(problem))
}

/** The places of options in a command line. */
function linesOf(text: string, places: ReadonlyMap<string, number>): YamlText {
  const position: YamlText['position'] = ([name]) => {
    const before = text.slice(0, places.get(String(name)) ?? 0).split('\n')
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  }
  return { value: undefined, position, found: () => 'nothing' }
}

async function write(file: string, text: string, { force }: Flags): Promise<void> {
  await writeFile(file, text, { flag: force === true ? 'w' : 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'EEXIST' ? 'it exists: --force overwrites it' : plain(cause.message)
    throw new UserError(`${file} cannot be written: ${reason}.`, { cause })
  })
}
