// `bellhop check FILE…`: says whether rule files can be used, with file, line and column of each problem.
import { readFile } from 'node:fs/promises'
import { Command, Option } from 'commander'
import { formatProblem, type Problem, readRules } from '../../rules/document.ts'
import { UserError } from '../user-error.ts'

/** Exit 0 fine, 1 problems, 2 wrong usage (a file that cannot be read is wrong usage). */
export function check(): Command {
  return new Command('check')
    .description('check rule files: exit 0 when they are fine, 1 when there are problems, 2 for wrong usage')
    .argument('<file...>', 'rule files, such as .bellhop.yml')
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'))
    .addHelpText('after', '\nExample:\n  $ bellhop check .bellhop.yml')
    .action(run)
}

async function run(files: string[], { format }: { format: 'text' | 'json' }): Promise<void> {
  const problems: Problem[] = []
  for (const file of files) {
    const document = readRules(await text(file), file, { trust: 'repository' })
    if (!document.ok) problems.push(...document.problems)
  }
  if (format === 'json') process.stdout.write(`${JSON.stringify({ files, problems }, null, 2)}\n`)
  else if (problems.length === 0) process.stdout.write(`${files.length === 1 ? '1 file is' : `${files.length} files are`} fine.\n`)
  else process.stdout.write(problems.map((problem) => `${formatProblem(problem)}\n`).join(''))
  process.exitCode = problems.length > 0 ? 1 : 0
}

async function text(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UserError(`${file} cannot be read${error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''}.`, {
      exitCode: 2,
      cause: error,
    })
  }
}
