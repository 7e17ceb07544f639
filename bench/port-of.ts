// A measured process says on which port it listens: `port 1234`.
import type { ChildProcess } from 'node:child_process'

/** Rejects when it ends before. */
export function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (bytes) => resolve(Number(/^port (\d+)/.exec(String(bytes))?.[1])))
    child.once('close', (code) => reject(new Error(`${child.spawnargs.slice(1, 3).join(' ')} ended with ${code}`)))
  })
}
