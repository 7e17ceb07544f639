// What the hook commands share: options, client, target address, and the run over projects.
import { type Command, Option } from 'commander'
import { createServiceState } from '../../bot/service/service-state.ts'
import type { Client } from '../../client/create-client.ts'
import { words } from '../../rules/explain/explain.ts'
import { count } from '../../rules/language/values/wording.ts'
import { tableOf } from '../output/table.ts'
import { createProgress, formatOption, plain, printJson, printLines } from '../output/terminal-text.ts'
import { connect, orUserError, reading } from '../service/connect.ts'
import { serviceFetch } from '../service/service-fetch.ts'
import { type ConnectionFlags, withService } from '../service/service-options.ts'
import type { Setting } from '../settings/setting.ts'
import { settings } from '../settings/settings.ts'
import { UsageError } from '../user-error.ts'
import { type HookPlace, hookPlace, placeFor } from './desired-hook.ts'
import {
  findGroups,
  findTargets,
  forEachProject,
  type HookOutcome,
  type HookTarget,
  type ProjectOutcome,
  type Targets,
} from './targets.ts'

export interface HookFlags extends ConnectionFlags {
  url?: string
  hookSecret: string
  signingSecret: string
  hookMasterKey: string
  signing?: true
  tlsVerification: boolean
  format: 'text' | 'json'
  dryRun?: true
  group: string[]
  system?: true
}

export const secretOption = ({ flag, doc, variable }: Setting<unknown>) =>
  new Option(`${flag} <value>`, `${doc} Prefer the environment.`).env(variable).default('', 'none')

export function withHooks(command: Command): Command {
  withService(command)
    .addOption(
      new Option('--url <address>', 'address of Bellhop for the hosting service').env(settings.hooksUrl.variable),
    )
    .addOption(formatOption())
  for (const each of [settings.hookMasterKeys, settings.hookSecrets, settings.signingSecrets])
    command.addOption(secretOption(each))
  return command
    .option('--group <name>', 'the one hook of a group, for all its projects (Premium; may be repeated)', collect, [])
    .option('--system', 'the one hook of the installation, for all its projects (administrators)')
    .option('--signing', 'with a master key: signing tokens (whsec_…) instead of secret tokens')
    .option('--no-tls-verification', 'the service does not verify Bellhop’s TLS certificate')
}

const collect = (name: string, before: string[]) => [...before, name]

export interface HookSession {
  client: Client
  place: HookPlace
  /** How Bellhop’s own address is reached. */
  toBellhop: typeof fetch
}

// Waits for rate limits: installing the hooks of a whole company takes long anyway.
const maxWaitMs = 15 * 60_000
const attempts = 6
const atOnce = 8

/** Throws UserError for invalid flags. */
function openHooks(flags: HookFlags): HookSession {
  const place = readPlace(flags)
  const state = createServiceState({ now: () => Date.now() })
  const limits = { onLimits: state.onLimits, rateLimitedUntil: state.rateLimitedUntil, maxWaitMs, attempts }
  // Without the proxy, which leads to the service.
  const direct = { serviceUrl: place.base, proxy: '', caFile: flags.caFile ?? '' }
  return { client: connect(flags, limits), place, toBellhop: serviceFetch(direct, process.env) ?? fetch }
}

function readPlace(flags: HookFlags): HookPlace {
  if (flags.url === undefined || flags.url === '')
    throw new UsageError(
      `${settings.hooksUrl.variable} is missing: the address of Bellhop for the hosting service. Set it, or give --url.`,
    )
  const given = {
    hooksUrl: reading(settings.hooksUrl, flags.url),
    hookMasterKeys: reading(settings.hookMasterKeys, flags.hookMasterKey),
    hookSecrets: reading(settings.hookSecrets, flags.hookSecret),
    signingSecrets: reading(settings.signingSecrets, flags.signingSecret),
  }
  const { signing, tlsVerification } = flags
  return { ...hookPlace(given), signs: signing === true, verifiesTls: tlsVerification !== false }
}

/** Throws UsageError without a secret: deliveries of such a hook would be refused. */
export function requireSecret(
  { masterKeys: keys, tokens, signing }: HookPlace,
  flags: Pick<HookFlags, 'group' | 'system'>,
): void {
  if (isForMany(flags) && tokens.length + signing.length === 0)
    throw new UsageError(
      'BELLHOP_HOOK_SECRET is missing: a hook of a group or of the installation serves many projects, so it has a shared secret. Set it, or BELLHOP_SIGNING_SECRET, for bellhop serve too.',
    )
  if (keys.length + tokens.length + signing.length > 0) return
  throw new UsageError(
    'BELLHOP_HOOK_MASTER_KEY is missing: hook secrets are derived from it. Set it, or BELLHOP_HOOK_SECRET or BELLHOP_SIGNING_SECRET for a shared secret.',
  )
}

/** Whether a hook of a group or of the installation is meant. */
export function isForMany({ group, system }: Pick<HookFlags, 'group' | 'system'>): boolean {
  return group.length > 0 || system === true
}

/** What a command does for each target, and says in the end. */
export interface HookWork {
  /** `own` has the place of the target's own hook. */
  task: (target: HookTarget, own: HookSession) => Promise<HookOutcome>
  /** Lines below the table. */
  closing?: (outcomes: readonly ProjectOutcome[]) => string[]
}

/** Runs the task for all named projects, prints the outcomes, and sets exit code 1 if a project needs attention. */
export async function runForProjects(
  names: readonly string[],
  flags: HookFlags,
  prepare: (session: HookSession) => HookWork | Promise<HookWork>,
): Promise<void> {
  const session = openHooks(flags)
  const { task, closing } = await prepare(session)
  if (names.length === 0 && !isForMany(flags))
    throw new UsageError('Nothing is named: give projects or groups, or --group or --system.')
  const progress = createProgress()
  const { projects, failed, outcomes, ended } = await orUserError(async () => {
    // Without retries first, so that a wrong address or token is reported at once.
    await connect(flags).users.current({})
    progress.show('finding the projects', 0)
    const targets = await targetsOf(session.client, names, flags)
    const run = (target: HookTarget) => task(target, { ...session, place: placeFor(session.place, target) })
    const onDone = (done: number, all: number) => progress.show(`${done} of ${count(all, 'project')}`, done / all)
    return { ...targets, ...(await forEachProject(targets.projects, run, { atOnce, onDone })) }
  }).finally(() => progress.end())
  printOutcomes(outcomes, { failed, notes: closing?.(outcomes) ?? [] }, flags)
  if (outcomes.some(({ bad }) => bad === true)) process.exitCode = 1
  for (const { reason } of failed) process.stderr.write(`bellhop: ${plain(reason)}\n`)
  if (failed.length > 0 || projects.length === 0) process.exitCode = 1
  if (ended !== undefined) {
    process.stderr.write('bellhop: The rest was not tried. Run the command again to continue.\n')
    await orUserError(() => Promise.reject(ended))
  }
}

/** The installation first, then groups, then projects. */
async function targetsOf(client: Client, names: readonly string[], { group, system }: HookFlags) {
  const { projects, failed } = await findTargets(client, names)
  const groups = await findGroups(client, group)
  const installation: HookTarget[] = system === true ? [{ id: 0, path: 'the installation', of: 'system' }] : []
  return { projects: [...installation, ...groups.projects, ...projects], failed: [...groups.failed, ...failed] }
}

/** The result of projects that need nothing: only counted. */
export const upToDate = 'up_to_date'

function printOutcomes(
  outcomes: readonly ProjectOutcome[],
  { failed, notes }: { failed: Targets['failed']; notes: readonly string[] },
  { format, dryRun }: HookFlags,
): void {
  if (format === 'json') {
    const projects = outcomes.map(({ bad, ...rest }) => ({ ...rest, ok: bad !== true }))
    printJson({ dry_run: dryRun === true, projects, not_found: failed, totals: totalsOf(outcomes), notes })
    return
  }
  const ofProjects = outcomes.every(({ project }) => project !== undefined)
  const shown = outcomes.filter(({ result, details }) => result !== upToDate || details.length > 0)
  const rows = shown.map(({ path, result, details }) => [path, words(result), details.join('; ')])
  const lines = rows.length === 0 ? [] : [tableOf([ofProjects ? 'project' : 'of', 'hook', 'details'], rows)]
  const totals = Object.entries(totalsOf(outcomes)).map(([result, number]) => `${number} ${words(result)}`)
  lines.push(
    `${count(outcomes.length, ofProjects ? 'project' : 'hook')}${totals.length === 0 ? '' : `: ${totals.join(', ')}`}`,
    ...notes,
  )
  if (dryRun) lines.push('Nothing was changed (--dry-run).')
  printLines(lines)
}

function totalsOf(outcomes: readonly ProjectOutcome[]): Record<string, number> {
  const totals: Record<string, number> = {}
  for (const { result } of outcomes) totals[result] = (totals[result] ?? 0) + 1
  return totals
}
