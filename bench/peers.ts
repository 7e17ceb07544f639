// What others wrote, to measure beside: packages of npm in a folder of their own (bench/peers), which Bellhop does not depend on.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const peersFolder = join(import.meta.dirname, 'peers')

/** Measures beside them, installed where they are not yet; where npm cannot, says so and leaves them out: the other figures stand without them. */
export async function withPeers<T>(
  say: (sentence: string) => void,
  measure: () => Promise<T[]>,
  folder = peersFolder,
): Promise<T[]> {
  // npm writes it last.
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return measure()
  say(`installs what others wrote (npm ci in ${folder})`)
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, encoding: 'utf8' })
  if (npm.status === 0) return measure()
  say(`what others wrote is left out, npm ci failed: ${npm.error?.message ?? npm.stderr.trim()}`)
  return []
}
