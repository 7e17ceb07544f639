// `bellhop test [FILES]`: rule tests, which lie beside the rules in `*.test.yml`, with what of the rules they cover.
import { Command, InvalidArgumentError, Option } from 'commander'
import { findTests } from '../rule-tests/find-tests.ts'
import { isFine, runJson, runLines } from '../rule-tests/print.ts'
import { percent, runTests } from '../rule-tests/run-tests.ts'
import { settings } from '../settings.ts'
import { printJson } from '../terminal-text.ts'

interface TestFlags {
  rulesFolder: string
  coverageAtLeast?: number
  format: 'text' | 'json'
}

const help = `
A test says what is given and what the rules must do. What is not given is as for an ordinary merge request: open, mergeable, its
pipeline green, no labels, one changed file, by alice. Values are written as in rules; unknown is what the service does not say.

  tests:
    - name: documentation is labelled
      given: { changed_files: [docs/a.md] }
      then: { label: { add: documentation } }
    - name: a label that a person took off stays off
      before:
        - { changed_files: [docs/a.md] }
      given: { labels: [] }
      nothing: true
    - name: others may not merge by a word
      event: note.create
      actor: bob
      actor_access: developer
      comment: "@bellhop merge"
      blocker: { merge on request: actor_access }

docs/rule-tests.md tells the rest.

Examples:
  $ bellhop test
  $ bellhop test .bellhop.yml
  $ bellhop test rules/ --coverage-at-least 90`

/** Exit 0 when all pass, 1 when one fails or cannot be run or too little is covered, 2 for wrong usage. */
export function test(): Command {
  return new Command('test')
    .description('run rule tests (*.test.yml beside the rules), and say what of the rules they cover')
    .argument('[files...]', 'files of tests, rule files or folders; without any: .bellhop.test.yml and the rules folder')
    .addOption(
      new Option('--rules-folder <dir>', settings.rulesFolder.doc).env(settings.rulesFolder.variable).default(settings.rulesFolder.default),
    )
    .addOption(new Option('--coverage-at-least <percent>', 'fail when less of the rules is covered').argParser(percentage))
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'))
    .addHelpText('after', help)
    .action(run)
}

function percentage(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 100) throw new InvalidArgumentError('expected a whole number from 0 to 100')
  return Number(text)
}

async function run(named: string[], { rulesFolder, coverageAtLeast = 0, format }: TestFlags): Promise<void> {
  const result = await runTests(await findTests(named, rulesFolder))
  const covered = percent(result.coverage) >= coverageAtLeast
  if (format === 'json') printJson(runJson(result))
  else process.stdout.write(`${runLines(result).join('\n')}\n`)
  if (!covered) process.stderr.write(`bellhop: coverage is ${percent(result.coverage)} %, and ${coverageAtLeast} % are asked for.\n`)
  process.exitCode = isFine(result) && covered ? 0 : 1
}
