// The command line in the test’s own process, one at a time (a process for each would take most of the time); or as one.
import { main } from '../../src/cli/main.ts'
import { builtCommand } from '../built-command.ts'
import { runProgram } from '../system/process.ts'

/** Runs one command to its end, with only the given environment and PATH; with `terminal` it shows its progress. */
export async function bellhopHere(
  args: readonly string[],
  environment: Record<string, string> = {},
  { terminal = false } = {},
): Promise<Ran> {
  const ran: Ran = { code: 0, out: '', err: '' }
  const before = { ...process.env }
  const streams = [process.stdout, process.stderr]
  const ttys = streams.map(({ isTTY }) => isTTY)
  const spies = (['out', 'err'] as const).map((name) =>
    vi.spyOn(name === 'out' ? process.stdout : process.stderr, 'write').mockImplementation((text) => {
      ran[name] += String(text)
      return true
    }),
  )
  try {
    for (const stream of streams) stream.isTTY = terminal
    process.env = { PATH: process.env.PATH, NO_COLOR: '1', ...environment }
    await main(args)
    ran.code = Number(process.exitCode ?? 0)
    return ran
  } finally {
    process.env = before
    for (const [at, stream] of streams.entries()) stream.isTTY = ttys[at] ?? false
    process.exitCode = undefined
    for (const spy of spies) spy.mockRestore()
  }
}

export interface Ran {
  code: number | null
  out: string
  err: string
}

/** What a command gives that does its work, and says nothing but this. */
export const prints = (out: string) => ({ code: 0, out, err: '' })

/** What a command gives that refuses: nothing but such a text, on its standard error. */
export const refuses = (code: 1 | 2, err: RegExp | string) => ({
  ...{ code, out: '' },
  err: typeof err === 'string' ? expect.stringContaining(err) : expect.stringMatching(err),
})

/** Runs one command to its end, with nothing in the environment but PATH and what is given. */
export async function bellhop(args: readonly string[], environment: Record<string, string> = {}): Promise<Ran> {
  const env = { PATH: process.env.PATH, NO_COLOR: '1', ...environment }
  const ended = await runProgram([process.execPath, await builtCommand(), ...args], { env })
  return { code: ended.code, out: ended.stdout, err: ended.stderr }
}
