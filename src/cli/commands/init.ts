// `bellhop init`: writes a first rule file and its schema for editors.
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Command } from 'commander'
import { formatProblem, readRules } from '../../rules/language/documents/rule-document.ts'
import { ruleFileSchema } from '../../rules/language/schema/rule-file.ts'
import { askOnTerminal } from '../init/ask.ts'
import { type FirstRulesOptions, firstRules } from '../init/first-rules.ts'
import { list } from '../settings/setting-values.ts'
import { UsageError, UserError } from '../user-error.ts'

interface Flags {
  file: string
  schema?: string
  documentation?: string
  dependencyBots?: string
  mergeOnRequest?: true
  tellAuthor?: true
  pipelines: boolean
  force?: true
}

const help = `
Without flags it asks on the terminal. Next to the rule file it writes bellhop.schema.json, which editors use to complete and check the
file; --schema gives another address. It writes all files or none: existing files with another text are overwritten only with --force.

Exit codes: 0 written, 1 not written, 2 wrong usage.

Examples:
  $ bellhop init
  $ bellhop init --dependency-bots renovate-bot,dependabot --merge-on-request
  $ bellhop init --documentation "docs/**" --no-pipelines --file rules/first.yml`

export function init(): Command {
  return new Command()
    .option('--file <path>', 'file to write', '.bellhop.yml')
    .option('--documentation <glob>', 'label merge requests that change only such files')
    .option('--dependency-bots <names>', 'merge what these users open once its pipeline succeeds; separated by commas')
    .option('--merge-on-request', 'merge when a Maintainer writes "@bellhop merge"')
    .option('--tell-author', 'tell the author in a note when the pipeline failed or the branch conflicts')
    .option('--no-pipelines', 'the project has no pipelines')
    .option('--schema <address>', 'address of the JSON Schema; by default the schema is written too')
    .option('--force', 'overwrite existing files')
    .addHelpText('after', help)
    .action(run)
}

async function run(flags: Flags, command: Command): Promise<void> {
  const isGiven = ['documentation', 'dependencyBots', 'mergeOnRequest', 'tellAuthor'].some(
    (name) => command.getOptionValueSource(name) === 'cli',
  )
  const options = isGiven ? optionsOf(flags) : await answers(flags)
  const schema = flags.schema ?? 'bellhop.schema.json'
  const text = firstRules(options, schema)
  const read = readRules(text, flags.file, { trust: 'repository' })
  if (!read.ok) throw new UsageError(read.problems.map(formatProblem).join('\n'))
  const files = [{ path: flags.file, text }]
  if (flags.schema === undefined)
    files.push({ path: join(dirname(flags.file), schema), text: `${JSON.stringify(ruleFileSchema(), null, 2)}\n` })
  await writeAll(files, flags)
  const written = files.map(({ path }) => path).join(' and ')
  process.stdout.write(
    `${written} written. bellhop check ${flags.file} checks the rules; they count once they are on the default branch.\n`,
  )
}

function optionsOf({ documentation, dependencyBots, mergeOnRequest, tellAuthor, pipelines }: Flags): FirstRulesOptions {
  return {
    documentation,
    dependencyBots: list(dependencyBots ?? ''),
    mergeOnRequest: mergeOnRequest === true,
    tellAuthor: tellAuthor === true,
    pipelines,
  }
}

async function answers({ pipelines, file, force }: Flags): Promise<FirstRulesOptions> {
  if (process.stdin.isTTY !== true)
    throw new UsageError(
      'Without a terminal, give --documentation, --dependency-bots, --merge-on-request or --tell-author.',
    )
  if (force !== true && (await orUserError(file, () => textOf(file))) !== undefined) throw existing(file)
  const ask = askOnTerminal(process.stdin, process.stderr)
  try {
    const documentation = await ask.text(
      'Label merge requests that change only these files (none: no such rule)',
      'docs/**',
    )
    const bots = list(
      await ask.text(
        'Merge the dependency updates of these users when green, separated by commas (none: no such rule)',
        'none',
      ),
    )
    const mergeOnRequest = await ask.yes('Merge when a Maintainer writes "@bellhop merge"?', true)
    const tellAuthor = await ask.yes(
      'Tell the author in a note when the pipeline failed or the branch conflicts?',
      true,
    )
    const hasPipelines = pipelines && (await ask.yes('Does the project have pipelines?', true))
    return {
      documentation: documentation === 'none' ? undefined : documentation,
      dependencyBots: bots.filter((each) => each !== 'none'),
      mergeOnRequest,
      tellAuthor,
      pipelines: hasPipelines,
    }
  } finally {
    ask.end()
  }
}

interface TextFile {
  path: string
  text: string
}

/** All files or none. One that has this text already may stay. */
async function writeAll(files: readonly TextFile[], { force }: Flags): Promise<void> {
  for (const { path, text } of files) {
    const before = force === true ? undefined : await orUserError(path, () => textOf(path))
    if (before !== undefined && before !== text) throw existing(path)
  }
  const parts = files.map(({ path, text }) => ({ path, text, part: `${path}.part` }))
  try {
    for (const { path, part, text } of parts) await orUserError(path, () => writeFile(part, text))
    for (const { path, part } of parts) await orUserError(path, () => rename(part, path))
  } finally {
    for (const { part } of parts) await rm(part, { force: true })
  }
}

const existing = (path: string) => new UserError(`${path} exists: --force overwrites it.`)
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown')

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function orUserError<T>(path: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (cause) {
    const reason = `${path} cannot be written (${codeOf(cause)})`
    throw new UserError(`${reason}: does its folder exist, and may you write there?`, { cause })
  }
}
