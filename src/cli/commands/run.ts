// `bellhop run`: evaluates all that is open, acts, and ends: for a scheduled pipeline in place of a server.
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Command, Option } from 'commander'
import { DirectoryInUse } from '../../embedded-postgres/directory-lock.ts'
import { createLog, prettyLine } from '../output/log.ts'
import { formatOption, plain, printAs } from '../output/terminal-text.ts'
import { openJournalFolder } from '../run/journal-folder.ts'
import { type ConnectionFlags, withService } from '../service/service-options.ts'
import { argument, period } from '../settings/setting.ts'
import { type Config, readConfig } from '../settings/settings.ts'
import { UsageError, UserError } from '../user-error.ts'
import { version } from '../version.ts'
import { secretsOf } from './serve.ts'

interface Flags extends ConnectionFlags {
  project?: string
  group?: string
  all?: true
  dryRun?: true
  journal: string
  for: number
  format: 'text' | 'json'
  report?: string
  freeze?: true
}

const help = `
Evaluates every open merge request, and every open issue where a rule is for issues; answers the commands since the last run; does one
step of the merge queues; and ends. Settings are those of bellhop serve, from the environment. In a CI job, CI_SERVER_URL and
CI_PROJECT_PATH are the defaults. The folder of the journal remembers what was done: cache it between jobs. See docs/without-a-server.md.

Exit codes: 0 done, or another run uses the folder; 1 a call failed, a rule file is broken, or something is left to do; 2 wrong usage.

Examples:
  $ bellhop run --project hotel/app --dry-run
  $ bellhop run --group hotel --for 30m --report bellhop.md`

export function run(): Command {
  const command = new Command()
    .option('--project <project>', 'id or path of a project')
    .option('--group <group>', 'id or path of a group: all of its projects')
    .option('--all', 'all projects that the token’s user is a member of; the default outside of CI')
    .option('--dry-run', 'send nothing and store nothing; show what would be done')
    .option('--journal <folder>', 'where it is remembered what was done', '.bellhop')
    .addOption(
      new Option('--for <duration>', 'end after so long, also while a rate limit lasts')
        .argParser(argument(period))
        .default(10 * 60_000, '10m'),
    )
    .addOption(formatOption())
    .option('--report <file>', 'write the summary to this file, as Markdown')
    .addOption(new Option('--freeze').hideHelp())
  return withService(command).addHelpText('after', help).action(perform)
}

async function perform(flags: Flags): Promise<void> {
  // Runners of CI are small, and a run waits for calls most of the time.
  setFlagsFromString('--optimize-for-size')
  const { journal: folder, dryRun = false, freeze = false } = flags
  // Its journal is a cache, which may be lost.
  if (freeze) throw new UsageError('bellhop run keeps no freeze: use freeze: in the rules.')
  const of = targetOf(flags, process.env)
  const config = configOf(flags)
  const { serviceToken: token, serviceUrl } = config
  const folderOf = { version, serviceUrl, target: of }
  const opened = await openJournalFolder({ folder, token, of: folderOf, dryRun }).catch((error: unknown) => {
    if (error instanceof DirectoryInUse) return undefined
    throw new UserError(`The folder ${folder} cannot be used: ${error instanceof Error ? error.message : error}`)
  })
  if (opened === undefined) {
    process.stderr.write(`bellhop: another run, or bellhop serve, uses ${folder}: there is nothing to do\n`)
    return
  }
  const { runOnce } = await import('../run/run-once.ts')
  const { hasFailed, markdownOf, textOf } = await import('../run/summary.ts')
  const given = { of, dryRun, forMs: flags.for, forgotten: opened.forgotten, log: logOf(config) }
  const summary = await runOnce({ ...config, queueUrl: `embedded:${opened.database}` }, given).finally(opened.close)
  printAs(flags.format, summary, () => textOf(summary))
  if (flags.report !== undefined) await writeReport(flags.report, markdownOf(summary))
  // Calls that wait for a rate limit would keep the process running.
  process.exit(hasFailed(summary) ? 1 : 0)
}

async function writeReport(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((cause: Error) => {
    throw new UserError(`The report cannot be written: ${plain(cause.message)}`, { cause })
  })
}

/** What to run for; undefined: all projects. */
function targetOf({ project, group, all }: Flags, environment: NodeJS.ProcessEnv): string | undefined {
  const named = [project, group].filter((each) => each !== undefined)
  if (named.length + (all === true ? 1 : 0) > 1) throw new UsageError('Give one of --project, --group and --all.')
  if (named.includes('')) throw new UsageError('--project and --group need an id or a path.')
  return named[0] ?? (all === true ? undefined : environment.CI_PROJECT_PATH || undefined)
}

/** Of `serve`, without what a server needs. */
function configOf(flags: Flags): Config {
  const { serviceUrl = process.env.CI_SERVER_URL, serviceToken, serviceTokenKind, proxy, caFile } = flags
  const read = readConfig(process.env, {
    serviceUrl,
    serviceToken,
    serviceTokenKind,
    proxy,
    caFile,
    // Replaced by the folder's.
    queueUrl: 'embedded:.bellhop',
    journalUrl: '',
    only: '',
    adminToken: '',
    adminTokens: '',
    hookSecrets: randomBytes(24).toString('hex'),
    hooksUrl: '',
    sweepEveryMs: '0',
    // Not ./rules, the default of serve: a CI job runs in the files of a repository, whose rules are no operator's.
    rulesFolder: process.env.BELLHOP_RULES ?? join(tmpdir(), `bellhop-without-rules-${randomBytes(8).toString('hex')}`),
  })
  if (read.ok) return read.config
  throw new (read.exitCode === 1 ? UserError : UsageError)(read.problems.join('\n'))
}

/** For people, unless JSON is set. On a terminal only what is wrong: the progress is shown there. */
function logOf(config: Config) {
  const isTerminal = process.stderr.isTTY === true
  const pretty = prettyLine(isTerminal && (process.env.NO_COLOR ?? '') === '')
  return createLog({
    level: isTerminal && config.logLevel === 'info' ? 'warn' : config.logLevel,
    secrets: secretsOf(config),
    write: config.logFormat === 'json' ? undefined : (line) => void process.stderr.write(pretty(line)),
  })
}
