// `bellhop`: dispatches to the commands; a mistake of the user's ends in one clear line, never in a stack.
import { Command, CommanderError } from 'commander'
import { commands } from './commands/index.ts'
import { UserError } from './user-error.ts'
import { version } from './version.ts'

/** Runs one command line; sets the exit code: 0 fine, 1 failed or problems found, 2 wrong usage. */
export async function main(args: readonly string[]): Promise<void> {
  const program = new Command('bellhop')
    .description('A web hook comes in, the repository’s own rules decide, API calls go out.')
    .version(version)
    .showHelpAfterError('(bellhop --help shows what there is)')
    .exitOverride()
  // `help check` is about check.
  const wanted = args.filter((each) => !each.startsWith('-') && each !== 'help')[0]
  try {
    // Loaded where there are such files: --help waits for no settings.
    if (Object.keys(process.env).some((name) => /^BELLHOP_.*_FILE$/.test(name)))
      (await import('./secret-files.ts')).readSecretFiles(process.env)
    for (const { name, about, load } of commands) {
      const command = name === wanted ? await load() : new Command(name).description(about)
      program.addCommand(command.exitOverride().showHelpAfterError(`(bellhop ${name} --help shows what there is)`))
      for (const below of command.commands) below.exitOverride()
    }
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    process.exitCode = exitCodeOf(error)
  }
}

function exitCodeOf(error: unknown): number {
  // Commander has said what is wrong, or printed the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof UserError) {
    process.stderr.write(`${error.message.replaceAll(/^/gm, 'bellhop: ')}\n`)
    return error.exitCode
  }
  process.stderr.write(`bellhop: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  return 1
}
