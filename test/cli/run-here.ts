// The command line inside the test's own process: where many commands are run, a process for each would take most of the time. One at a time.
import { vi } from 'vitest'
import { main } from '../../src/cli/main.ts'
import type { Ran } from './run-cli.ts'

/** Runs one command to its end, with nothing of ours in the environment but what is given; on a `terminal` it shows how far it is. */
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
