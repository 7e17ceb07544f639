// The command line as a process of its own, run to its end.
import { builtCommand } from '../built-command.ts'
import { runProgram } from '../system/process.ts'

export interface Ran {
  code: number | null
  out: string
  err: string
}

/** Runs one command to its end, with nothing in the environment but PATH and what is given. */
export async function bellhop(args: readonly string[], environment: Record<string, string> = {}): Promise<Ran> {
  const env = { PATH: process.env.PATH, NO_COLOR: '1', ...environment }
  const ended = await runProgram([process.execPath, await builtCommand(), ...args], { env })
  return { code: ended.code, out: ended.stdout, err: ended.stderr }
}
