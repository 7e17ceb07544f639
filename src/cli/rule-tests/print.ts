// Prints a run of rule tests.
import { count } from '../../rules/language/values/wording.ts'
import { neverSeen } from '../../rules/testing/coverage.ts'
import { colours } from '../output/colours.ts'
import { plain } from '../output/terminal-text.ts'
import { type TestFileResult, type TestResult, type TestRun, totalOf } from './run-tests.ts'

const failed = ({ files }: TestRun) => files.flatMap(({ tests }) => tests).filter(({ passed }) => !passed).length
const broken = ({ files }: TestRun) => files.filter(({ problems }) => problems.length > 0).length

export function isFine(run: TestRun): boolean {
  return failed(run) + broken(run) === 0
}

function testLines({ name, line, passed, expected, found, problems, blockers }: TestResult): string[] {
  if (passed) return [`  ${colours.green('✓')} ${plain(name)}`]
  const inner = (word: string, lines: readonly string[]) =>
    lines.map((each, index) => `      ${(index === 0 ? word : '').padEnd(10)}${plain(each)}`)
  return [
    `  ${colours.red('✗')} ${plain(name)} (line ${line})`,
    ...inner('expected', expected),
    ...inner('found', found),
    ...problems.map((each) => `      ${plain(each)}`),
    ...blockers.map((each) => colours.dim(`      ${plain(each)}`)),
  ]
}

function fileLines({ file, tests, problems }: TestFileResult): string[] {
  return [
    colours.bold(plain(file)),
    ...problems.map((each) => `  ${colours.red(plain(each))}`),
    ...tests.flatMap(testLines),
  ]
}

export function runLines(run: TestRun): string[] {
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
    ...(unseen.length === 0 ? [] : ['not covered:', ...unseen]),
    `coverage: ${percent} % (rules and conditions seen true and seen false: ${seen} of ${of})`,
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
