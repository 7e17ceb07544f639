// Other programs to measure beside: npm packages in their own folder (bench/peers), no dependencies of Bellhop.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const peersFolder = join(import.meta.dirname, 'peers')

/** Measures with peers, installing missing ones. Where npm fails, says so and returns no rows: other figures stand. */
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
  const reason = npm.error?.message ?? (npm.stderr.trim() || `it ended with ${npm.signal ?? npm.status}`)
  say(`what others wrote is left out, npm ci failed: ${reason}`)
  return []
}
