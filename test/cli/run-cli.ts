// The command line as a process of its own, run to its end.
import { spawn } from 'node:child_process'
import { builtCommand } from '../built-command.ts'

export interface Ran {
  code: number | null
  out: string
  err: string
}

/** Runs one command to its end, with nothing in the environment but PATH and what is given. */
export async function bellhop(args: readonly string[], environment: Record<string, string> = {}): Promise<Ran> {
  const child = spawn(process.execPath, [await builtCommand(), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, NO_COLOR: '1', ...environment },
  })
  const ran: Ran = { code: null, out: '', err: '' }
  child.stdout.on('data', (bytes) => {
    ran.out += String(bytes)
  })
  child.stderr.on('data', (bytes) => {
    ran.err += String(bytes)
  })
  ran.code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return ran
}
