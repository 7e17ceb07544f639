// `bellhop completion bash|zsh`: prints a script by which the shell completes commands and flags.
import { Argument, Command } from 'commander'

interface Loadable {
  name: string
  load: () => Promise<Command>
}

const help = `
Examples:
  $ bellhop completion bash > ~/.local/share/bash-completion/completions/bellhop
  $ bellhop completion zsh >> ~/.zshrc`

export function completion(commands: readonly Loadable[]): Command {
  return new Command()
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh']))
    .addHelpText('after', help)
    .action(async (shell: 'bash' | 'zsh') => {
      // zsh runs scripts that are written for bash.
      const before = shell === 'zsh' ? 'autoload -U +X compinit bashcompinit && compinit && bashcompinit\n' : ''
      process.stdout.write(`${before}${await script(commands)}`)
    })
}

/** The commands below it and the flags of all of them. */
function wordsOf(command: Command): string[] {
  const below = command.commands
  const flags = [command, ...below].flatMap(({ options }) => options.flatMap(({ long }) => long ?? []))
  return [...below.map((each) => each.name()), ...new Set(flags), '--help']
}

async function script(commands: readonly Loadable[]): Promise<string> {
  const cases: string[] = []
  for (const { name, load } of commands) cases.push(`    ${name}) words="${wordsOf(await load()).join(' ')}" ;;`)
  const names = commands.map(({ name }) => name).join(' ')
  return `_bellhop() {
  local words="" current="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${names} --help --version"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _bellhop bellhop
`
}
