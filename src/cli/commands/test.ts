// `bellhop test [FILES]`: runs rule tests (`*.test.yml` next to the rules) and reports their coverage.
import { Command, InvalidArgumentError, Option } from 'commander'
import { rulesFolderOption } from '../explain/rule-options.ts'
import { formatOption } from '../output/format-option.ts'
import { printAs } from '../output/terminal-text.ts'
import { findTests } from '../rule-tests/find-tests.ts'
import { isFine, runJson, runLines } from '../rule-tests/print.ts'
import { runTests, totalOf } from '../rule-tests/run-tests.ts'

interface TestFlags {
  rulesFolder: string
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
    .addOption(new Option('--coverage-at-least <percent>', 'fail when coverage is lower').argParser(percentage))
    .addOption(formatOption())
    .addHelpText('after', help)
    .action(run)
}

function percentage(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 100)
    throw new InvalidArgumentError('expected a whole number from 0 to 100')
  return Number(text)
}

async function run(named: string[], { rulesFolder, coverageAtLeast = 0, format }: TestFlags): Promise<void> {
  const result = await runTests(await findTests(named, rulesFolder))
  const { percent } = totalOf(result.coverage)
  const covered = percent >= coverageAtLeast
  printAs(format, runJson(result), () => runLines(result))
  if (!covered) process.stderr.write(`bellhop: coverage is ${percent} %, below ${coverageAtLeast} %.\n`)
  process.exitCode = isFine(result) && covered ? 0 : 1
}
