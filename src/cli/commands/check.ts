// `bellhop check [FILE…]`: problems and warnings of rule files, with file, line and column.
import { Command, Option } from 'commander'
import { formatProblem } from '../../rules/language/documents/rule-document.ts'
import { count } from '../../rules/language/values/wording.ts'
import { formatFinding, formatWarning, placed, unseenWithoutHooks, type Warning } from '../../rules/lint/warnings.ts'
import type { Problem } from '../../rules/types.ts'
import { type CheckedFile, checkFile, isRuleTest, type Owner, owners } from '../check/checked-file.ts'
import { colours, formatOption, plain, printJson } from '../output/terminal-text.ts'
import { type ConnectionFlags, withService } from '../service/service-options.ts'
import { UsageError } from '../user-error.ts'

interface CheckFlags extends ConnectionFlags {
  format: 'text' | 'json'
  strict?: boolean
  as?: Owner
  for?: 'run'
  online?: boolean
  project?: string
}

const help = `
Each line shows FILE:LINE:COLUMN, what is expected and what was found. On a terminal, or with --format text, the line of the file follows.
Warnings are about rules that never match, values that never win, and rules that conflict.
Rule tests (*.test.yml) are for bellhop test. .bellhop.yml is checked as a repository's file, policy.yml as the operator's policy, any
other file as the operator's rules; --as overrides this.

Exit codes: 0 no problems (nor warnings with --strict), 1 problems, 2 wrong usage.

Examples:
  $ bellhop check
  $ bellhop check rules/*.yml --strict
  $ bellhop check --for run
  $ bellhop check --online --project hotel/app --format json`

/** A file that cannot be read is wrong usage. */
export function check(): Command {
  const command = new Command()
    .argument('[file...]', 'rule files', ['.bellhop.yml'])
    .addOption(formatOption())
    .option('--strict', 'treat warnings as problems')
    .addOption(new Option('--as <whose>', 'owner of the files; by default their names decide').choices([...owners]))
    .addOption(new Option('--for <command>', 'warn of events that bellhop run does not see').choices(['run']))
    .option(
      '--online',
      'check that labels, users, milestones, branches, groups and facts in rules exist there, and count members (needs --project)',
    )
    .option('--project <project>', 'id or path of the rules’ project')
  return withService(command).addHelpText('after', help).action(run)
}

async function run(named: string[], flags: CheckFlags, command: Command): Promise<void> {
  if (flags.online !== true && flags.project !== undefined) throw new UsageError('--project needs --online.')
  const files = named.filter((file) => !isRuleTest(file))
  if (files.length === 0) throw new UsageError('These are rule tests: run them with bellhop test.')
  const read: CheckedFile[] = []
  for (const file of files) read.push(await checkFile(file, flags.as))
  // Loaded here: an offline check needs no client.
  const checked = flags.online === true ? await (await import('../check/online.ts')).askService(read, flags) : read
  const problems = checked.flatMap((each) => each.problems)
  if (flags.for === 'run') for (const each of checked) each.warnings.push(...unseenIn(each))
  const warnings = checked.flatMap((each) => each.warnings)
  const information = flags.online === true ? checked.flatMap((each) => each.information ?? []) : undefined
  if (flags.format === 'json') printJson({ files, problems, warnings, information })
  else
    printText(checked, {
      frames: process.stdout.isTTY === true || command.getOptionValueSource('format') === 'cli',
      strict: flags.strict === true,
    })
  process.exitCode = problems.length > 0 || (flags.strict === true && warnings.length > 0) ? 1 : 0
}

const unseenIn = ({ text, file, rules }: CheckedFile): Warning[] =>
  rules === undefined ? [] : placed(text, file, unseenWithoutHooks(rules))

function totalLines(files: readonly CheckedFile[], strict: boolean): string[] {
  if (files.some(({ problems }) => problems.length > 0)) return []
  const warnings = files.flatMap((each) => each.warnings).length
  const fine = `${count(files.length, 'file')} without problems`
  if (warnings === 0) return [`${fine}.`]
  return [
    strict
      ? `${count(warnings, 'warning')}, which --strict treats as problems.`
      : `${fine}, ${count(warnings, 'warning')}.`,
  ]
}

function printText(files: readonly CheckedFile[], { frames, strict }: { frames: boolean; strict: boolean }): void {
  const frameOf = (text: string, place: Problem | Warning) => (frames ? codeFrame(text, place) : [])
  const lines = files.flatMap(({ text, problems, warnings, information = [] }) => [
    ...problems.flatMap((each) => [colours.red(plain(formatProblem(each))), ...frameOf(text, each)]),
    ...warnings.flatMap((each) => [colours.yellow(plain(formatWarning(each))), ...frameOf(text, each)]),
    ...information.map((each) => colours.dim(plain(formatFinding(each, 'info')))),
  ])
  process.stdout.write([...lines, ...totalLines(files, strict)].map((line) => `${line}\n`).join(''))
}

const WIDEST = 120

/** Shows the line before it as well. A long line is cut around the place. */
export function codeFrame(text: string, { line, column }: { line: number; column: number }): string[] {
  const lines = text.split(/\r?\n/)
  const start = column > WIDEST - 20 ? column - Math.floor(WIDEST / 2) : 0
  const shown = (number: number) => {
    const part = (lines[number - 1] ?? '').slice(start, start + WIDEST)
    return `${start > 0 && part !== '' ? '…' : ''}${plain(part)}`
  }
  const width = String(line).length
  const gutter = (label: string) => colours.dim(`  ${label.padStart(width)} │ `)
  const caret = ' '.repeat(column - 1 - start + (start > 0 ? 1 : 0))
  const before = line > 1 ? [`${gutter(String(line - 1))}${colours.dim(shown(line - 1))}`] : []
  return [...before, `${gutter(String(line))}${shown(line)}`, `${gutter('')}${caret}${colours.red('^')}`]
}
