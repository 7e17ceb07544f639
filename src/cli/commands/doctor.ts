// `bellhop doctor`: looks at everything that the bot needs before it runs, or while it runs, and says what to do about what is wrong.
import { Command, Option } from 'commander'
import { createClient } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { colours } from '../colours.ts'
import { readConfig } from '../config.ts'
import { type Finding, fail, ok } from '../doctor/finding.ts'
import { examinePort, examineReady } from '../doctor/own-address.ts'
import { examineHooks, examineRoles } from '../doctor/projects.ts'
import { examineQueue } from '../doctor/queue.ts'
import { examineRuleFiles } from '../doctor/rule-files.ts'
import { examineService } from '../doctor/service.ts'
import { eventsByRules } from '../hooks/events-for.ts'
import { reasonOf } from '../hooks/in-parallel.ts'
import { allEvents } from '../hooks/needed-events.ts'
import { findTargets } from '../hooks/targets.ts'
import { serviceFetch } from '../service-fetch.ts'
import { type ChosenService, chosenService } from '../services/chosen-service.ts'
import { withServiceName } from '../services/service-options.ts'
import { httpUrl } from '../setting-texts.ts'
import { settings } from '../settings.ts'
import { plain, printJson } from '../terminal-text.ts'
import { serviceToken } from '../token-file.ts'
import { UserError } from '../user-error.ts'

interface Flags {
  service?: string
  url?: string
  signing?: true
  format: 'text' | 'json'
}

const help = `
Settings are read from the environment, as bellhop serve reads them. Looked at are the settings, the token (whose it is, whether it may write),
this machine's clock, the queue, the operator's rule files and the port; with BELLHOP_URL also the running Bellhop; and of projects or
groups that are named the bot's role and the hook, with what became of its last delivery where the service tells. Nothing is changed.

Exit codes: 0 nothing fails (warnings are fine), 1 something does, 2 wrong usage.

Examples:
  $ bellhop doctor
  $ bellhop doctor hotel --format json`

/** Every finding has its remedy. */
export function doctor(): Command {
  return withServiceName(new Command('doctor'))
    .description('look at token, clock, queue, rule files, roles and hooks, and say what to do about what is wrong')
    .argument('[group-or-project...]', 'projects whose roles and hooks are looked at')
    .addOption(new Option('--url <address>', 'address of Bellhop as the hosting service reaches it').env('BELLHOP_URL'))
    .option('--signing', 'the hooks have signing tokens, derived from a master key')
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'))
    .addHelpText('after', help)
    .action(async (names: string[], flags: Flags) => {
      const findings = await examine(names, flags)
      if (flags.format === 'json') printJson({ findings, failed: findings.filter(({ is }) => is === 'fail').length })
      else process.stdout.write(findings.map(lineOf).join(''))
      if (findings.some(({ is }) => is === 'fail')) process.exitCode = 1
    })
}

async function examine(names: readonly string[], flags: Flags): Promise<Finding[]> {
  const read = readConfig(process.env, {})
  // What depends on settings that are wrong would only be wrong as well.
  if (!read.ok)
    return [
      ...read.problems.map((each) => fail('settings', each, 'bellhop serve --help lists all settings.')),
      ...(await examineRuleFiles(process.env[settings.rulesFolder.variable] ?? './rules')),
    ]
  const chosen = await chosenService(read.config, flags.service)
  const { config } = chosen
  const { queueUrl, minFreeDisk } = config
  const own = [
    ok('settings', 'All settings can be read.'),
    ...(await examineQueue({ url: queueUrl, minFreeDisk })),
    ...(await examineRuleFiles(config.rulesFolder)),
    ...(config.port === 0 ? [] : [await examinePort(config)]),
    ...(flags.url === undefined || flags.url === '' ? [] : await addressOf(flags.url)),
  ]
  return [...own, ...(await examineOutside(chosen, names, flags))]
}

async function addressOf(url: string): Promise<Finding[]> {
  try {
    return [await examineReady(httpUrl(url).replace(/\/+$/, ''))]
  } catch (error) {
    return [
      fail(
        'settings',
        `BELLHOP_URL: expected ${error instanceof Error ? error.message : 'an address'}.`,
        'Set it to where the service reaches Bellhop.',
      ),
    ]
  }
}

async function examineOutside(
  { config, service }: ChosenService,
  names: readonly string[],
  { url = '', signing }: Flags,
): Promise<Finding[]> {
  const token = serviceToken(config, { onChange: () => undefined, onProblem: () => undefined })
  const client = createClient({ baseUrl: config.serviceUrl, token, attempts: 2, fetch: serviceFetch(config, process.env) })
  const { findings, me } = await examineService(client, () => Date.now())
  if (me === undefined || names.length === 0) return findings
  try {
    const { projects, failed } = await findTargets(client, names)
    findings.push(
      ...failed.map(({ reason }) =>
        fail(
          'projects',
          `${reason}.`.replace(/\?\.$/, '?'),
          'Name a project, or a group with projects, that the bot’s user can see, by its full path.',
        ),
      ),
    )
    findings.push(...(await examineRoles(client, projects, me.id)))
    if (!URL.canParse(url)) return findings
    const where = { service: service ?? new URL(config.serviceUrl).host, folder: config.rulesFolder, mode: config.mode }
    const eventsFor = await eventsByRules(client, where).catch((error: unknown) => {
      // Broken files of the operator's are a finding of their own.
      if (!(error instanceof UserError)) throw error
      return async () => allEvents
    })
    const { hookMasterKeys: masterKeys, hookSecrets: tokens, signingSecrets } = config
    const place = {
      ...{ base: url.replace(/\/+$/, ''), masterKeys, tokens, signing: signingSecrets, signs: signing === true, verifiesTls: true },
      ...(service === undefined ? {} : { service }),
    }
    return [...findings, ...(await examineHooks({ client, place, eventsFor }, projects))]
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return [...findings, fail('projects', reasonOf(error), 'The rest was not looked at: try again.')]
  }
}

const marks = { ok: colours.green('ok  '), warn: colours.yellow('warn'), fail: colours.red('fail') }

function lineOf({ check, is, says, remedy }: Finding): string {
  return `${marks[is]}  ${check.padEnd(11)} ${plain(says)}${remedy === undefined ? '' : `\n      ${' '.repeat(11)} → ${plain(remedy)}`}\n`
}
