// The built command line as a real process, with the environment of a fresh machine.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

export interface Running {
  child: ChildProcess
  stdout: () => string
  stderr: () => string
  /** Resolves with the match when standard output says so; rejects when the process ends before. */
  says: (pattern: RegExp) => Promise<RegExpExecArray>
  /** Resolves with exit code and signal. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Starts `bellhop` with arguments. */
export function startCommand(args: readonly string[], environment: Record<string, string> = {}): Running {
  return startProgram([process.execPath, 'bin/bellhop.cjs', ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
  })
}

/** Starts any program, by default with this process's environment. */
export function startProgram([program = '', ...args]: readonly string[], options: SpawnOptions): Running {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  const listeners = new Set<() => void>()
  child.stdout?.on('data', (bytes) => {
    stdout += String(bytes)
    for (const listener of listeners) listener()
  })
  child.stderr?.on('data', (bytes) => {
    stderr += String(bytes)
  })
  const ended: Running['ended'] = new Promise((settle) =>
    child.once('close', (code, signal) => settle({ code, signal })),
  )
  const says = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((settle, reject) => {
      const look = () => {
        const found = pattern.exec(stdout)
        if (found !== null) settle(found)
      }
      listeners.add(look)
      void ended.then(({ code }) =>
        reject(new Error(`ended with ${code} before it said ${pattern}:\n${stdout}\n${stderr}`)),
      )
      look()
    })
  return { child, stdout: () => stdout, stderr: () => stderr, says, ended }
}

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs `bellhop` to its end. */
export async function runCommand(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  return ending(startCommand(args, environment))
}

/** Runs any program to its end. */
export async function runProgram(command: readonly string[], options: SpawnOptions): Promise<Ended> {
  return ending(startProgram(command, options))
}

async function ending(running: Running): Promise<Ended> {
  const { code } = await running.ended
  return { code, stdout: running.stdout(), stderr: running.stderr() }
}
