// `bellhop hooks …`: installs, checks, rotates and removes the hooks of projects.
import { Command } from 'commander'
import type { RunOperation } from '../../admin/api/route.ts'
import type { ProjectResponse } from '../../admin/api/routes/projects.ts'
import { projectSecrets } from '../../bot/webhook/hook-secrets.ts'
import type { Mode } from '../../rules/types.ts'
import { createAdminClient } from '../admin/admin-client.ts'
import { modeOption, rulesFolderOption } from '../explain/rules-for.ts'
import { hookUrl } from '../hooks/desired-hook.ts'
import { install, remove, requireBothAccepted, requireTwo, rotate, statusOf } from '../hooks/install.ts'
import { allEvents, eventsByRules, flags, systemEvents } from '../hooks/needed-events.ts'
import {
  type HookFlags,
  type HookSession,
  type HookWork,
  isForMany,
  requireSecret,
  runForProjects,
  secretOption,
  withHooks,
} from '../hooks/session.ts'
import type { HookTarget } from '../hooks/targets.ts'
import { formatOption, printAs } from '../output/terminal-text.ts'
import { connect, orUserError, projectNamed, reading } from '../service/connect.ts'
import { withService } from '../service/service-options.ts'
import { settings } from '../settings/settings.ts'
import { UsageError, UserError } from '../user-error.ts'

export function hooks(): Command {
  const command = new Command()
  command.addCommand(
    withService(new Command('secret'))
      .description('print the secret of one project’s hook (/hooks/PROJECT_ID or /hooks/SERVICE/PROJECT_ID)')
      .argument('<project>', 'id of the project, or its path, for which the service is asked')
      .option('--signing', 'print the signing token (whsec_…) instead of the secret token')
      .addOption(secretOption(settings.hookMasterKeys))
      .addOption(formatOption())
      .addHelpText('after', '\nUses the newest master key. Change the hook’s secret before you remove the older key.')
      .action(secret),
  )
  for (const each of [installCommand(), statusCommand(), rotateCommand(), removeCommand()]) command.addCommand(each)
  return command
}

interface InstallFlags extends HookFlags {
  rulesFolder?: string
  mode: Mode
  allEvents?: true
  renew?: true
  removeDuplicates?: true
}

const aboutInstall = `
Each named project, and each project of a named group and its subgroups, gets one hook: /hooks/PROJECT_ID with a secret of its own if
there is a master key, else /hooks with the shared secret. It sends the events that the rules in force need; all that Bellhop reads where
rules are unreadable or broken. With BELLHOP_ADMIN_TOKEN the running Bellhop says which; without it and without --rules-folder the
operator's rules are unknown, and events are only added. The command is idempotent.

--group NAME installs one hook of the group itself, which also sends for projects that are created later (Premium, owners). --system does so
for the whole installation (administrators); it sends no comments and pipelines, which the sweep then finds later. Both need a shared secret.

The service does not show secrets: --renew writes them again, and bellhop hooks rotate changes them.

Exit codes: 0 all hooks are up to date, 1 something failed, 2 wrong usage.

Examples:
  $ bellhop hooks install hotel --dry-run
  $ bellhop hooks install hotel
  $ bellhop hooks install hotel/app hotel/web --format json
  $ bellhop hooks install --group hotel`

/** A command for the hooks of projects, groups or the installation, with options of its own. */
function commandFor(name: string, about: string, options: Record<string, string> = {}): Command {
  const command = new Command(name)
    .description(about)
    .argument('[group-or-project...]', 'full paths or numbers; a number means a project first, then a group')
  for (const [flag, doc] of Object.entries(options)) command.option(flag, doc)
  return withHooks(command)
}

const dryRunOption = { '--dry-run': 'only show what would change' }

function installCommand(): Command {
  const command = commandFor('install', 'install or repair the hook of each project', {
    ...dryRunOption,
    '--renew': 'write the secret of every hook again',
    '--remove-duplicates': 'remove further hooks to Bellhop',
  })
  return withRuleOptions(command)
    .addHelpText('after', aboutInstall)
    .action((names: string[], flags: InstallFlags) =>
      runForProjects(names, flags, async (session) => {
        const events = await eventsOf(session, flags)
        const { dryRun = false, renew = false, removeDuplicates = false } = flags
        return { task: (target, own) => install({ ...own, ...events, dryRun, renew, removeDuplicates }, target) }
      }),
    )
}

function withRuleOptions(command: Command): Command {
  return command
    .option('--all-events', 'send all events that Bellhop reads, without reading the rules')
    .addOption(rulesFolderOption().default(undefined))
    .addOption(modeOption())
}

/** Hooks of a group and of the installation send all that there is: later projects have rules of their own. */
async function eventsOf({ client, place }: HookSession, flags: InstallFlags) {
  requireSecret(place, flags)
  const { allEvents: all, mode } = flags
  const folder = flags.rulesFolder || undefined
  const { BELLHOP_ADMIN_TOKEN: token = '' } = process.env
  const asks = all !== true && folder === undefined && token !== ''
  const byRules =
    all === true
      ? async () => allEvents
      : asks
        ? eventsByBellhop(createAdminClient({ url: process.env.BELLHOP_ADMIN_URL ?? place.base, token }))
        : await eventsByRules(client, { folder, mode })
  return {
    onlyAdds: all !== true && folder === undefined && !asks,
    eventsFor: async (target: HookTarget) =>
      target.of === 'system' ? systemEvents : target.of === 'group' ? allEvents : byRules(target),
  }
}

/** The running Bellhop knows the operator's rules too. Throws UserError. */
const eventsByBellhop =
  (call: RunOperation) =>
  async ({ id }: HookTarget) => {
    const { hook } = await call<ProjectResponse>('show_project', { project: id })
    if (hook === null) throw new UserError('The running Bellhop does not know its own address: set BELLHOP_URL there.')
    return flags(hook.events)
  }

const aboutStatus = `
Shows whether each hook is missing, wrong or disabled, and the result of its last delivery. Reads only.

Exit codes: 0 all hooks are up to date, 1 one is not, 2 wrong usage.

Example:
  $ bellhop hooks status hotel --format json`

function statusCommand(): Command {
  return withRuleOptions(commandFor('status', 'show the state of each project’s hook; reads only'))
    .addHelpText('after', aboutStatus)
    .action((names: string[], flags: InstallFlags) =>
      runForProjects(names, flags, async (session) => {
        const events = await eventsOf(session, flags)
        return { task: (target, own) => statusOf({ ...own, ...events }, target) }
      }),
    )
}

const aboutRotate = `
Writes the newest of two master keys (or shared secrets) to every hook. Start Bellhop with both before: an empty delivery checks that it
accepts them. When every hook has the new one, remove the old one.

Exit codes: 0 every hook has the new secret, 1 one has not (keep the old secret and run it again), 2 wrong usage.

Example:
  $ BELLHOP_HOOK_MASTER_KEY=$NEW,$OLD bellhop hooks rotate hotel`

function rotateCommand(): Command {
  const unchecked = { '--unchecked': 'do not check that the running Bellhop accepts both secrets' }
  return commandFor('rotate', 'write the newest secret to the hook of each project', { ...dryRunOption, ...unchecked })
    .addHelpText('after', aboutRotate)
    .action((names: string[], flags: RotateFlags) =>
      runForProjects(names, flags, (session) => rotation(names, flags, session)),
    )
}

interface RotateFlags extends HookFlags {
  unchecked?: true
}

function rotation(names: readonly string[], flags: RotateFlags, { place, toBellhop }: HookSession): HookWork {
  requireSecret(place, flags)
  if (names.length > 0) requireTwo(place)
  if (isForMany(flags)) requireTwo({ ...place, masterKeys: [] })
  const { dryRun = false, unchecked } = flags
  const asked = new Map<HookTarget['of'], Promise<void>>()
  return {
    async task(target, own) {
      if (unchecked !== true && !asked.has(target.of))
        asked.set(target.of, requireBothAccepted(own.place, target.id, toBellhop))
      await asked.get(target.of)
      return rotate({ ...own, dryRun }, target)
    },
    closing(outcomes) {
      if (dryRun) return []
      const without = outcomes.filter(({ bad }) => bad === true).length
      return without > 0
        ? [`Keep the old secret: ${without} of these projects may still send it.`]
        : ['Every hook of these projects has the new secret. If there are no others, remove the old one.']
    },
  }
}

const aboutRemove = `
Removes every hook to Bellhop's address; other hooks stay.

Example:
  $ bellhop hooks remove hotel --dry-run`

function removeCommand(): Command {
  return commandFor('remove', 'remove Bellhop’s hooks from each project', dryRunOption)
    .addHelpText('after', aboutRemove)
    .action((names: string[], flags: HookFlags) =>
      runForProjects(names, flags, () => ({
        task: (target, own) => remove({ ...own, dryRun: flags.dryRun === true }, target),
      })),
    )
}

const isId = (name = '') => /^[1-9]\d{0,14}$/.test(name)

async function secret(name: string, flags: HookFlags): Promise<void> {
  const { hookMasterKey, signing, format } = flags
  const masterKeys = reading(settings.hookMasterKeys, hookMasterKey).slice(0, 1)
  const project = isId(name) ? Number(name) : (await orUserError(() => projectNamed(connect(flags), name))).project
  const secrets = projectSecrets(masterKeys, project)
  const [token, signingToken] = [secrets.tokens[0], secrets.signing[0]]
  if (token === undefined || signingToken === undefined)
    throw new UsageError(`${settings.hookMasterKeys.variable} is missing: secrets are derived from it.`)
  const path = hookUrl({ base: '', masterKeys }, project)
  printAs(format, { project, path, token, signing_token: signingToken }, () => [
    signing === true ? signingToken : token,
  ])
}
