// `bellhop check [FILE…]`: says whether rule files can be used, with file, line and column of each problem, and warns of what is probably not meant.
import { Command, Option } from 'commander'
import { formatWarning, type Warning } from '../../rules/analyse/warnings.ts'
import { formatProblem } from '../../rules/document.ts'
import type { Problem } from '../../rules/types.ts'
import { count } from '../../rules/wording.ts'
import { type CheckedFile, checkFile, isRuleTest, type Owner, owners } from '../check/checked-file.ts'
import { codeFrame } from '../check/code-frame.ts'
import { colours } from '../colours.ts'
import { type ConnectionFlags, withService } from '../services/service-options.ts'
import { plain, printJson } from '../terminal-text.ts'
import { UserError } from '../user-error.ts'

interface CheckFlags extends ConnectionFlags {
  format: 'text' | 'json'
  strict?: boolean
  as?: Owner
  online?: boolean
  project?: string
}

const help = `
Each line says FILE:LINE:COLUMN, what was expected and what was found. On a terminal, or with --format text, the line of the file follows.
Warnings are about rules that never hold, values that never win, and rules that fight: only what is certain.
Rule tests (*.test.yml) are left to bellhop test. A file called .bellhop.yml is checked as a repository's, policy.yml as the operator's
policy, any other as a rule file of the operator; --as says otherwise.

Exit codes: 0 fine (warnings are fine without --strict), 1 problems, 2 wrong usage.

Examples:
  $ bellhop check
  $ bellhop check rules/*.yml --strict
  $ bellhop check --online --project hotel/app --format json`

/** Exit 0 fine, 1 problems, 2 wrong usage (a file that cannot be read is wrong usage). */
export function check(): Command {
  const command = new Command('check')
    .description('check rule files: exit 0 when they are fine, 1 when there are problems, 2 for wrong usage')
    .argument('[file...]', 'rule files', ['.bellhop.yml'])
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'))
    .option('--strict', 'warnings are problems')
    .addOption(new Option('--as <whose>', 'whose files they are; without it, their names say so').choices([...owners]))
    .option('--online', 'ask the service whether it has the labels, users and milestones that rules name (needs --project)')
    .option('--project <project>', 'id or path of the project that the rules are for')
  return withService(command, (running) => running.opts<CheckFlags>().online === true)
    .addHelpText('after', help)
    .action(run)
}

async function run(named: string[], flags: CheckFlags, command: Command): Promise<void> {
  if (flags.online !== true && flags.project !== undefined) throw new UserError('--project is for --online.', { exitCode: 2 })
  const files = named.filter((file) => !isRuleTest(file))
  if (files.length === 0) throw new UserError('These are rule tests only: bellhop test runs them.', { exitCode: 2 })
  const read: CheckedFile[] = []
  for (const file of files) read.push(await checkFile(file, flags.as))
  // Loaded here: without it, a check needs no client.
  const checked = flags.online === true ? await (await import('../check/online.ts')).askService(read, flags) : read
  const problems = checked.flatMap((each) => each.problems)
  const warnings = checked.flatMap((each) => each.warnings)
  if (flags.format === 'json') printJson({ files, problems, warnings })
  else
    printText(checked, {
      frames: process.stdout.isTTY === true || command.getOptionValueSource('format') === 'cli',
      strict: flags.strict === true,
    })
  process.exitCode = problems.length > 0 || (flags.strict === true && warnings.length > 0) ? 1 : 0
}

function say(line: string, place: Pick<Problem | Warning, 'line' | 'column'>, text: string, frames: boolean): string[] {
  return [line, ...(frames ? codeFrame(text, place) : [])]
}

function sayTotal(files: readonly CheckedFile[], strict: boolean): string[] {
  if (files.some(({ problems }) => problems.length > 0)) return []
  const warnings = files.flatMap((each) => each.warnings).length
  const fine = `${files.length === 1 ? '1 file is' : `${files.length} files are`} fine`
  if (warnings === 0) return [`${fine}.`]
  return [strict ? `${count(warnings, 'warning')}, and --strict takes them as problems.` : `${fine}, with ${count(warnings, 'warning')}.`]
}

function printText(files: readonly CheckedFile[], { frames, strict }: { frames: boolean; strict: boolean }): void {
  const lines = files.flatMap(({ text, problems, warnings }) => [
    ...problems.flatMap((each) => say(colours.red(plain(formatProblem(each))), each, text, frames)),
    ...warnings.flatMap((each) => say(colours.yellow(plain(formatWarning(each))), each, text, frames)),
  ])
  process.stdout.write([...lines, ...sayTotal(files, strict)].map((line) => `${line}\n`).join(''))
}
