// What the commands about hooks work with: a patient client, where the hooks lead, and the projects that are meant.
import { type Command, Option } from 'commander'
import { createServiceState } from '../../bot/service-state.ts'
import type { Client } from '../../client/create-client.ts'
import { createProgress } from '../backtest/progress.ts'
import { connect, orUserError, reading } from '../explain/connect.ts'
import { serviceFetch } from '../service-fetch.ts'
import { type ConnectionFlags, withService } from '../services/service-options.ts'
import { list } from '../setting-texts.ts'
import type { Setting } from '../settings/setting.ts'
import { settings } from '../settings.ts'
import { plain } from '../terminal-text.ts'
import { UserError } from '../user-error.ts'
import { forEachProject, type Outcome, type ProjectOutcome } from './in-parallel.ts'
import { printOutcomes } from './print.ts'
import { findTargets, type TargetProject } from './targets.ts'
import type { HookPlace } from './wanted-hook.ts'

export interface HookFlags extends ConnectionFlags {
  url?: string
  hookSecret: string
  signingSecret: string
  hookMasterKey: string
  signing?: true
  tlsVerification: boolean
  format: 'text' | 'json'
  dryRun?: true
}

/** The flag of a secret, which the environment gives better. */
export const secretOption = ({ flag, doc, variable }: Setting<unknown>) =>
  new Option(`${flag} <value>`, `${doc} Better in the environment.`).env(variable).default('', 'none')

/** The options that all of these commands share. */
export function withHooks(command: Command): Command {
  withService(command)
    .addOption(new Option('--url <address>', 'address of Bellhop as the hosting service reaches it').env(settings.hooksUrl.variable))
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'))
  return command
}

/** The options that say what a hook must be like. */
export function withHookSecrets(command: Command): Command {
  for (const each of [settings.hookMasterKeys, settings.hookSecrets, settings.signingSecrets]) command.addOption(secretOption(each))
  return command
    .option('--signing', 'with a master key: signing tokens (whsec_…) in place of secret tokens, where the service has them')
    .option('--no-tls-verification', 'the service need not verify the certificate of Bellhop’s address')
}

export interface HookSession {
  client: Client
  /** Its name in refs. */
  service: string
  place: HookPlace
  /** How Bellhop’s own address is reached. */
  toBellhop: typeof fetch
}

// A pause that the service asks for is waited for: nobody sits at the command that registers a company.
const maxWaitMs = 15 * 60_000
const attempts = 6
const atOnce = 8

/** Throws UserError for what cannot be used. */
export function openHooks(flags: HookFlags): HookSession {
  const place = readPlace(flags)
  const state = createServiceState({ now: () => Date.now() })
  const limits = { onLimits: state.limits, heldUntil: state.heldUntil, maxWaitMs, attempts }
  return { ...connect(flags, limits), place, toBellhop: toBellhop(place, flags) }
}

/** The proxy is the way to the service; whoever changes hooks mostly sits beside Bellhop. */
function toBellhop({ base }: HookPlace, { caFile = '' }: HookFlags): typeof fetch {
  return serviceFetch({ serviceUrl: base, proxy: '', caFile }, process.env) ?? fetch
}

function readPlace(flags: HookFlags): HookPlace {
  if (flags.url === undefined || flags.url === '')
    throw new UserError(
      `${settings.hooksUrl.variable} is missing: address of Bellhop as the hosting service reaches it. Set it, or give --url.`,
      {
        exitCode: 2,
      },
    )
  const base = reading(settings.hooksUrl, flags.url).replace(/\/+$/, '')
  return {
    base,
    ...(flags.service === undefined ? {} : { service: flags.service }),
    masterKeys: reading(settings.hookMasterKeys, flags.hookMasterKey ?? ''),
    tokens: list(flags.hookSecret ?? ''),
    signing: reading(settings.signingSecrets, flags.signingSecret ?? ''),
    signs: flags.signing === true,
    verifiesTls: flags.tlsVerification !== false,
  }
}

/** Fails where no secret is known: a hook without one would be turned away. */
export function requireSecret({ masterKeys: keys, tokens, signing }: HookPlace): void {
  if (keys.length + tokens.length + signing.length > 0) return
  throw new UserError(
    'BELLHOP_HOOK_MASTER_KEY is missing: the secrets of hooks are derived from it. Set it, or BELLHOP_HOOK_SECRET or BELLHOP_SIGNING_SECRET for one that all hooks share.',
    { exitCode: 2 },
  )
}

interface Run {
  names: readonly string[]
  flags: HookFlags
  session: HookSession
  task: (project: TargetProject) => Promise<Outcome>
  /** Said below the table. */
  closing?: (outcomes: readonly ProjectOutcome[]) => string[]
}

/** Does the work for all projects that are named, prints what came of it, and sets the exit code: 1 where something is not as it should be. */
export async function runForProjects({ names, flags, session: { client }, task, closing }: Run): Promise<void> {
  const progress = createProgress(process.stderr)
  const { projects, failed, outcomes, ended } = await orUserError(async () => {
    // Before the patience begins: a wrong address or token is told at once.
    await connect(flags).client.users.current({})
    progress.show('finding the projects', 0)
    const targets = await findTargets(client, names)
    const onDone = (done: number, all: number) => progress.show(`${done} of ${all} projects`, done / all)
    return { ...targets, ...(await forEachProject(targets.projects, task, { atOnce, onDone })) }
  }).finally(() => progress.end())
  printOutcomes({ outcomes, failed, format: flags.format, dryRun: flags.dryRun === true, notes: closing?.(outcomes) ?? [] })
  if (outcomes.some(({ bad }) => bad === true)) process.exitCode = 1
  for (const { reason } of failed) process.stderr.write(`bellhop: ${plain(reason)}\n`)
  if (failed.length > 0 || projects.length === 0) process.exitCode = 1
  if (ended !== undefined) {
    process.stderr.write('bellhop: The rest was not tried. Run the command again: it goes on where it ended.\n')
    await orUserError(() => Promise.reject(ended))
  }
}
