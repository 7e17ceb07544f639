// `bellhop`: dispatches to the commands; a user's mistake prints one line, never a stack.
import { Command, CommanderError } from 'commander'
import { commands } from './commands/index.ts'
import { printLines } from './output/terminal-text.ts'
import { UserError } from './user-error.ts'
import { version } from './version.ts'

// The reader may close the pipe early: `bellhop schema | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

/** Sets the exit code: 0 success, 1 failure or problems found, 2 wrong usage. */
export async function main(args: readonly string[]): Promise<void> {
  const program = new Command('bellhop')
    .description('A web hook comes in, the repository’s own rules decide, API calls go out.')
    .version(version)
    .showHelpAfterError('(see bellhop --help)')
    .exitOverride()
  if (args.length === 0 && process.stdout.isTTY) return printLines(firstSteps)
  const commandName = args.filter((each) => !each.startsWith('-') && each !== 'help')[0]
  try {
    // Loaded only when needed, so that --help starts fast.
    if (Object.keys(process.env).some((name) => /^BELLHOP_.*_FILE$/.test(name)))
      (await import('./settings/secret-files.ts')).readSecretFiles(process.env)
    for (const { name, about, load } of commands) {
      const command = (name === commandName ? await load() : new Command()).name(name).description(about)
      program.addCommand(command.exitOverride().showHelpAfterError(`(see bellhop ${name} --help)`))
      for (const below of command.commands)
        below.exitOverride().showHelpAfterError(`(see bellhop ${name} ${below.name()} --help)`)
    }
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    process.exitCode = exitCodeOf(error)
  }
}

const firstSteps = [
  'Bellhop acts on merge requests by the rules in your repository. To begin:',
  '',
  '  bellhop demo    watch it work on this machine; needs no service and no token',
  '  bellhop init    write a first rule file into the current directory',
  '  bellhop doctor  check the settings, the token and the hooks before bellhop serve',
  '',
  'All commands: bellhop --help',
]

function exitCodeOf(error: unknown): number {
  // Commander has printed the error or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof UserError) {
    process.stderr.write(`${error.message.replaceAll(/^/gm, 'bellhop: ')}\n`)
    return error.exitCode
  }
  process.stderr.write(`bellhop: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  return 1
}
