// What others wrote, to measure beside: packages of npm in a folder of their own (bench/peers), which Bellhop does not depend on.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CannotRun } from './row.ts'

export const peersFolder = join(import.meta.dirname, 'peers')

/** Installs them where they are not yet; throws CannotRun where npm cannot. */
export function installPeers(say: (sentence: string) => void): void {
  // npm writes it last.
  if (existsSync(join(peersFolder, 'node_modules', '.package-lock.json'))) return
  say('installs what others wrote (npm ci in bench/peers)')
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: peersFolder, encoding: 'utf8' })
  if (npm.status === 0) return
  const reason = npm.error?.message ?? npm.stderr.trim().split('\n').at(-1)
  throw new CannotRun(`npm ci in bench/peers failed: ${reason}`)
}

/** Measures beside them, or says why not and leaves them out: the other figures stand without them. */
export async function withPeers<T>(say: (sentence: string) => void, measure: () => Promise<T[]>): Promise<T[]> {
  try {
    installPeers(say)
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    say(`peers are left out: ${error.message}`)
    return []
  }
  return measure()
}
