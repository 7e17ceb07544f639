// `bellhop hooks secret`: what to enter as the secret of one project's hook.
import { Command, Option } from 'commander'
import { projectSecrets } from '../../bot/project-secrets.ts'
import { masterKeys } from '../setting-texts.ts'
import { settings } from '../settings.ts'
import { printJson } from '../terminal-text.ts'
import { UserError } from '../user-error.ts'

interface Flags {
  masterKey: string
  signing?: true
  format: 'text' | 'json'
}

/** Subcommands about web hooks. */
export function hooks(): Command {
  const command = new Command('hooks').description('what a project’s web hook needs')
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
  return command
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
