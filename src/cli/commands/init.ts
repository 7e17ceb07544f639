// `bellhop init`: writes a first rule file, from flags or answers, with the line by which editors complete and check it.
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Command } from 'commander'
import { formatProblem, readRules } from '../../rules/document.ts'
import { ruleFileSchema } from '../../rules/schema/rule-file.ts'
import { askOnTerminal } from '../init/ask.ts'
import { firstRules, type Wishes } from '../init/first-rules.ts'
import { list } from '../setting-texts.ts'
import { UserError } from '../user-error.ts'

interface Flags {
  file: string
  schema?: string
  documentation?: string
  dependencyBots?: string
  mergeOnRequest?: true
  pipelines: boolean
  force?: true
}

const help = `
On a terminal it asks what the flags do not say. Beside the rule file it writes bellhop.schema.json, by which editors with a YAML language
server complete and check it; --schema names another address of it. Nothing that is there is overwritten without --force.

Exit codes: 0 written, 1 it could not be, 2 wrong usage.

Examples:
  $ bellhop init
  $ bellhop init --dependency-bots renovate-bot,dependabot --merge-on-request
  $ bellhop init --documentation "docs/**" --no-pipelines --file rules/first.yml`

export function init(): Command {
  return new Command('init')
    .description('write a first rule file, from flags or answers')
    .option('--file <path>', 'what to write', '.bellhop.yml')
    .option('--documentation <glob>', 'label merge requests that change such files only')
    .option('--dependency-bots <names>', 'merge what these users open, when its pipeline is green; separated by commas')
    .option('--merge-on-request', 'merge when a Maintainer writes "@bellhop merge"')
    .option('--no-pipelines', 'the project has no pipelines')
    .option('--schema <address>', 'where editors find the JSON Schema; without it the file is written as well')
    .option('--force', 'overwrite what is there')
    .addHelpText('after', help)
    .action(run)
}

async function run(flags: Flags, command: Command): Promise<void> {
  const isSaid = ['documentation', 'dependencyBots', 'mergeOnRequest'].some((name) => command.getOptionValueSource(name) === 'cli')
  const wishes = isSaid ? wishesOf(flags) : await answers(flags)
  const schema = flags.schema ?? 'bellhop.schema.json'
  const text = firstRules(wishes, schema)
  const read = readRules(text, flags.file, { trust: 'repository' })
  if (!read.ok) throw new UserError(read.problems.map(formatProblem).join('\n'), { exitCode: 2 })
  const written = [flags.file]
  await write(flags.file, text, flags)
  if (flags.schema === undefined) {
    const beside = join(dirname(flags.file), schema)
    await write(beside, `${JSON.stringify(ruleFileSchema(), null, 2)}\n`, flags)
    written.push(beside)
  }
  process.stdout.write(`${written.join(' and ')} written. bellhop check ${flags.file} checks the rules.\n`)
}

function wishesOf({ documentation, dependencyBots, mergeOnRequest, pipelines }: Flags): Wishes {
  return {
    ...(documentation === undefined ? {} : { documentation }),
    dependencyBots: list(dependencyBots ?? ''),
    mergeOnRequest: mergeOnRequest === true,
    pipelines,
  }
}

async function answers({ pipelines }: Flags): Promise<Wishes> {
  if (process.stdin.isTTY !== true)
    throw new UserError(
      'What shall the rules do? Say it with --documentation, --dependency-bots or --merge-on-request; questions are asked on a terminal only.',
      {
        exitCode: 2,
      },
    )
  const ask = askOnTerminal(process.stdin, process.stderr)
  try {
    const documentation = await ask.text('Label merge requests that change only these files (none: no such rule)', 'docs/**')
    const bots = list(
      await ask.text('Merge the dependency updates of these users when green, separated by commas (none: no such rule)', 'none'),
    )
    const mergeOnRequest = await ask.yes('Merge when a Maintainer writes "@bellhop merge"?', true)
    const hasPipelines = pipelines && (await ask.yes('Does the project have pipelines?', true))
    return {
      ...(documentation === 'none' ? {} : { documentation }),
      dependencyBots: bots.filter((each) => each !== 'none'),
      mergeOnRequest,
      pipelines: hasPipelines,
    }
  } finally {
    ask.end()
  }
}

async function write(path: string, text: string, { force }: Flags): Promise<void> {
  try {
    await writeFile(path, text, { flag: force === true ? 'w' : 'wx' })
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    if (code === 'EEXIST') throw new UserError(`${path} is there already: --force overwrites it.`, { exitCode: 1, cause })
    throw new UserError(`${path} cannot be written (${code}): is its folder there, and yours?`, { exitCode: 1, cause })
  }
}
