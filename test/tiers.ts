// What test files import. Unit tests import, directly or through other files, nothing that starts a process or opens a
// store or socket.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const opening = new Set([
  ...['node:child_process', 'node:http', 'node:https', 'node:net', 'node:worker_threads', 'undici'],
  ...['@electric-sql/pglite', 'bullmq', 'ioredis', 'pg', 'playwright-core'],
])
// Types are erased: an import of types alone loads nothing.
const imports =
  /(?:^|\n)(?:import|export)\s+(?!type\b)(?:([^'"]*?)\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g
const onlyTypes = (names = '') => /^\{(?:\s*type\s[^,}]+,?)+\s*\}$/.test(names.trim())

/** Whether a file imports, also through others, one of these packages or files. `known`: what it found before. */
export function reaches(file: string, wanted: ReadonlySet<string>, known: Map<string, boolean>): boolean {
  const answer = known.get(file)
  if (answer !== undefined) return answer
  // While it is looked at, a circle ends here.
  known.set(file, false)
  const found = [...readFileSync(file, 'utf8').matchAll(imports)].some(([, names, from, lazily]) => {
    const name = from ?? lazily ?? ''
    if (onlyTypes(names)) return false
    const isOurs = name.startsWith('.')
    const path = isOurs ? join(dirname(file), name) : name
    return wanted.has(path) || (isOurs && /\.(ts|tsx|mjs)$/.test(name) && reaches(path, wanted, known))
  })
  known.set(file, found)
  return found
}

/** Returns the unit tests, as paths from the project's root. */
export function unitTests(): string[] {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).map((file) => `test/${file}`)
  const known = new Map<string, boolean>()
  return files.filter((file) => file.endsWith('.test.ts') && !reaches(join(root, file), opening, known)).sort()
}
