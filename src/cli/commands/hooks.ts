// `bellhop hooks`: makes and mends the hooks of projects, and says what to enter as the secret of one.
import { Command, Option } from 'commander'
import { projectSecrets } from '../../bot/project-secrets.ts'
import type { Mode } from '../../rules/types.ts'
import { reading } from '../explain/connect.ts'
import { eventsByRules } from '../hooks/events-for.ts'
import { install } from '../hooks/install.ts'
import { allEvents } from '../hooks/needed-events.ts'
import { remove } from '../hooks/remove.ts'
import { requireThatBothAreTaken, requireTwo, rotate } from '../hooks/rotate.ts'
import {
  type HookFlags,
  type HookSession,
  openHooks,
  requireSecret,
  runForProjects,
  secretOption,
  withHookSecrets,
  withHooks,
} from '../hooks/session.ts'
import { statusOf } from '../hooks/status.ts'
import { hookUrl } from '../hooks/wanted-hook.ts'
import { type ServicesFlags, withServices } from '../services/service-options.ts'
import type { Setting } from '../settings/setting.ts'
import { settings } from '../settings.ts'
import { printJson } from '../terminal-text.ts'
import { UserError } from '../user-error.ts'

interface Flags extends ServicesFlags {
  hookMasterKey: string
  signing?: true
  format: 'text' | 'json'
}

/** Subcommands about web hooks. */
export function hooks(): Command {
  const command = new Command('hooks').description('make, mend and check the web hooks of projects and of whole groups')
  command.addCommand(
    withServices(new Command('secret'))
      .description('print the secret of one project’s hook, whose address is /hooks/PROJECT_ID, or /hooks/SERVICE/PROJECT_ID')
      .argument('<project-id>', 'the project’s number')
      .option('--signing', 'print the signing token (whsec_…) instead of the secret token')
      .addOption(secretOption(settings.hookMasterKeys))
      .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'))
      .addHelpText('after', '\nOf several master keys the newest counts: the secret is to be changed before the older key is taken out.')
      .action(secret),
  )
  for (const each of [installCommand(), statusCommand(), rotateCommand(), removeCommand()]) command.addCommand(each)
  return command
}

interface InstallFlags extends HookFlags {
  rulesFolder: string
  mode: Mode
  allEvents?: true
  renew?: true
  removeDuplicates?: true
}

const aboutInstall = `
Every project that is named, and every project of a group and of the groups inside it, gets one hook that leads to Bellhop: with a master key
to /hooks/PROJECT_ID with a secret of its own, else to /hooks with the shared one. It sends the events that the rules in force need: the
operator's rules and the repository's own; where these cannot be read, or are broken, all that Bellhop reads. Run it again when rules change,
or every night: what is as it should be is left alone, what is not is mended, and what failed is tried again.

That a hook's secret is another one cannot be seen: --renew writes it anew, and bellhop hooks rotate changes it.

Exit codes: 0 all hooks are as they should be, 1 something failed, 2 wrong usage.

Examples:
  $ bellhop hooks install hotel --dry-run
  $ bellhop hooks install hotel
  $ bellhop hooks install hotel/app hotel/web --format json`

const targets = '<group-or-project...>'
const aboutTargets = 'full paths or numbers; a number is a project’s before it is a group’s'

function installCommand(): Command {
  const command = new Command('install')
    .description('make or mend the hook of each project')
    .argument(targets, aboutTargets)
    .option('--dry-run', 'only say what would change')
    .option('--renew', 'write the secret of every hook anew')
    .option('--remove-duplicates', 'remove what leads to Bellhop a second time')
  return withRuleOptions(withHookSecrets(withHooks(command)))
    .addHelpText('after', aboutInstall)
    .action(async (names: string[], flags: InstallFlags) => {
      const session = openHooks(flags)
      const options = {
        ...session,
        eventsFor: await eventsOf(session, flags),
        dryRun: flags.dryRun === true,
        renew: flags.renew === true,
        removeDuplicates: flags.removeDuplicates === true,
      }
      await runForProjects({ names, flags, session, task: (project) => install(options, project) })
    })
}

function withRuleOptions(command: Command): Command {
  const ofRules = ({ doc, variable, default: standard }: Setting<unknown>, flag: string) =>
    new Option(flag, doc).env(variable).default(standard)
  return command
    .option('--all-events', 'all events that Bellhop reads, whatever the rules need; costs fewer calls')
    .addOption(ofRules(settings.rulesFolder, '--rules-folder <dir>'))
    .addOption(ofRules(settings.mode, '--mode <mode>').choices(['act', 'observe', 'off']))
}

async function eventsOf({ client, service, place }: HookSession, { allEvents: all, rulesFolder, mode }: InstallFlags) {
  requireSecret(place)
  return all === true ? async () => allEvents : eventsByRules(client, { service, folder: rulesFolder, mode })
}

const aboutStatus = `
Says of each project whether its hook is there, differs from what it should be, is disabled by the service, and what became of its last
delivery, where the service tells. Reads only.

Exit codes: 0 all hooks are as they should be, 1 one is not, 2 wrong usage.

Example:
  $ bellhop hooks status hotel --format json`

function statusCommand(): Command {
  const command = new Command('status').description('say how the hook of each project is; reads only').argument(targets, aboutTargets)
  return withRuleOptions(withHookSecrets(withHooks(command)))
    .addHelpText('after', aboutStatus)
    .action(async (names: string[], flags: InstallFlags) => {
      const session = openHooks(flags)
      const options = { ...session, eventsFor: await eventsOf(session, flags) }
      await runForProjects({ names, flags, session, task: (project) => statusOf(options, project) })
    })
}

const aboutRotate = `
Of two master keys (or shared secrets), newest first, every hook is given the newest; both are valid all the while. Start Bellhop with both
before: it is asked, with a delivery about nothing, whether it takes them. When every hook has the new one, take the old one out.

Exit codes: 0 every hook has the new secret, 1 one has not: keep the old secret and run it again, 2 wrong usage.

Example:
  $ BELLHOP_HOOK_MASTER_KEY=$NEW,$OLD bellhop hooks rotate hotel`

function rotateCommand(): Command {
  const command = new Command('rotate')
    .description('give the hook of each project the newest secret')
    .argument(targets, aboutTargets)
    .option('--dry-run', 'only say what would change')
    .option('--unchecked', 'do not ask the running Bellhop whether it takes both secrets')
  return withHookSecrets(withHooks(command)).addHelpText('after', aboutRotate).action(runRotate)
}

async function runRotate(names: string[], flags: HookFlags & { unchecked?: true }): Promise<void> {
  const session = openHooks(flags)
  const { place, client, toBellhop } = session
  requireSecret(place)
  requireTwo(place)
  let asked: Promise<void> | undefined
  const ready = (project: number) =>
    (asked ??= flags.unchecked === true ? Promise.resolve() : requireThatBothAreTaken(place, project, toBellhop))
  await runForProjects({
    names,
    flags,
    session,
    async task(project) {
      await ready(project.id)
      return rotate({ client, place, dryRun: flags.dryRun === true }, project)
    },
    closing(outcomes) {
      if (flags.dryRun === true) return []
      const without = outcomes.filter(({ bad }) => bad === true).length
      return without > 0
        ? [`Keep the old secret: ${without} of these projects may still send it.`]
        : ['Every hook of these projects has the new secret. When that is all there are, take the old one out.']
    },
  })
}

const aboutRemove = `
Takes out every hook that leads to Bellhop's address; those of others stay.

Example:
  $ bellhop hooks remove hotel --dry-run`

function removeCommand(): Command {
  const command = new Command('remove')
    .description('take Bellhop’s hooks out of each project')
    .argument(targets, aboutTargets)
    .option('--dry-run', 'only say what would change')
  return withHookSecrets(withHooks(command))
    .addHelpText('after', aboutRemove)
    .action(async (names: string[], flags: HookFlags) => {
      const session = openHooks(flags)
      const { client, place } = session
      await runForProjects({
        names,
        flags,
        session,
        task: (project) => remove({ client, place, dryRun: flags.dryRun === true }, project),
      })
    })
}

function secret(id: string, { hookMasterKey, signing, format, service }: Flags): void {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new UserError(`A project is named by its number, not by ${JSON.stringify(id)}.`, { exitCode: 2 })
  const project = Number(id)
  const masterKeys = reading(settings.hookMasterKeys, hookMasterKey).slice(0, 1)
  const secrets = projectSecrets(masterKeys, project)
  const [token, signingToken] = [secrets.tokens[0], secrets.signing[0]]
  if (token === undefined || signingToken === undefined)
    throw new UserError(`${settings.hookMasterKeys.variable} is missing: secrets are derived from it.`, { exitCode: 2 })
  const path = hookUrl({ base: '', masterKeys, ...(service === undefined ? {} : { service }) }, project)
  if (format === 'json') printJson({ project, path, token, signing_token: signingToken })
  else process.stdout.write(`${signing === true ? signingToken : token}\n`)
}
