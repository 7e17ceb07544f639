// `bellhop doctor`: checks what the bot needs, and says how to fix problems.
import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import { createClient } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { type Finding, findingsOf } from '../doctor/finding.ts'
import { examineJournal } from '../doctor/journal.ts'
import { examineGit, examinePort, examineReady } from '../doctor/machine.ts'
import { examineMergeQueues } from '../doctor/merge-queues.ts'
import { examineHooks, examineRoles } from '../doctor/projects.ts'
import { examineQueue } from '../doctor/queue.ts'
import { examineChats, examineRuleFiles } from '../doctor/rule-files.ts'
import { examineService } from '../doctor/service.ts'
import { hookPlace } from '../hooks/desired-hook.ts'
import { allEvents, eventsByRules } from '../hooks/needed-events.ts'
import { findTargets, reasonOf } from '../hooks/targets.ts'
import { colours, formatOption, plain, printAs } from '../output/terminal-text.ts'
import { serviceFetch } from '../service/service-fetch.ts'
import { expectation, httpUrl } from '../settings/setting.ts'
import { type Config, readConfig, settings } from '../settings/settings.ts'
import { UserError } from '../user-error.ts'

const ofSettings = findingsOf('settings')
const ofProjects = findingsOf('projects')

interface Flags {
  url?: string
  signing?: true
  format: 'text' | 'json'
}

const help = `
Checks the settings in the environment, the token (its user, whether it may write, when it expires), this machine's clock, the queue, the journal, the operator's rule
files and chats, git and the port; with BELLHOP_URL the running Bellhop; and for each named project or group the bot's role, the hook, the hook's last
delivery and what its merge queues need. Changes nothing.

Exit codes: 0 no failure (warnings are allowed), 1 failures, 2 wrong usage.

Examples:
  $ bellhop doctor
  $ bellhop doctor hotel --format json`

export function doctor(): Command {
  return new Command()
    .argument('[group-or-project...]', 'projects whose roles and hooks are checked')
    .addOption(new Option('--url <address>', 'address of Bellhop for the hosting service').env('BELLHOP_URL'))
    .option('--signing', 'hooks use signing tokens derived from a master key')
    .addOption(formatOption())
    .addHelpText('after', help)
    .action(async (names: string[], flags: Flags) => {
      const findings = await examine(names, flags)
      const failed = findings.filter(({ is }) => is === 'fail').length
      printAs(flags.format, { findings, failed }, () => findings.map(lineOf))
      if (failed > 0) process.exitCode = 1
    })
}

async function examine(names: readonly string[], flags: Flags): Promise<Finding[]> {
  const read = readConfig(process.env, {})
  // Wrong settings would make the other checks fail too.
  if (!read.ok)
    return [
      ...read.problems.map((each) => ofSettings.fail(each, 'bellhop serve --help lists all settings.')),
      ...(await examineRuleFiles(process.env[settings.rulesFolder.variable] ?? './rules')),
    ]
  const { config } = read
  const { queueUrl, journalUrl } = config
  const own = [
    ofSettings.ok('All settings are valid.'),
    ...(await examineQueue(queueUrl)),
    ...(config.only === 'receiver' ? [] : await examineJournal({ queueUrl, journalUrl })),
    ...(await examineRuleFiles(config.rulesFolder)),
    ...(await examineChats({ file: config.chats, rulesFolder: config.rulesFolder, environment: process.env })),
    await examineGit(resolve(config.workDir), process.env.PATH),
    ...(config.port === 0 ? [] : [await examinePort(config)]),
    ...(flags.url === undefined || flags.url === '' ? [] : await addressOf(flags.url, config)),
  ]
  return [...own, ...(await examineOutside(config, names, flags))]
}

async function addressOf(url: string, own: { host: string; port: number }): Promise<Finding[]> {
  try {
    return [await examineReady(httpUrl(url).replace(/\/+$/, ''), own)]
  } catch (error) {
    return [ofSettings.fail(`BELLHOP_URL: ${expectation(error)}.`, 'Set it to Bellhop’s address for the service.')]
  }
}

async function examineOutside(
  config: Config,
  names: readonly string[],
  { url = '', signing }: Flags,
): Promise<Finding[]> {
  const client = createClient({
    baseUrl: config.serviceUrl,
    token: config.serviceToken,
    tokenKind: config.serviceTokenKind,
    attempts: 2,
    fetch: serviceFetch(config, process.env),
  })
  const { findings, me } = await examineService(client)
  if (me === undefined || names.length === 0) return findings
  try {
    const { projects, failed } = await findTargets(client, names)
    findings.push(
      ...failed.map(({ reason }) =>
        ofProjects.fail(
          `${reason}.`.replace(/\?\.$/, '?'),
          'Give the full path of a project or group that the bot user can see.',
        ),
      ),
    )
    findings.push(...(await examineRoles(client, projects, me)))
    const where = { folder: config.rulesFolder, mode: config.mode }
    findings.push(...(await examineMergeQueues(client, projects, { ...where, me }).catch(brokenFiles([]))))
    if (url === '') return [...findings, hooksUnchecked]
    if (!URL.canParse(url)) return findings
    const eventsFor = await eventsByRules(client, where).catch(brokenFiles(async () => allEvents))
    const place = { ...hookPlace({ ...config, hooksUrl: url }), signs: signing === true }
    return [...findings, ...(await examineHooks({ client, place, eventsFor }, projects))]
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return [...findings, ofProjects.fail(reasonOf(error), 'The rest was not checked: try again.')]
  }
}

const hooksUnchecked = findingsOf('hook').warn(
  'The hooks were not checked: BELLHOP_URL is missing.',
  'Set it to Bellhop’s address for the service, or give --url.',
)

/** The operator's broken files are a finding of their own. */
function brokenFiles<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (!(error instanceof UserError)) throw error
    return instead
  }
}

const marks = { ok: colours.green('ok  '), warn: colours.yellow('warn'), fail: colours.red('fail') }

function lineOf({ check, is, message, remedy }: Finding): string {
  return `${marks[is]}  ${check.padEnd(11)} ${plain(message)}${remedy === undefined ? '' : `\n      ${' '.repeat(11)} → ${plain(remedy)}`}`
}
