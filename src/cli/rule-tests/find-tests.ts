// Finds rule test files: the given files and folders, or the tests next to the rules.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../user-error.ts'

const TEST = /\.test\.ya?ml$/
const RULES = /\.(ya?ml)$/

async function kindOf(path: string): Promise<'file' | 'folder' | 'none'> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'none'
    throw new UsageError(`${path} cannot be read.`, { cause: error })
  }
}

async function testsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory())
        return entry.name === 'node_modules' || entry.name.startsWith('.') ? [] : testsBelow(path)
      return TEST.test(entry.name) ? [path] : []
    }),
  )
  return found.flat().sort()
}

async function testsOf(path: string): Promise<string[]> {
  const kind = await kindOf(path)
  if (kind === 'none') throw new UsageError(`${path} does not exist.`)
  if (kind === 'folder') return testsBelow(path)
  if (TEST.test(path) || !RULES.test(path)) return [path]
  const tests = path.replace(RULES, '.test.$1')
  if ((await kindOf(tests)) === 'file') return [tests]
  throw new UsageError(`${path} has no tests: expected them in ${tests}.`)
}

/** The tests named; by default those of `.bellhop.yml` and of the rules folder. Throws UsageError if there are none. */
export async function findTests(named: readonly string[], rulesFolder: string): Promise<string[]> {
  const usual: string[] = []
  for (const each of ['.bellhop.test.yml', rulesFolder]) if ((await kindOf(each)) !== 'none') usual.push(each)
  const found = (await Promise.all((named.length > 0 ? named : usual).map(testsOf))).flat()
  if (found.length > 0) return [...new Set(found)]
  const where = named.length > 0 ? named.join(', ') : `.bellhop.test.yml or ${rulesFolder}`
  throw new UsageError(`There are no rule tests (*.test.yml) in ${where}.`)
}

/** The rule file of a test file. */
export function rulesTestedBy(tests: string): string {
  return tests.replace(TEST, (ending) => ending.replace('.test', ''))
}
