// Which files of rule tests are meant: files, folders, or what lies where rules lie.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../user-error.ts'

const TEST = /\.test\.ya?ml$/
const RULES = /\.(ya?ml)$/

async function kindOf(path: string): Promise<'file' | 'folder' | 'none'> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'none'
    throw new UserError(`${path} cannot be read.`, { exitCode: 2, cause: error })
  }
}

async function testsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name.startsWith('.') ? [] : testsBelow(path)
      return TEST.test(entry.name) ? [path] : []
    }),
  )
  return found.flat().sort()
}

async function testsOf(path: string): Promise<string[]> {
  const kind = await kindOf(path)
  if (kind === 'none') throw new UserError(`${path} is not there.`, { exitCode: 2 })
  if (kind === 'folder') return testsBelow(path)
  if (TEST.test(path) || !RULES.test(path)) return [path]
  const tests = path.replace(RULES, '.test.$1')
  if ((await kindOf(tests)) === 'file') return [tests]
  throw new UserError(`${path} has no tests: expected them in ${tests}.`, { exitCode: 2 })
}

/** The files of tests that are named; without a name those beside `.bellhop.yml` and in the rules folder. Throws UserError where there are none. */
export async function findTests(named: readonly string[], rulesFolder: string): Promise<string[]> {
  const usual: string[] = []
  for (const each of ['.bellhop.test.yml', rulesFolder]) if ((await kindOf(each)) !== 'none') usual.push(each)
  const found = (await Promise.all((named.length > 0 ? named : usual).map(testsOf))).flat()
  if (found.length > 0) return [...new Set(found)]
  const where = named.length > 0 ? named.join(', ') : `.bellhop.test.yml or ${rulesFolder}`
  throw new UserError(`There are no rule tests in ${where}: they are in files that end in .test.yml.`, { exitCode: 2 })
}

/** The rule file beside a file of tests. */
export function rulesBeside(tests: string): string {
  return tests.replace(TEST, (ending) => ending.replace('.test', ''))
}
