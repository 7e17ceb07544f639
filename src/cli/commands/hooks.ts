// `bellhop hooks`: makes and mends the hooks of projects, and says what to enter as the secret of one.
import { Command, Option } from 'commander'
import { projectSecrets } from '../../bot/project-secrets.ts'
import type { Mode } from '../../rules/types.ts'
import { eventsByRules } from '../hooks/events-for.ts'
import { install } from '../hooks/install.ts'
import { allEvents } from '../hooks/needed-events.ts'
import { type HookFlags, openHooks, requireSecret, runForProjects, withHookSecrets, withHooks } from '../hooks/session.ts'
import { masterKeys } from '../setting-texts.ts'
import { type Setting, settings } from '../settings.ts'
import { printJson } from '../terminal-text.ts'
import { UserError } from '../user-error.ts'

interface Flags {
  masterKey: string
  signing?: true
  format: 'text' | 'json'
}

/** Subcommands about web hooks. */
export function hooks(): Command {
  const command = new Command('hooks').description('make, mend and check the web hooks of projects and of whole groups')
  command.addCommand(
    new Command('secret')
      .description('print the secret of one project’s hook, whose address is /hooks/PROJECT_ID')
      .argument('<project-id>', 'the project’s number')
      .option('--signing', 'print the signing token (whsec_…) instead of the secret token')
      .addOption(
        new Option('--master-key <keys>', `${settings.hookMasterKeys.doc} Better in the environment.`)
          .env(settings.hookMasterKeys.variable)
          .default('', 'none'),
      )
      .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'))
      .addHelpText('after', '\nOf several master keys the newest counts: the secret is to be changed before the older key is taken out.')
      .action(secret),
  )
  command.addCommand(installCommand())
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

function installCommand(): Command {
  const ofRules = ({ doc, variable, default: standard }: Setting<unknown>, flag: string) =>
    new Option(flag, doc).env(variable).default(standard)
  const command = new Command('install')
    .description('make or mend the hook of each project')
    .argument('<group-or-project...>', 'full paths or numbers; a number is a project’s before it is a group’s')
    .option('--dry-run', 'only say what would change')
    .option('--all-events', 'all events that Bellhop reads, whatever the rules need; costs fewer calls')
    .option('--renew', 'write the secret of every hook anew')
    .option('--remove-duplicates', 'remove what leads to Bellhop a second time')
    .addOption(ofRules(settings.rulesFolder, '--rules-folder <dir>'))
    .addOption(ofRules(settings.mode, '--mode <mode>').choices(['act', 'observe', 'off']))
  return withHookSecrets(withHooks(command)).addHelpText('after', aboutInstall).action(runInstall)
}

async function runInstall(names: string[], flags: InstallFlags): Promise<void> {
  const session = openHooks(flags)
  requireSecret(session.place)
  const { client, service, place } = session
  const eventsFor =
    flags.allEvents === true ? async () => allEvents : await eventsByRules(client, { service, folder: flags.rulesFolder, mode: flags.mode })
  const options = {
    client,
    place,
    eventsFor,
    dryRun: flags.dryRun === true,
    renew: flags.renew === true,
    removeDuplicates: flags.removeDuplicates === true,
  }
  await runForProjects({ names, flags, session, task: (project) => install(options, project) })
}

function secret(id: string, { masterKey, signing, format }: Flags): void {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new UserError(`A project is named by its number, not by ${JSON.stringify(id)}.`, { exitCode: 2 })
  const project = Number(id)
  const secrets = projectSecrets(readKeys(masterKey).slice(0, 1), project)
  const [token, signingToken] = [secrets.tokens[0], secrets.signing[0]]
  if (token === undefined || signingToken === undefined)
    throw new UserError(`${settings.hookMasterKeys.variable} is missing: secrets are derived from it.`, { exitCode: 2 })
  if (format === 'json') printJson({ project, path: `/hooks/${project}`, token, signing_token: signingToken })
  else process.stdout.write(`${signing === true ? signingToken : token}\n`)
}

function readKeys(text: string): string[] {
  try {
    return masterKeys(text)
  } catch (error) {
    // Its message says what is expected, and never shows the key.
    throw new UserError(`${settings.hookMasterKeys.variable}: expected ${error instanceof Error ? error.message : 'other keys'}.`, {
      exitCode: 2,
      cause: error,
    })
  }
}
