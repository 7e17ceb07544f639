// `bellhop test [FILES]`: runs rule tests (`*.test.yml` next to the rules) and reports their coverage.
import { Command, Option } from 'commander'
import { count } from '../../rules/language/values/wording.ts'
import { neverSeen } from '../../rules/testing/coverage.ts'
import { rulesFolderOption } from '../explain/rules-for.ts'
import { colours, formatOption, plain, printAs } from '../output/terminal-text.ts'
import {
  findTests,
  runTests,
  type TestFileResult,
  type TestResult,
  type TestRun,
  totalOf,
} from '../rule-tests/run-tests.ts'
import { argument, upTo100 } from '../settings/setting.ts'

interface TestFlags {
  rulesFolder: string
  coverage?: true
  coverageAtLeast?: number
  format: 'text' | 'json'
}

const help = `
A test gives facts and the expected actions. Other facts are those of an ordinary merge request: open, mergeable, with a successful
pipeline, no labels, one changed file, by alice. Values are written as in rules; unknown makes a fact unknown.

  tests:
    - name: documentation is labelled
      given: { changed_files: [docs/a.md] }
      then: { label: { add: documentation } }
    - name: whatever else is done, it is subscribed to
      given: { changed_files: [docs/a.md] }
      includes: { subscribe: true }
    - name: of all rules, this test runs one
      rule: label documentation
      nothing: true
    - name: a label that a person took off stays off
      before:
        - { changed_files: [docs/a.md] }
      given: { labels: [] }
      nothing: true
    - name: others may not merge by a command
      event: note.create
      actor: bob
      actor_access: developer
      comment: "@bellhop merge"
      blocker: { merge on request: actor_access }

See docs/rule-tests.md.

Examples:
  $ bellhop test
  $ bellhop test .bellhop.yml
  $ bellhop test rules/ --coverage-at-least 90`

/** Exit code 1 when a test fails or cannot run, or coverage is too low. */
export function test(): Command {
  return new Command()
    .argument('[files...]', 'test files, rule files or folders; by default .bellhop.test.yml and the rules folder')
    .addOption(rulesFolderOption())
    .option('--coverage', 'say which rules and conditions no test has seen true, or false')
    .addOption(new Option('--coverage-at-least <percent>', 'fail when coverage is lower').argParser(argument(upTo100)))
    .addOption(formatOption())
    .addHelpText('after', help)
    .action(run)
}

async function run(named: string[], { rulesFolder, coverage, coverageAtLeast, format }: TestFlags): Promise<void> {
  const result = await runTests(await findTests(named, rulesFolder))
  const { percent } = totalOf(result.coverage)
  const covered = percent >= (coverageAtLeast ?? 0)
  const withCoverage = coverage === true || coverageAtLeast !== undefined
  printAs(format, runJson(result), () => runLines(result, withCoverage))
  if (!covered) process.stderr.write(`bellhop: coverage is ${percent} %, below ${coverageAtLeast} %.\n`)
  process.exitCode = isFine(result) && covered ? 0 : 1
}

const failed = ({ files }: TestRun) => files.flatMap(({ tests }) => tests).filter(({ passed }) => !passed).length
const broken = ({ files }: TestRun) => files.filter(({ problems }) => problems.length > 0).length

export function isFine(run: TestRun): boolean {
  return failed(run) + broken(run) === 0
}

/** Lines for a test that failed. */
const MOST_LINES = 15

/** A failed test shows what it expected (-) and found (+). */
function testLines({ name, line, passed, expected, found, problems, blockers }: TestResult): string[] {
  if (passed) return [`  ${colours.green('✓')} ${plain(name)}`]
  const lines = [
    ...expected.filter((each) => !found.includes(each)).map((each) => colours.red(`- ${plain(each)}`)),
    ...found.filter((each) => !expected.includes(each)).map((each) => colours.green(`+ ${plain(each)}`)),
    ...problems.map(plain),
    ...blockers.map((each) => colours.dim(plain(each))),
  ]
  const more = lines.length > MOST_LINES ? [`… and ${count(lines.length - MOST_LINES + 1, 'line')} more`] : []
  const shown = more.length > 0 ? [...lines.slice(0, MOST_LINES - 1), ...more] : lines
  return [`  ${colours.red('✗')} ${plain(name)} (line ${line})`, ...shown.map((each) => `      ${each}`)]
}

function fileLines({ file, tests, problems }: TestFileResult): string[] {
  return [
    colours.bold(plain(file)),
    ...problems.map((each) => `  ${colours.red(plain(each))}`),
    ...tests.flatMap(testLines),
  ]
}

/** `withCoverage`: say what no test has seen, too. */
export function runLines(run: TestRun, withCoverage = false): string[] {
  const all = run.files.flatMap(({ tests }) => tests)
  const unseen = run.coverage.flatMap((coverage) =>
    neverSeen(coverage).map((each) => colours.dim(`  ${plain(`${coverage.file}: ${each}`)}`)),
  )
  const bad = [
    ...(failed(run) === 0 ? [] : [`${failed(run)} failed`]),
    ...(broken(run) === 0 ? [] : [`${count(broken(run), 'file')} could not be run`]),
  ]
  const { seen, of, percent } = totalOf(run.coverage)
  return [
    ...run.files.flatMap(fileLines),
    '',
    ...(withCoverage && unseen.length > 0 ? ['not covered:', ...unseen] : []),
    ...(withCoverage
      ? [`coverage: ${percent} % (rules and conditions seen true and seen false: ${seen} of ${of})`]
      : []),
    `${count(all.length, 'test')}: ${bad.length === 0 ? colours.green('all pass') : colours.red(bad.join(', '))}`,
  ]
}

export function runJson(run: TestRun) {
  return {
    ...run,
    coverage: run.coverage.map((each) => ({ ...each, neverSeen: neverSeen(each) })),
    passed: run.files.flatMap(({ tests }) => tests).length - failed(run),
    failed: failed(run),
    percent: totalOf(run.coverage).percent,
  }
}
